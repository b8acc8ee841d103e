package webhook

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"holdfast/internal/queue"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// The bounds of lanes.
const (
	abreast   = 16               // deliveries of a webhook that are tried at once
	lanes     = 4                // webhooks of a workspace that are delivered to at once
	lease     = 20 * time.Second // of a lane and of a try: longer than a call can take
	turn      = 10 * time.Second // after which a lane begins no more tries and lets others on
	laneFull  = time.Second      // pause where a workspace has all its lanes in use
	afterFail = time.Second      // pause of a lane whose target does not answer
)

// lane is a worker's hold of a webhook.
type lane struct {
	*Worker
	scope tenant.Scope
	hook  Webhook
	token string
	held  *store.Item // the lane's row as it was read or written last; nil: there is none
}

// deliver tries what a webhook has due, for a turn. Somebody who holds the lane already
// looks once more before going, so that nothing is left behind.
func (w *Worker) deliver(ctx context.Context, scope tenant.Scope, webhookID string) error {
	hook, found, err := read(ctx, w.Store, scope, webhookID)
	if err != nil || !found || hook.gone() {
		return err
	}
	l := &lane{Worker: w, scope: scope, hook: hook, token: w.IDs.New()}
	switch free, err := l.free(ctx); {
	case err != nil:
		return err
	case free == laneTaken:
		return nil
	case free == lanesFull:
		return w.send(ctx, []queue.Message{w.message(scope, webhookID, laneFull)})
	}
	bad, err := l.rounds(ctx)
	if errors.Is(err, errTaken) {
		return nil
	}
	return errors.Join(err, l.leave(ctx, bad))
}

type freedom int

const (
	laneFree  freedom = iota
	laneTaken         // another worker delivers to the webhook
	lanesFull         // the workspace has all its lanes in use
)

// free tells whether the lane can be taken. Leases end by the clock.
func (l *lane) free(ctx context.Context) (freedom, error) {
	page, err := l.Store.Query(ctx, store.Query{PK: keys.WebhookLanePK(l.scope)})
	if err != nil {
		return laneTaken, err
	}
	busy := 0
	now := l.Clock.Now().UnixMilli()
	for _, item := range page.Items {
		running := item.Attrs.Int(attrUntil) > now
		if item.Key.SK == l.hook.ID {
			if running {
				return laneTaken, nil
			}
			l.held = &item
		}
		if running {
			busy++
		}
	}
	if busy >= lanes {
		return lanesFull, nil
	}
	return laneFree, nil
}

// rounds tries what is due until there is nothing, the turn is over or the target
// fails. bad tells that a whole round failed.
func (l *lane) rounds(ctx context.Context) (bad bool, err error) {
	end := l.Clock.Now().Add(turn)
	for ctx.Err() == nil && !bad && l.Clock.Now().Before(end) {
		due, err := l.dueNow(ctx, l.scope, l.hook.ID, abreast)
		if err != nil || len(due) == 0 {
			return false, err
		}
		claimed, err := l.claim(ctx, due)
		if err != nil {
			return false, err
		}
		if bad, err = l.try(ctx, claimed); err != nil {
			return bad, err
		}
	}
	return bad, nil
}

// try makes the tries that were counted, all at once, and commits what came of them.
// bad tells that none succeeded.
func (l *lane) try(ctx context.Context, claimed []Delivery) (bad bool, err error) {
	after := make([]Delivery, len(claimed))
	var all sync.WaitGroup
	for i, d := range claimed {
		all.Go(func() { after[i] = l.call(ctx, d) })
	}
	all.Wait()
	bad = len(claimed) > 0
	for _, d := range after {
		bad = bad && d.State != Succeeded
	}
	ctx = context.WithoutCancel(ctx)
	if err := l.settle(ctx, claimed, after); err != nil {
		return bad, err
	}
	return bad, l.later(ctx, after)
}

// call makes one try.
func (l *lane) call(ctx context.Context, d Delivery) Delivery {
	body, err := d.body(l.scope.WorkspaceID())
	if err != nil {
		return d.tried(0, "INTERNAL", l.Clock.Now())
	}
	status, code := l.Sender.Send(ctx, l.hook.URL, header(l.hook.secret, d.ID, l.Clock.Now(), body), body)
	next := d.tried(status, code, l.Clock.Now())
	level := slog.LevelInfo
	if next.State == Dead {
		level = slog.LevelError
	}
	l.Log.LogAttrs(ctx, level, "webhook", slog.String("webhook", l.hook.ID), slog.String("delivery", d.ID),
		slog.String("state", string(next.State)), slog.Int("attempt", d.Attempts), slog.String("code", code))
	return next
}
