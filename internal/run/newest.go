package run

import (
	"context"
	"strings"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// Newest answers the id of the memory that was written last with the run, whatever
// its layer; empty when there is none. Ids tell the time.
func (r Run) Newest(ctx context.Context, s store.Store) (string, error) {
	page, err := s.Query(ctx, store.Query{PK: keys.RunPK(r.Scope, r.Hash),
		From: keys.RunEntryPrefix, To: keys.RunEntryPrefix + "~", Desc: true, Limit: 1})
	if err != nil || len(page.Items) == 0 {
		return "", err
	}
	return strings.TrimPrefix(page.Items[0].Key.SK, keys.RunEntryPrefix), nil
}
