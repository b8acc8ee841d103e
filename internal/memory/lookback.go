package memory

import (
	"context"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// lookback looks for the version of a memory whose edition holds an instant: the last
// that was current by then. Versions are in the order of their times, so it halves.
type lookback struct {
	view  *View
	scope tenant.Scope
	found *Version // the latest known to have been current by then
	least int64    // versions up to this one were current by then
	most  int64    // those beyond were not
}

func (s *lookback) done() bool { return s.least >= s.most }

// middle is the version to read next.
func (s *lookback) middle() int64 { return s.least + (s.most-s.least+1)/2 }

func (s *lookback) learn(v Version, at time.Time) {
	if at.Before(v.Edition.At) {
		s.most = v.Version - 1
		return
	}
	s.least, s.found = v.Version, &v
}

// missing learns that the middle version was erased. What an erasure takes from a
// memory that stays are its first texts, those that the service made of what was
// erased: the instant is theirs, and shows nothing, unless a later version holds it.
func (s *lookback) missing() { s.least, s.found = s.middle(), nil }

// textsOf puts into the views of edited memories the texts of then. One whose
// versions are gone, as while it is being erased, shows nothing.
func textsOf(ctx context.Context, s store.Store, edited []*lookback, at time.Time) error {
	for open := edited; len(open) > 0; {
		if err := halve(ctx, s, open, at); err != nil {
			return err
		}
		var left []*lookback
		for _, one := range open {
			if !one.done() {
				left = append(left, one)
			}
		}
		open = left
	}
	for _, one := range edited {
		one.show()
	}
	return nil
}

// halve reads one version of each memory.
func halve(ctx context.Context, s store.Store, open []*lookback, at time.Time) error {
	rows := make([]store.Key, len(open))
	for i, one := range open {
		rows[i] = keys.MemoryVersion(one.scope, one.view.ID, one.middle())
	}
	items, err := getMany(ctx, s, rows)
	if err != nil {
		return errs.Unread(err)
	}
	for i, item := range items {
		if item == nil {
			open[i].missing()
			continue
		}
		v, err := decodeVersion(*item)
		if err != nil {
			return err
		}
		open[i].learn(v, at)
	}
	return nil
}

// show puts the version that was found into the view.
func (s *lookback) show() {
	if s.found == nil {
		s.view.Memory = nil
		return
	}
	m := s.view.Memory // a copy already
	m.Version, m.Content, m.Edition, m.UpdatedAt = s.found.Version, s.found.Content, s.found.Edition, s.found.Edition.At
}
