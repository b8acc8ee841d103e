package boltstore_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"go.etcd.io/bbolt"

	"holdfast/internal/store"
	"holdfast/internal/store/boltstore"
)

// TestDamageAnywhereNeverPanicsAndNeverLies harms a page and uses the store:
// every answer is an item as it was written, none, or an error.
func TestDamageAnywhereNeverPanicsAndNeverLies(t *testing.T) {
	file := filled(t, 2000)
	good := used(t, file)
	want := scanned(t, filepath.Dir(file))
	seen := map[string]int{}
	for seed := range uint64(damageSeeds) {
		bad := harm(rand.New(rand.NewPCG(seed, 7)), bytes.Clone(good))
		seen[useDamaged(t, bad, want)]++
	}
	t.Log(seen)
	if len(seen) < 3 {
		t.Fatalf("the damages are too much alike: %v", seen)
	}
}

const damageSeeds = 40

// used answers the part of a closed store's file that is in use.
func used(t *testing.T, file string) []byte {
	t.Helper()
	size := int64(0)
	change(t, file, func(tx *bbolt.Tx) error { size = tx.Size(); return nil })
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return raw[:size+8*4096] // the change itself took a few pages
}

// scanned reads a whole store.
func scanned(t *testing.T, folder string) map[store.Key]store.Item {
	t.Helper()
	items := map[store.Key]store.Item{}
	s, err := boltstore.Open(boltstore.Options{Path: folder})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Scan(t.Context(), func(item store.Item) error { items[item.Key] = item; return nil })
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return items
}

// harm changes one page that is in use.
func harm(random *rand.Rand, file []byte) []byte {
	const page = 4096
	last := len(file)/page - 1
	at := random.IntN(last+1) * page
	hit := file[at : at+page]
	switch random.IntN(4) {
	case 0:
		clear(hit)
	case 1:
		hit[random.IntN(page)] ^= byte(1 + random.IntN(255))
	case 2:
		for range 40 {
			hit[random.IntN(64)] = byte(random.Uint32())
		}
	default:
		copy(hit, file[random.IntN(last+1)*page:][:page])
	}
	return file
}

// useDamaged opens a damaged file, reads all of it and writes, and answers how far
// it came.
func useDamaged(t *testing.T, file []byte, want map[store.Key]store.Item) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, boltstore.FileName), file, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := boltstore.Open(boltstore.Options{Path: folder, NoSync: true})
	if err != nil {
		return mustBeCorrupt(t, "open", err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	worst := "unharmed"
	note := func(where string, err error) {
		if err != nil {
			worst = mustBeCorrupt(t, where, err)
		}
	}
	note("scan", s.Scan(t.Context(), func(item store.Item) error { return compare(want, item) }))
	for key := range want {
		item, found, err := s.Get(t.Context(), key)
		if found {
			err = compare(want, item)
		}
		note("get", err)
	}
	for p := range 3 {
		_, err := s.Query(t.Context(), store.Query{PK: fmt.Sprint("p", p), Desc: true, Limit: 100})
		note("query", err)
		_, err = s.Due(t.Context(), store.DueQuery{Shard: p, Until: noon})
		note("due", err)
	}
	for n := range 20 {
		put := store.PutItem("", row(fmt.Sprint("p", n%3), fmt.Sprintf("%08d", n*100)), nil)
		note("commit", s.Commit(t.Context(), store.Tx{Actions: []store.Action{put}}))
	}
	return worst
}

func mustBeCorrupt(t *testing.T, where string, err error) string {
	t.Helper()
	if !errors.Is(err, boltstore.ErrCorrupt) {
		t.Errorf("%s: %v", where, err)
	}
	return where
}

var errLie = errors.New("an item that nobody wrote")

func compare(want map[store.Key]store.Item, item store.Item) error {
	if !reflect.DeepEqual(want[item.Key], item) {
		return errLie
	}
	return nil
}
