package fact

import (
	"context"
	"slices"

	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Get answers a fact (S3.27). One of another memory, of another user or deleted is
// missing.
func (s *Service) Get(ctx context.Context, t Target, id string) (*Fact, error) {
	return s.read(ctx, s.sight(t), id)
}

func (s *Service) read(ctx context.Context, v *sight, id string) (*Fact, error) {
	f, err := Head(ctx, s.Store, v.t.Scope, id)
	if err != nil {
		return nil, errs.Unread(err)
	}
	shown, err := v.shows(ctx, f)
	if err == nil && !shown {
		err = errs.Missing()
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Head reads one HEAD row, a tombstone too; nil when there is none. Any text may be
// asked for.
func Head(ctx context.Context, s store.Store, scope tenant.Scope, id string) (*Fact, error) {
	if !ids.ValidFact(id) {
		return nil, nil
	}
	item, found, err := s.Get(ctx, keys.Fact(scope, id))
	if err != nil || !found {
		return nil, err
	}
	return Decode(item)
}

// heads reads HEAD rows in the order asked, tombstones too; nil where there is none. No
// id may occur twice.
func heads(ctx context.Context, s store.Store, scope tenant.Scope, list []string) ([]*Fact, error) {
	out := make([]*Fact, 0, len(list))
	for page := range slices.Chunk(list, store.MaxGetMany) {
		at := make([]store.Key, len(page))
		for i, id := range page {
			at[i] = keys.Fact(scope, id)
		}
		items, err := s.GetMany(ctx, at)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			var f *Fact
			if item != nil {
				if f, err = Decode(*item); err != nil {
					return nil, err
				}
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// Versions answers a fact and all its versions, newest first, the current one too
// (S3.28, R3.12).
func (s *Service) Versions(ctx context.Context, t Target, id string) (*Fact, []Edition, error) {
	v := s.sight(t)
	f, err := s.read(ctx, v, id)
	if err != nil {
		return nil, nil, err
	}
	out := []Edition{f.Edition}
	q := store.Query{PK: keys.FactPK(t.Scope, id), Prefix: keys.VersionPrefix, Desc: true}
	for {
		page, err := s.Store.Query(ctx, q)
		if err != nil {
			return nil, nil, errs.Unread(err)
		}
		for _, item := range page.Items {
			e, err := decodeVersion(item)
			if err != nil {
				return nil, nil, err
			}
			if e.Version < f.Version { // not one that came after f was read
				out = append(out, e)
			}
		}
		if page.Cursor == "" {
			break
		}
		q.Cursor = page.Cursor
	}
	if int64(len(out)) < f.Version { // erased while it was read
		_, err = s.read(ctx, s.sight(t), id)
	}
	return f, out, err
}

// Found answers the facts of a search's hits, in the order asked: nil where search may
// not show one to the caller, as one that was erased, moved or put into quarantine
// since it was indexed. No id may occur twice.
func (s *Service) Found(ctx context.Context, t Target, f Filter, list []string) ([]*Fact, error) {
	found, err := heads(ctx, s.Store, t.Scope, list)
	if err != nil {
		return nil, errs.Unread(err)
	}
	v := s.sight(t)
	for i, one := range found {
		shown, err := v.shows(ctx, one)
		if err != nil {
			return nil, err
		}
		if !shown || !one.Searched() || !f.passes(one.Path, one.Tags) {
			found[i] = nil
		}
	}
	return found, nil
}
