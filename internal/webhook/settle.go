package webhook

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"holdfast/internal/queue"
	"holdfast/internal/store"
)

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
