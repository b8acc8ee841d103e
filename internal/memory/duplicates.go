package memory

import (
	"context"
	"strings"

	"holdfast/internal/store"
)

// sameWords is a live memory in a duplicate row.
type sameWords struct {
	id    string
	exact string // Hasher.exact of its text
}

// duplicateRow lists the live memories that share a duplicate key, or a claim key,
// newest last.
// There is more than one where their cosine is below the threshold or one may not
// take the other in; the oldest beyond mostSameKey are forgotten, which costs a
// merge and nothing else.
type duplicateRow struct {
	key     store.Key
	stored  string // as read; empty: there is no row
	entries []sameWords
}

const attrEntries = "e"

func readDuplicates(ctx context.Context, s store.Store, key store.Key) (*duplicateRow, error) {
	item, found, err := s.Get(ctx, key)
	if err != nil || !found {
		return &duplicateRow{key: key}, err
	}
	return decodeDuplicates(item), nil
}

func decodeDuplicates(item store.Item) *duplicateRow {
	row := &duplicateRow{key: item.Key, stored: item.Attrs.Text(attrEntries)}
	for entry := range strings.SplitSeq(row.stored, " ") {
		if id, exact, ok := strings.Cut(entry, "="); ok {
			row.entries = append(row.entries, sameWords{id, exact})
		}
	}
	return row
}

func (r *duplicateRow) encode() string {
	parts := make([]string, len(r.entries))
	for i, e := range r.entries {
		parts[i] = e.id + "=" + e.exact
	}
	return strings.Join(parts, " ")
}

func (r *duplicateRow) add(id, exact string) {
	r.remove(id)
	r.entries = append(r.entries, sameWords{id, exact})
	if over := len(r.entries) - mostSameKey; over > 0 {
		r.entries = r.entries[over:]
	}
}

func (r *duplicateRow) remove(id string) {
	kept := r.entries[:0:0]
	for _, e := range r.entries {
		if e.id != id {
			kept = append(kept, e)
		}
	}
	r.entries = kept
}

// action brings the stored row to what entries say, on condition that it is still
// as it was read; false when nothing changed.
func (r *duplicateRow) action(label string) (store.Action, bool) {
	now := r.encode()
	if now == r.stored {
		return store.Action{}, false
	}
	cond := store.IfAbsent()
	if r.stored != "" {
		cond = store.IfEqual(attrEntries, store.S(r.stored))
	}
	if now == "" {
		return store.DeleteItem(label, r.key, cond), true
	}
	item := store.Item{Key: r.key, Attrs: store.Attrs{attrEntries: store.S(now)}}
	return store.PutItem(label, item, cond), true
}
