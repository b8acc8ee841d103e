package ledger_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

var (
	at    = time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	scope = tenant.Grant("01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002")
)

// grow appends rows to a log, each in a commit of its own.
func grow(t *testing.T, s store.Store, n int) {
	t.Helper()
	head, err := ledger.ReadHead(t.Context(), s, scope)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		next := head
		row := ledger.Row{OperationID: fmt.Sprintf("op%d", i), Kind: ledger.WriteReceipt, At: at,
			Entry: ledger.Entry{Op: ledger.Create, Family: "memory", ItemID: fmt.Sprintf("m%d", i), Version: 1,
				Commitment: ledger.Commit([]byte("salt"), []byte("text")), Recall: true}}
		action, err := next.Append(scope, row)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{action, head.Moved("head", scope, next)}}); err != nil {
			t.Fatal(err)
		}
		head = next
	}
}

func verify(t *testing.T, s store.Store, from, to int64) ledger.Verdict {
	t.Helper()
	v, err := ledger.Log{Store: s}.Verify(t.Context(), scope, from, to)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestT48VerifyBoundsAreInclusive(t *testing.T) {
	s := memstore.New()
	grow(t, s, 2345) // more than two buckets and several pages
	for _, c := range []struct{ from, to, checked int64 }{
		{0, 0, 2345}, {1, 2345, 2345}, {3, 5, 3}, {999, 1001, 3}, {1000, 1000, 1}, {2345, 9999, 1}, {2346, 0, 0},
	} {
		if v := verify(t, s, c.from, c.to); v.Break != nil || v.Checked != c.checked {
			t.Errorf("%d to %d: %d rows, break %+v; want %d", c.from, c.to, v.Checked, v.Break, c.checked)
		}
	}
}

// overwrite replaces a stored row as somebody with access to the table could.
func overwrite(t *testing.T, s store.Store, seq int64, change func(store.Item) *store.Item) {
	t.Helper()
	item, found, err := s.Get(t.Context(), keys.Log(scope, seq))
	if err != nil || !found {
		t.Fatal("no row", err)
	}
	action := store.DeleteItem("", item.Key, nil)
	if next := change(item); next != nil {
		action = store.PutItem("", *next, nil)
	}
	if err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{action}}); err != nil {
		t.Fatal(err)
	}
}

func TestT18VerifyFindsTheFirstBreak(t *testing.T) {
	edited := func(item store.Item) *store.Item {
		item.Attrs["d"] = store.B(bytes.Replace(item.Attrs.Bytes("d"), []byte(`"op":"create"`), []byte(`"op":"delete"`), 1))
		return &item
	}
	moved := func(item store.Item) *store.Item { // another's hash
		item.Attrs["h"] = store.B(bytes.Repeat([]byte{7}, 32))
		return &item
	}
	for _, c := range []struct {
		name   string
		change func(store.Item) *store.Item
		seq    int64
		reason string
	}{
		{"a row was edited", edited, 7, "hash"},
		{"a hash was changed", moved, 7, "hash"},
		{"a row was removed", func(store.Item) *store.Item { return nil }, 7, "missing"},
		{"the last row was removed", func(store.Item) *store.Item { return nil }, 12, "missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := memstore.New()
			grow(t, s, 12)
			overwrite(t, s, c.seq, c.change)
			v := verify(t, s, 0, 0)
			if v.Break == nil || v.Break.Sequence != c.seq || v.Break.Reason != c.reason {
				t.Fatalf("break %+v, want %d %s", v.Break, c.seq, c.reason)
			}
			if v := verify(t, s, 1, c.seq-1); v.Break != nil {
				t.Fatalf("before it: %+v", v.Break)
			}
		})
	}
}

func TestT18ARewrittenTailDoesNotFitTheHead(t *testing.T) {
	s, other := memstore.New(), memstore.New()
	grow(t, s, 5)
	grow(t, other, 4)
	forged := ledger.Row{Sequence: 5, OperationID: "forged", At: at, Entry: ledger.Entry{Op: ledger.Delete, ItemID: "m4"}}
	before, _, err := ledger.Log{Store: s}.Row(t.Context(), scope, 4)
	if err != nil {
		t.Fatal(err)
	}
	item, _, err := forged.Item(scope, before.Hash)
	if err != nil {
		t.Fatal(err)
	}
	overwrite(t, s, 5, func(store.Item) *store.Item { return &item })
	if v := verify(t, s, 0, 0); v.Break == nil || v.Break.Reason != "head" {
		t.Fatalf("break %+v, want head", v.Break)
	}
}

