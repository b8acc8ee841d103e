package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
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

var errTaken = errors.New("webhook: somebody else has the lane")

// hold is the action that takes the lane, or keeps it, if it is as it was read.
func (l *lane) hold() (store.Action, store.Item) {
	row := store.Item{Key: keys.WebhookLane(l.scope, l.hook.ID), Attrs: store.Attrs{
		attrHolder: store.S(l.token), attrUntil: store.N(l.Clock.Now().Add(lease).UnixMilli())}}
	return store.PutItem("lane", row, l.was()), row
}

func (l *lane) was() *store.Cond {
	if l.held == nil {
		return store.IfAbsent()
	}
	return store.IfEqual(attrHolder, l.held.Attrs[attrHolder])
}

// claim counts a try of each due delivery, before it is made, and leases it. One whose
// tries were all begun, so that its last worker died without a word, is dead; a row
// that leads to nothing open is removed.
func (l *lane) claim(ctx context.Context, due []store.Item) ([]Delivery, error) {
	ks := make([]store.Key, len(due))
	for i, item := range due {
		ks[i] = keys.Delivery(l.scope, l.hook.ID, deliveryOfDue(item.Key))
	}
	items, err := l.Store.GetMany(ctx, ks)
	if err != nil {
		return nil, err
	}
	take, row := l.hold()
	actions := []store.Action{take}
	var claimed []Delivery
	for i, item := range items {
		more, next, err := l.claimOne(due[i], item, strconv.Itoa(i))
		if err != nil {
			return nil, err
		}
		actions = append(actions, more...)
		if next.open() {
			claimed = append(claimed, next)
		}
	}
	err = l.Store.Commit(ctx, store.Tx{Actions: actions})
	if store.Failed(err, "lane") {
		return nil, errTaken
	}
	if nothing(err) {
		return nil, nil // one was asked for again just now: the next round reads it anew
	}
	if err == nil {
		l.held = &row
	}
	return claimed, err
}

// nothing tells an error that says that a condition did not hold.
func nothing(err error) bool {
	var condition *store.ConditionError
	return errors.As(err, &condition)
}

func (l *lane) claimOne(due store.Item, item *store.Item, label string) ([]store.Action, Delivery, error) {
	stray := []store.Action{store.DeleteItem("stray", due.Key, nil)}
	if item == nil {
		return stray, Delivery{}, nil
	}
	d, err := readDelivery(l.hook.ID, *item)
	if err != nil {
		return nil, d, err
	}
	now := l.Clock.Now()
	if !d.open() || d.dueKey(l.scope) != due.Key || !d.kept(now) {
		return stray, Delivery{}, nil
	}
	next := d
	if d.spent() {
		next = d.tried(0, "LEASE_EXPIRED", now)
	} else {
		next.Attempts, next.Next = d.Attempts+1, millisecond(now.Add(lease))
	}
	actions, err := d.move(l.scope, label, next)
	next.rev = d.rev + 1
	return actions, next, err
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

// settle commits what came of the tries. A delivery that is not as it was claimed any
// more (asked for again, its webhook deleted) is left out.
func (l *lane) settle(ctx context.Context, claimed, after []Delivery) error {
	left := make(map[string]bool, len(claimed))
	for i := range claimed {
		left[strconv.Itoa(i)] = true
	}
	for len(left) > 0 {
		var actions []store.Action
		for i, d := range claimed {
			label := strconv.Itoa(i)
			if !left[label] {
				continue
			}
			more, err := d.move(l.scope, label, after[i])
			if err != nil {
				return err
			}
			actions = append(actions, more...)
		}
		err := l.Store.Commit(ctx, store.Tx{Actions: actions})
		var condition *store.ConditionError
		if !errors.As(err, &condition) {
			return err
		}
		for _, label := range condition.Labels {
			delete(left, label)
		}
	}
	return nil
}

// later sends a message for each time at which some of the deliveries are tried again,
// where a message can wait so long; the sweep finds the others.
func (l *lane) later(ctx context.Context, after []Delivery) error {
	now := l.Clock.Now()
	var out []queue.Message
	known := map[time.Duration]bool{}
	for _, d := range after {
		delay := d.Next.Sub(now).Round(time.Second)
		if d.open() && delay <= queue.MaxDelay && !known[delay] {
			known[delay] = true
			out = append(out, l.message(l.scope, l.hook.ID, max(0, delay)))
		}
	}
	return l.send(ctx, out)
}

// leave gives the lane back. What came meanwhile, when others saw it taken, gets a
// message of its own.
func (l *lane) leave(ctx context.Context, bad bool) error {
	ctx = context.WithoutCancel(ctx)
	if l.held != nil && l.held.Attrs.Text(attrHolder) == l.token {
		gone := store.DeleteItem("lane", l.held.Key, l.was())
		if err := l.Store.Commit(ctx, store.Tx{Actions: []store.Action{gone}}); err != nil && !store.Failed(err, "lane") {
			return fmt.Errorf("webhook: lane: %w", err)
		}
	}
	due, err := l.dueNow(ctx, l.scope, l.hook.ID, 1)
	if err != nil || len(due) == 0 {
		return err
	}
	delay := time.Duration(0)
	if bad {
		delay = afterFail
	}
	return l.send(ctx, []queue.Message{l.message(l.scope, l.hook.ID, delay)})
}
