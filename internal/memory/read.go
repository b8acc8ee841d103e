package memory

import (
	"context"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Get answers a memory to a caller that may see it (S0.38 to S0.41).
func (s *Service) Get(ctx context.Context, t Target, id string, asked Subject) (*Memory, error) {
	m, err := Head(ctx, s.Store, t.Scope, id)
	if err != nil {
		return nil, errs.Unread(err)
	}
	if m == nil || !m.Visible(t.Caller, asked) {
		return nil, errs.Missing()
	}
	return m, s.unname(ctx, t.Scope, []*Memory{m})
}

// Versions lists a memory's texts, newest first (R0.61).
func (s *Service) Versions(ctx context.Context, t Target, id string, asked Subject) ([]Version, error) {
	m, err := s.Get(ctx, t, id, asked)
	if err != nil {
		return nil, err
	}
	return s.versionsOf(ctx, t.Scope, m)
}

func (s *Service) versionsOf(ctx context.Context, scope tenant.Scope, m *Memory) ([]Version, error) {
	out := []Version{m.current()}
	q := store.Query{PK: keys.MemoryPK(scope, m.ID), Prefix: keys.VersionPrefix, Desc: true}
	for {
		page, err := s.Store.Query(ctx, q)
		if err != nil {
			return nil, errs.Unread(err)
		}
		for _, item := range page.Items {
			v, err := decodeVersion(item)
			if err != nil {
				return nil, err
			}
			if v.Version < m.Version { // not one that a later write added meanwhile
				out = append(out, v)
			}
		}
		if page.Cursor == "" {
			return out, nil
		}
		q.Cursor = page.Cursor
	}
}

// current is the version that HEAD holds. A superseded memory's text is known on
// the recorded clock until it was superseded.
func (m *Memory) current() Version {
	return Version{
		Version: m.Version, Content: m.Content, Edition: m.Edition,
		ValidFrom: m.Temporal.ValidFrom, ValidTo: m.Temporal.ValidTo,
		RecordedFrom: m.Edition.At, RecordedTo: m.Temporal.SupersededAt,
	}
}