func TestT18NoRowVerifiesInAnotherWorkspace(t *testing.T) {
	row := ledger.Row{Sequence: 1, At: at, Entry: ledger.Entry{Op: ledger.Create, ItemID: "m"}}
	_, here, err := row.Item(scope, ledger.Genesis())
	_, there, err2 := row.Item(scope.Sibling("01890000-0000-7000-8000-000000000003"), ledger.Genesis())
	if err != nil || err2 != nil || bytes.Equal(here, there) {
		t.Fatalf("the same hash in two workspaces (%v, %v)", err, err2)
	}
}

func TestT18RowsBeforeWalksBackOverBuckets(t *testing.T) {
	s := memstore.New()
	grow(t, s, 2100)
	rows, err := ledger.Log{Store: s}.RowsBefore(t.Context(), scope, 2100, 2000)
	if err != nil || len(rows) != 2000 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows {
		if row.Sequence != int64(2100-i) {
			t.Fatalf("row %d has sequence %d", i, row.Sequence)
		}
	}
	all, err := ledger.Log{Store: s}.RowsBefore(t.Context(), scope, 50, 1000)
	if err != nil || len(all) != 50 {
		t.Fatalf("%d rows to the start, %v", len(all), err)
	}
}

// pendings is a journal in memory.
type pendings struct {
	scope    tenant.Scope
	receipts []ledger.Receipt
}

func (p *pendings) Append(_ context.Context, scope tenant.Scope, r ledger.Receipt) error {
	p.scope, p.receipts = scope, append(p.receipts, r)
	return nil
}

func (p *pendings) Find(_ context.Context, scope tenant.Scope, id string) (ledger.Receipt, bool, error) {
	for _, r := range p.receipts {
		if r.ID == id && scope == p.scope {
			return r, true, nil
		}
	}
	return ledger.Receipt{}, false, nil
}

func (p *pendings) Unsealed(context.Context, map[tenant.Scope]bool) ([]ledger.Batch, error) {
	var found ledger.Gather
	for _, r := range p.receipts {
		found.Add(p.scope, r)
	}
	return found.Batches(), nil
}

func (p *pendings) Sealed(_ context.Context, _ tenant.Scope, ids []string) error {
	p.receipts = p.receipts[len(ids):]
	return nil
}

// seal seals receipts by hand, as the worker does through a commit.
func seal(t *testing.T, s store.Store, op string, receipts []ledger.Receipt) *ledger.Entry {
	t.Helper()
	actions, entry, err := ledger.SealOf(t.Context(), s, scope, op, receipts)
	if err != nil {
		t.Fatal(err)
	}
	if entry == nil {
		return nil
	}
	head, err := ledger.ReadHead(t.Context(), s, scope)
	if err != nil {
		t.Fatal(err)
	}
	next := head
	action, err := next.Append(scope, ledger.Row{OperationID: op, Kind: ledger.WriteReceipt, At: at, Entry: *entry})
	if err != nil {
		t.Fatal(err)
	}
	record := ledger.Operation{ID: op, Sequence: next.Sequence, Rows: 1, At: at}
	actions = append(actions, action, head.Moved("head", scope, next), record.Put("op", scope))
	if err := s.Commit(t.Context(), store.Tx{Actions: actions}); err != nil {
		t.Fatal(err)
	}
	return entry
}

func receipts(n int) []ledger.Receipt {
	source := ids.NewSource(func() time.Time { return at }, nil)
	var out []ledger.Receipt
	for range n {
		score := 0.5
		out = append(out, ledger.Receipt{ID: source.New(), Kind: ledger.RetrieveReceipt, Family: "memory", At: at,
			Actor: ledger.Actor{KeyID: "k", Kind: "agent"}, RequestHash: "h",
			Items: []ledger.Item{{ID: "m", Version: 2, Score: &score}}})
	}
	return out
}

func TestT41AReceiptIsTheSameBeforeAndAfterItsSeal(t *testing.T) {
	s, j := memstore.New(), &pendings{}
	grow(t, s, 3)
	made := receipts(3)
	for _, r := range made {
		if err := j.Append(t.Context(), scope, r); err != nil {
			t.Fatal(err)
		}
	}
	all := ledger.Receipts{Store: s, Journal: j}
	before, found, err := all.Get(t.Context(), scope, made[1].ID)
	if err != nil || !found || before.Sequence != 0 || before.Hash != nil {
		t.Fatalf("before: %+v %v %v", before, found, err)
	}
	seal(t, s, "seal", made)
	after, found, err := all.Get(t.Context(), scope, made[1].ID)
	if err != nil || !found || after.Sequence != 4 || len(after.Hash) != 32 || len(after.Previous) != 32 {
		t.Fatalf("after: %+v %v %v", after, found, err)
	}
	after.Sequence, after.Hash, after.Previous = 0, nil, nil
	one, err1 := json.Marshal(before)
	two, err2 := json.Marshal(after)
	if err := errors.Join(err1, err2); err != nil || !bytes.Equal(one, two) {
		t.Fatalf("changed:\n%s\n%s\n%v", one, two, err)
	}
	if v := verify(t, s, 0, 0); v.Break != nil || v.Checked != 4 {
		t.Fatalf("chain %+v", v)
	}
	if _, found, _ := all.Get(t.Context(), scope.Sibling("01890000-0000-7000-8000-000000000009"), made[1].ID); found {
		t.Fatal("found in another workspace")
	}
}

