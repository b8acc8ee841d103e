package webhook

import (
	"context"
	"errors"
	"strconv"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

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
