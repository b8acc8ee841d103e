package run

import (
	"context"
	"errors"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Visits notes for which runs somebody retrieves (R0.50). It is safe for concurrent
// use.
type Visits struct {
	Store store.Store
	Clock clock.Clock
	// Hash answers the keyed hash of a run's id.
	Hash func(ctx context.Context, scope tenant.Scope, runID string) (string, error)
}

// Visit notes that a run is in use, and answers the ids of the summaries of its last
// consolidated stretch (R0.69). A run that nobody appended to has none and is not
// noted. What was noted less than Slack ago is not noted again.
func (v Visits) Visit(ctx context.Context, scope tenant.Scope, runID string) (summaryIDs []string, err error) {
	hash, err := v.Hash(ctx, scope, runID)
	if err != nil {
		return nil, err
	}
	rows, err := v.Store.GetMany(ctx, []store.Key{keys.RunHead(scope, hash), keys.RunTouch(scope, hash)})
	if err != nil || rows[0] == nil {
		return nil, err
	}
	r, err := Decode(*rows[0])
	if err != nil {
		return nil, err
	}
	if action, due := r.Touch("touch", rows[1], v.Clock.Now()); due && !r.Due.IsZero() {
		err = v.Store.Commit(ctx, store.Tx{Actions: []store.Action{action}})
		if errors.Is(err, store.ErrConflict) {
			err = nil // somebody else is noting it
		}
	}
	return r.Summaries, err
}

const attrAt = "at" // milliseconds

// Touch is the action that notes a use of the run; due false when the last note is
// recent enough. row is the note as it was read, nil where there is none.
func (r Run) Touch(label string, row *store.Item, now time.Time) (action store.Action, due bool) {
	if row != nil && now.Sub(TouchedAt(row)) <= r.Slack() {
		return store.Action{}, false
	}
	item := store.Item{Key: keys.RunTouch(r.Scope, r.Hash), Attrs: store.Attrs{attrAt: store.N(now.UnixMilli())}}
	return store.PutItem(label, item, nil), true
}

// TouchedAt is the time of a note; zero where there is none.
func TouchedAt(row *store.Item) time.Time {
	if row == nil {
		return time.Time{}
	}
	return time.UnixMilli(row.Attrs.Int(attrAt)).UTC()
}