func TestT19SealingTwiceAfterACrashSealsOnce(t *testing.T) {
	s := memstore.New()
	made := receipts(5)
	seal(t, s, "one", made[:3])
	if entry := seal(t, s, "two", made); entry == nil || len(entry.Sealed) != 2 {
		t.Fatalf("second seal %+v, want the two new ones", entry)
	}
	if entry := seal(t, s, "three", made); entry != nil {
		t.Fatalf("third seal %+v, want none", entry)
	}
}

func TestT19AChangedOrLostReceiptBreaksTheChain(t *testing.T) {
	for _, lose := range []bool{false, true} {
		s := memstore.New()
		made := receipts(2)
		seal(t, s, "seal", made)
		key := keys.Receipt(scope, at, made[0].ID)
		item, _, err := s.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		action := store.DeleteItem("", key, nil)
		if !lose {
			item.Attrs["d"] = store.B(bytes.Replace(item.Attrs.Bytes("d"), []byte(`"version":2`), []byte(`"version":3`), 1))
			action = store.PutItem("", item, nil)
		}
		if err := s.Commit(context.Background(), store.Tx{Actions: []store.Action{action}}); err != nil {
			t.Fatal(err)
		}
		if v := verify(t, s, 0, 0); v.Break == nil || v.Break.Reason != "receipts" {
			t.Fatalf("lost %v: %+v", lose, v.Break)
		}
	}
}

func TestT41ListPagesNeitherSkipNorRepeat(t *testing.T) {
	s, j := memstore.New(), &pendings{}
	made := receipts(9)
	seal(t, s, "a", made[:4])
	grow(t, s, 3)
	seal(t, s, "b", made[4:])
	all := ledger.Receipts{Store: s, Journal: j}
	for limit := 1; limit <= 10; limit++ {
		seen := map[string]bool{}
		next := &ledger.Position{}
		for next != nil {
			var page []ledger.Receipt
			var err error
			if page, next, err = all.List(t.Context(), scope, ledger.RetrieveReceipt, limit, *next); err != nil || len(page) > limit {
				t.Fatalf("limit %d: %d receipts, %v", limit, len(page), err)
			}
			for _, r := range page {
				if seen[r.ID] || r.Kind != ledger.RetrieveReceipt {
					t.Fatalf("limit %d: %s again, or kind %s", limit, r.ID, r.Kind)
				}
				seen[r.ID] = true
			}
		}
		if len(seen) != len(made) {
			t.Fatalf("limit %d: %d receipts, want %d", limit, len(seen), len(made))
		}
	}
}

func FuzzRowCodec(f *testing.F) {
	f.Add("op", "create", "memory", "m1", int64(3), []byte("c"), "key")
	f.Fuzz(func(t *testing.T, op, verb, family, item string, version int64, commitment []byte, key string) {
		if !utf8.ValidString(strings.Join([]string{op, verb, family, item, key}, " ")) {
			return // ids, names and codes are ours: always UTF-8
		}
		row := ledger.Row{Sequence: 9, OperationID: op, At: at, Actor: ledger.Actor{KeyID: key},
			Entry: ledger.Entry{Op: ledger.Op(verb), Family: family, ItemID: item, Version: version, Commitment: commitment}}
		stored, hash, err := row.Item(scope, ledger.Genesis())
		if err != nil {
			t.Fatal(err)
		}
		back, err := ledger.RowFromItem(stored)
		if err != nil || !bytes.Equal(back.Hash, hash) {
			t.Fatalf("%v", err)
		}
		again, hash2, err := back.Item(scope, ledger.Genesis())
		if err != nil || !bytes.Equal(hash, hash2) || !bytes.Equal(again.Attrs.Bytes("d"), stored.Attrs.Bytes("d")) {
			t.Fatalf("not canonical: %v", err)
		}
	})
}
