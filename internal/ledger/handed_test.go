package ledger_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/memstore"
)

// sealEach appends n seals of one receipt each, a minute apart, that hand out an item.
func sealEach(t *testing.T, s store.Store, source *ids.Source, n int, item string) (made []string) {
	t.Helper()
	for i := range n {
		head, err := ledger.ReadHead(t.Context(), s, scope)
		if err != nil {
			t.Fatal(err)
		}
		when := at.Add(time.Duration(head.Sequence) * time.Minute)
		r := ledger.Receipt{ID: source.New(), Kind: ledger.RetrieveReceipt, Family: "memory", At: when,
			Items: []ledger.Item{{ID: "other"}, {ID: item}}}
		op := fmt.Sprint("seal", head.Sequence, "-", i)
		actions, entry, err := ledger.SealOf(t.Context(), s, scope, op, []ledger.Receipt{r})
		if err != nil {
			t.Fatal(err)
		}
		next := head
		row, err := next.Append(scope, ledger.Row{OperationID: op, Kind: ledger.WriteReceipt, At: when, Entry: *entry})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Commit(t.Context(), store.Tx{Actions: append(actions, row, head.Moved("head", scope, next))}); err != nil {
			t.Fatal(err)
		}
		made = append(made, r.ID)
	}
	return made
}

func TestR080ReadsThatHandedAnItemOutAreFoundNewestFirstWithinBounds(t *testing.T) {
	s := memstore.New()
	source := ids.NewSource(func() time.Time { return at }, nil)
	one := sealEach(t, s, source, 3, "m") // rows 1 to 3
	grow(t, s, 1200)                      // to 1203
	two := sealEach(t, s, source, 4, "m") // to 1207
	all := append(one, two...)
	for _, c := range []struct {
		since  int64
		most   int
		want   int
		bounds bool
	}{{0, 100, 7, false}, {1, 100, 7, false}, {2, 100, 6, false}, {4, 100, 4, false}, {1206, 100, 2, false},
		{0, 2, 2, true}, {0, 5, 5, true}, {1204, 4, 4, false}, {5000, 10, 0, false}} {
		h := ledger.Hunt{Kind: ledger.RetrieveReceipt, ItemID: "m", Since: c.since, Most: c.most}
		found, from, err := ledger.Receipts{Store: s}.Handed(t.Context(), scope, h)
		if err != nil || len(found) != c.want || from.IsZero() == c.bounds {
			t.Fatalf("%+v: %d found from %v, %v", c, len(found), from, err)
		}
		for i, f := range found {
			if f.ReceiptID != all[len(all)-1-i] || f.Rank != 2 || f.At.IsZero() || f.Score != nil {
				t.Errorf("%+v: found %+v at %d", c, f, i)
			}
		}
		if c.bounds && !from.Equal(found[len(found)-1].At) {
			t.Errorf("%+v: from %v, the last is of %v", c, from, found[len(found)-1].At)
		}
	}
	for _, h := range []ledger.Hunt{{Kind: ledger.RetrieveReceipt, ItemID: "none", Most: 9}, {Kind: ledger.SearchReceipt, ItemID: "m", Most: 9}} {
		if found, _, err := (ledger.Receipts{Store: s}).Handed(t.Context(), scope, h); err != nil || len(found) != 0 {
			t.Errorf("%+v: %v, %v", h, found, err)
		}
	}
}

func TestR080TheLogIsHuntedThroughToABound(t *testing.T) {
	s := memstore.New()
	sealEach(t, s, ids.NewSource(func() time.Time { return at }, nil), 1, "m")
	grow(t, s, 20_000)
	h := ledger.Hunt{Kind: ledger.RetrieveReceipt, ItemID: "m", Most: 9}
	if found, from, err := (ledger.Receipts{Store: s}).Handed(t.Context(), scope, h); err != nil || len(found) != 0 || from.IsZero() {
		t.Errorf("%v from %v, %v", found, from, err)
	}
}

func TestR080AHuntThatFailsSaysSo(t *testing.T) {
	raw := memstore.New()
	sealEach(t, raw, ids.NewSource(func() time.Time { return at }, nil), 2, "m")
	h := ledger.Hunt{Kind: ledger.RetrieveReceipt, ItemID: "m", Most: 9}
	s := faultstore.New(raw)
	for n := 1; ; n++ {
		s.Arm(faultstore.Fault{At: n})
		_, _, err := ledger.Receipts{Store: s}.Handed(context.Background(), scope, h)
		if s.Fired() == 0 {
			break
		}
		if err == nil {
			t.Errorf("call %d: no error", n)
		}
		s.Disarm()
	}
	overwrite(t, raw, 2, func(item store.Item) *store.Item {
		item.Attrs["d"] = store.B([]byte("{"))
		return &item
	})
	if _, _, err := (ledger.Receipts{Store: raw}).Handed(t.Context(), scope, h); err == nil || errs.KindOf(err) == errs.NotFound {
		t.Errorf("a damaged row: %v", err)
	}
}
