package run

import (
	"context"
	"strings"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Suggestion says that a memory made of a stretch looks like another one, though not
// enough to join it (A0.1): for somebody to review.
type Suggestion struct {
	MadeID  string
	OtherID string
}

const attrOther = "of"

// Suggest is the action that keeps a suggestion.
func Suggest(label string, scope tenant.Scope, hash string, n int64, s Suggestion) store.Action {
	return store.PutItem(label, store.Item{Key: keys.RunSuggestion(scope, hash, n, s.MadeID),
		Attrs: store.Attrs{attrOther: store.S(s.OtherID)}}, nil)
}

// Suggestions lists what a stretch's consolidation suggests.
func Suggestions(ctx context.Context, s store.Store, scope tenant.Scope, hash string, n int64) ([]Suggestion, error) {
	q := store.Query{PK: keys.RunPK(scope, hash), Prefix: keys.RunSuggestionPrefix(n)}
	var out []Suggestion
	for {
		page, err := s.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			out = append(out, Suggestion{strings.TrimPrefix(item.Key.SK, q.Prefix), item.Attrs.Text(attrOther)})
		}
		if page.Cursor == "" {
			return out, nil
		}
		q.Cursor = page.Cursor
	}
}
