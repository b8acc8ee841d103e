package memory

import (
	"context"
	"strings"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Request is the keyed hash of a request: what a receipt keeps of it (R0.31).
func (h Hasher) Request(raw []byte) string { return h.mac("request", string(raw)) }

// OfUser answers up to limit memories that are bound to a user, newest first:
// what a profile is made from (R0.30). Callers decide what may be shown.
func (s *Service) OfUser(ctx context.Context, scope tenant.Scope, userID string, limit int) ([]*Memory, error) {
	h, err := s.Hasher(ctx, scope)
	if err != nil {
		return nil, err
	}
	prefix := Family + "#"
	page, err := s.Store.Query(ctx, store.Query{
		PK: keys.SubjectPK(scope, h.Subject(Subject{UserID: userID})[0]), Prefix: prefix, Desc: true, Limit: limit,
	})
	if err != nil {
		return nil, errs.Unread(err)
	}
	ids := make([]string, len(page.Items))
	for i, item := range page.Items {
		ids[i] = strings.TrimPrefix(item.Key.SK, prefix)
	}
	found, err := Load(ctx, s.Store, scope, ids)
	if err != nil {
		return nil, errs.Unread(err)
	}
	out := make([]*Memory, 0, len(found))
	for _, m := range found {
		if m != nil {
			out = append(out, m)
		}
	}
	return out, nil
}

// DecodeVector reads a vector's row: for rebuilding an index from the table.
func DecodeVector(item store.Item) (Vector, error) { return decodeVector(item) }
