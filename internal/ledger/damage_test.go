package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
)

// harmed is a store with damaged items, as the port describes it.
type harmed struct {
	store.Store
	items []store.Key
}

func (h harmed) met(keys ...store.Key) error {
	if slices.ContainsFunc(keys, func(k store.Key) bool { return slices.Contains(h.items, k) }) {
		return fmt.Errorf("item checksum: %w", store.ErrDamaged)
	}
	return nil
}

func (h harmed) Get(ctx context.Context, key store.Key) (store.Item, bool, error) {
	if err := h.met(key); err != nil {
		return store.Item{}, false, err
	}
	return h.Store.Get(ctx, key)
}

func (h harmed) GetMany(ctx context.Context, keys []store.Key) ([]*store.Item, error) {
	if err := h.met(keys...); err != nil {
		return nil, err
	}
	return h.Store.GetMany(ctx, keys)
}

func (h harmed) Query(ctx context.Context, q store.Query) (store.Page, error) {
	page, err := h.Store.Query(ctx, q)
	for _, item := range page.Items {
		if err := h.met(item.Key); err != nil {
			return store.Page{}, err
		}
	}
	return page, err
}

func TestT18ADamagedRowIsABreakAndNoFailure(t *testing.T) {
	s := memstore.New()
	grow(t, s, 1203)
	for _, c := range []struct {
		name              string
		damaged           store.Key
		from, to          int64
		sequence, checked int64 // sequence 0: no break
	}{
		{"the first", keys.Log(scope, 1), 0, 0, 1, 1},
		{"in the middle", keys.Log(scope, 707), 0, 0, 707, 707},
		{"the last", keys.Log(scope, 1203), 0, 0, 1203, 1203},
		{"the last of a bucket", keys.Log(scope, 999), 700, 0, 999, 300},
		{"behind the part", keys.Log(scope, 707), 1, 706, 0, 706},
		{"in front of the part", keys.Log(scope, 707), 709, 0, 0, 495},
		{"just before the part", keys.Log(scope, 707), 708, 0, 707, 0},
		{"the head", keys.Head(scope), 5, 9, 5, 0},
	} {
		v := verify(t, harmed{s, []store.Key{c.damaged}}, c.from, c.to)
		if v.Checked != c.checked || (v.Break == nil) != (c.sequence == 0) {
			t.Errorf("%s: %d rows, break %+v", c.name, v.Checked, v.Break)
		} else if v.Break != nil && *v.Break != (ledger.Break{Sequence: c.sequence, Reason: "damaged"}) {
			t.Errorf("%s: break %+v", c.name, v.Break)
		}
	}
}

// TestT18AnEarlierBreakCountsBeforeDamage has both within one page.
func TestT18AnEarlierBreakCountsBeforeDamage(t *testing.T) {
	s := memstore.New()
	grow(t, s, 12)
	overwrite(t, s, 4, func(item store.Item) *store.Item {
		item.Attrs["h"] = store.B(make([]byte, 32))
		return &item
	})
	bad := harmed{s, []store.Key{keys.Log(scope, 7)}}
	if v := verify(t, bad, 0, 0); v.Break == nil || *v.Break != (ledger.Break{Sequence: 4, Reason: "hash"}) {
		t.Errorf("break %+v", v.Break)
	}
	overwrite(t, s, 3, func(store.Item) *store.Item { return nil })
	if v := verify(t, bad, 0, 0); v.Break == nil || *v.Break != (ledger.Break{Sequence: 3, Reason: "missing"}) {
		t.Errorf("break %+v", v.Break)
	}
}

func TestT41ADamagedReceiptIsToldAndNoInternalError(t *testing.T) {
	s := memstore.New()
	grow(t, s, 3)
	id := ids.NewSource(nowAt, nil).New()
	key := keys.Receipt(scope, at, id)
	if err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("", store.Item{Key: key}, nil)}}); err != nil {
		t.Fatal(err)
	}
	receipts := ledger.Receipts{Store: harmed{s, []store.Key{key, keys.Log(scope, 2)}}, Journal: &pendings{}}
	_, _, getting := receipts.Get(t.Context(), scope, id)
	_, _, listing := receipts.List(t.Context(), scope, "", 10, ledger.Position{})
	for i, err := range []error{getting, listing} {
		if e := errs.As(err); !errs.Is(err, errs.Unprocessable) || e.Code != "DAMAGED" || !errors.Is(err, store.ErrDamaged) {
			t.Errorf("call %d: %v", i, err)
		}
	}
}

func nowAt() time.Time { return at }
