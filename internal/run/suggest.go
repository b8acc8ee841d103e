package run

import (
	"context"
	"fmt"
	"strconv"
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
	Cosine  float64 // of the two texts, when the suggestion was made
	// EpisodeID is the episode made with MadeID, which tells of the suggestion.
	EpisodeID string
}

const (
	attrOther   = "of"
	attrCosine  = "c" // as text: numbers are whole
	attrEpisode = "ep"
)

// names are the memories that have a part in it.
func (s Suggestion) names() []string { return []string{s.MadeID, s.OtherID, s.EpisodeID} }

// Suggest are the actions that keep a suggestion: its row, and one at every memory that
// has a part in it, so that an erasure of any of them finds it.
func Suggest(scope tenant.Scope, hash string, n int64, s Suggestion) []store.Action {
	out := []store.Action{store.PutItem("suggestion", store.Item{Key: keys.RunSuggestion(scope, hash, n, s.MadeID), Attrs: store.Attrs{
		attrOther: store.S(s.OtherID), attrCosine: store.S(strconv.FormatFloat(s.Cosine, 'g', -1, 64)), attrEpisode: store.S(s.EpisodeID),
	}}, nil)}
	for _, id := range s.names() {
		out = append(out, store.PutItem("suggested "+id, store.Item{Key: keys.Suggested(scope, id, hash, n, s.MadeID), Attrs: store.Attrs{}}, nil))
	}
	return out
}

func decodeSuggestion(item store.Item) (Suggestion, error) {
	cosine, err := strconv.ParseFloat(item.Attrs.Text(attrCosine), 64)
	if err != nil {
		return Suggestion{}, fmt.Errorf("run: stored suggestion: %w", err)
	}
	return Suggestion{MadeID: item.Key.SK[strings.LastIndex(item.Key.SK, "#")+1:], OtherID: item.Attrs.Text(attrOther),
		Cosine: cosine, EpisodeID: item.Attrs.Text(attrEpisode)}, nil
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
			one, err := decodeSuggestion(item)
			if err != nil {
				return nil, err
			}
			out = append(out, one)
		}
		if page.Cursor == "" {
			return out, nil
		}
		q.Cursor = page.Cursor
	}
}

// Suggested answers the suggestions that rows of keys.Suggested of one memory lead to, in
// their order; nil where one is gone.
func Suggested(ctx context.Context, s store.Store, rows []store.Key) ([]*Suggestion, error) {
	out := make([]*Suggestion, len(rows))
	for from := 0; from < len(rows); from += store.MaxGetMany {
		some := rows[from:min(from+store.MaxGetMany, len(rows))]
		at := make([]store.Key, len(some))
		for i, row := range some {
			at[i], _, _ = keys.SuggestionOf(row)
		}
		items, err := s.GetMany(ctx, at)
		if err != nil {
			return nil, err
		}
		for i, item := range items {
			if item == nil {
				continue
			}
			one, err := decodeSuggestion(*item)
			if err != nil {
				return nil, err
			}
			out[from+i] = &one
		}
	}
	return out, nil
}

// Unsuggest are the actions that drop a suggestion which a row of keys.Suggested leads
// to, at every memory that has a part in it. one is the suggestion; nil: it is gone.
func Unsuggest(row store.Key, one *Suggestion) []store.Action {
	suggestion, at, ok := keys.SuggestionOf(row)
	if !ok || one == nil {
		return []store.Action{store.DeleteItem("suggested", row, nil)}
	}
	out := []store.Action{store.DeleteItem("suggestion", suggestion, nil)}
	for _, id := range one.names() {
		out = append(out, store.DeleteItem("suggested "+id, at(id), nil))
	}
	return out
}
