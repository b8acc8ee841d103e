package fact

import (
	"context"
	"reflect"
	"strings"

	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// sound holds every row of the workspace against the package's invariants: a live fact
// is in its lists with the very attributes and in no other; versions are without a gap;
// counts of memories, of users' folders and of the workspace are right.
func (w *world) sound() {
	w.t.Helper()
	rows := w.rows()
	want := map[store.Key]store.Item{}
	spaces, users := map[string]int64{}, map[store.Key][2]int64{}
	var items, bytes int64
	for key, item := range rows {
		if key.SK != keys.HeadSK || !strings.Contains(key.PK, keys.FactInfix) {
			continue
		}
		f, err := Decode(item)
		if err != nil {
			w.t.Fatal(err)
		}
		if f.Deleted {
			w.soundTombstone(rows, f)
			continue
		}
		for place, row := range f.places(scope) {
			want[place] = row
		}
		w.soundVersions(rows, f)
		if w.counts(rows, f, users) {
			items, bytes, spaces[f.Space] = items+1, bytes+f.Bytes, spaces[f.Space]+1
		}
	}
	w.soundLists(rows, want)
	w.soundCounts(rows, spaces, users)
	head, err := ledger.ReadHead(context.Background(), w.Store, scope)
	if err != nil || head.Items != items || head.Bytes != bytes {
		w.t.Errorf("counted %d items of %d bytes, there are %d of %d (%v)", head.Items, head.Bytes, items, bytes, err)
	}
	if v, err := (ledger.Log{Store: w.Store}).Verify(context.Background(), scope, 0, 0); err != nil || v.Break != nil {
		w.t.Errorf("log: %+v, %v", v, err)
	}
}

func (w *world) rows() map[store.Key]store.Item {
	w.t.Helper()
	out := map[store.Key]store.Item{}
	err := w.Store.(store.Scanner).Scan(context.Background(), func(item store.Item) error { out[item.Key] = item; return nil })
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// counts tells whether a live fact is one that counts, and counts it in its user's folder.
func (w *world) counts(rows map[store.Key]store.Item, f *Fact, users map[store.Key][2]int64) bool {
	user := f.User()
	if (user == "") != (f.Generation == 0) {
		w.t.Errorf("%s at %s is of generation %d", f.ID, f.Path, f.Generation)
	}
	if user == "" {
		return true
	}
	hash, err := w.userHash(context.Background(), scope, user)
	if err != nil {
		w.t.Fatal(err)
	}
	key := keys.FactUser(scope, f.Space, hash)
	if rows[key].Attrs.Int(attrFolder) != f.Generation {
		return false // erased; on its way out
	}
	n := users[key]
	users[key] = [2]int64{n[0] + 1, n[1] + f.Bytes}
	return true
}

func (w *world) soundTombstone(rows map[store.Key]store.Item, f *Fact) {
	w.t.Helper()
	if f.Text != "" || f.Salt != nil || f.Path.String() != "" || f.Tags != nil || f.Space == "" || f.UpdatedAt.IsZero() {
		w.t.Errorf("tombstone %+v", f)
	}
}

func (w *world) soundVersions(rows map[store.Key]store.Item, f *Fact) {
	w.t.Helper()
	size := f.size()
	for n := int64(1); n < f.Version; n++ {
		item, there := rows[keys.FactVersion(scope, f.ID, n)]
		e, err := decodeVersion(item)
		if !there || err != nil || e.Version != n {
			w.t.Errorf("%s: version %d is %+v, %v", f.ID, n, e, err)
		}
		size += e.size()
	}
	if _, more := rows[keys.FactVersion(scope, f.ID, f.Version)]; more || size != f.Bytes {
		w.t.Errorf("%s: %d bytes of versions, counted %d; a row of the current: %v", f.ID, size, f.Bytes, more)
	}
}

// soundLists holds lists both ways: no row is missing, none is left over.
func (w *world) soundLists(rows, want map[store.Key]store.Item) {
	w.t.Helper()
	for key, item := range want {
		if !reflect.DeepEqual(rows[key].Attrs, item.Attrs) {
			w.t.Errorf("row %s / %s: %v, want %v", key.PK, key.SK, rows[key].Attrs, item.Attrs)
		}
	}
	for key := range rows {
		if _, wanted := want[key]; strings.Contains(key.PK, "#FL#") && !wanted {
			w.t.Errorf("left over: %s / %s", key.PK, key.SK)
		}
	}
}

func (w *world) soundCounts(rows map[store.Key]store.Item, spaces map[string]int64, users map[store.Key][2]int64) {
	w.t.Helper()
	counted := map[string]int64{}
	for key, item := range rows {
		if _, space, ok := strings.Cut(key.PK, "#FC#"); ok {
			counted[space] += item.Attrs.Int(attrFacts)
		}
		if strings.Contains(key.PK, "#FU#") {
			if got := [2]int64{item.Attrs.Int(attrFacts), item.Attrs.Int(attrBytes)}; got != users[key] {
				w.t.Errorf("folder %s counts %v, there are %v", key.SK, got, users[key])
			}
			delete(users, key)
		}
	}
	if len(users) > 0 {
		w.t.Errorf("folders without a row: %v", users)
	}
	for space, n := range spaces {
		if counted[space] != n {
			w.t.Errorf("memory %s counts %d facts, there are %d", space, counted[space], n)
		}
		delete(counted, space)
	}
	for space, n := range counted {
		if n != 0 {
			w.t.Errorf("memory %s counts %d facts, there is none", space, n)
		}
	}
}
