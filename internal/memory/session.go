package memory

import (
	"context"
	"strings"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Walk is a stretch of a session: the entries of one run beyond an id.
type Walk struct {
	RunID  string
	Beyond string // exclusive; empty: from the first, or with Back from the last
	Back   bool   // towards older entries
	Limit  int    // most ids; at least 1
}

// SessionIDs answers the ids of a run's memories in the order of the walk (R0.68):
// of every layer, status and subject, which callers narrow. Fewer than Limit means
// that the end was reached.
func (s *Service) SessionIDs(ctx context.Context, scope tenant.Scope, w Walk) ([]string, error) {
	h, err := s.Hasher(ctx, scope)
	if err != nil {
		return nil, err
	}
	q := store.Query{PK: keys.RunPK(scope, h.Run(w.RunID)), From: keys.RunEntryPrefix, To: keys.RunEntryPrefix + "~", Desc: w.Back}
	switch {
	case w.Beyond != "" && w.Back:
		q.To = keys.RunEntryPrefix + w.Beyond // inclusive: skipped below
	case w.Beyond != "":
		q.From = keys.RunEntryPrefix + w.Beyond
	}
	var out []string
	for {
		q.Limit = w.Limit + 1 - len(out)
		page, err := s.Store.Query(ctx, q)
		if err != nil {
			return nil, errs.Unread(err)
		}
		for _, item := range page.Items {
			if id := strings.TrimPrefix(item.Key.SK, keys.RunEntryPrefix); id != w.Beyond && len(out) < w.Limit {
				out = append(out, id)
			}
		}
		if page.Cursor == "" || len(out) == w.Limit {
			return out, nil
		}
		q.Cursor = page.Cursor
	}
}
