package fact

import (
	"context"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/runtoken"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// writtenFirst answers what the run wrote under a key, as it was then; false: it has
// not used the key. What has been deleted since is missing, and its key stays used
// (R3.9, R3.28).
func (s *Service) writtenFirst(ctx context.Context, t Target, key *string) (*Fact, bool, error) {
	if key == nil || t.RunID == "" || !keyForm.MatchString(*key) {
		return nil, false, nil
	}
	item, found, err := s.Store.Get(ctx, keys.FactKey(t.Scope, t.RunID, keys.Hash(*key)))
	if err != nil || !found {
		return nil, false, errs.Unread(err)
	}
	f, err := s.asOf(ctx, t, item.Attrs.Text(attrID), item.Attrs.Int(attrVersion))
	return f, true, err
}

// remember leaves the row of a key. It goes no sooner than the run's token.
func (c *change) remember(key string, f *Fact) {
	c.put("key", store.Item{
		Key:     keys.FactKey(c.Scope, c.RunID, keys.Hash(key)),
		Attrs:   store.Attrs{attrID: store.S(f.ID), attrVersion: store.N(f.Version)},
		Expires: c.at.Add(runtoken.Lifetime + time.Second), // kept to the second
	}, store.IfAbsent())
}

// asOf answers a fact in one of its versions.
func (s *Service) asOf(ctx context.Context, t Target, id string, version int64) (*Fact, error) {
	f, err := s.read(ctx, s.sight(t), id)
	if err != nil || f.Version == version {
		return f, err
	}
	item, found, err := s.Store.Get(ctx, keys.FactVersion(t.Scope, id, version))
	if err != nil || !found {
		return nil, missingOr(err) // erased meanwhile
	}
	f.Edition, err = decodeVersion(item)
	return f, err
}
