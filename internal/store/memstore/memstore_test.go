package memstore_test

import (
	"context"
	"errors"
	"testing"

	"holdfast/internal/store"
	"holdfast/internal/store/memstore"
	"holdfast/internal/store/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(testing.TB) store.Store { return memstore.New() })
}

func TestClosedOrGivenUpEveryCallFails(t *testing.T) {
	given, giveUp := context.WithCancel(t.Context())
	giveUp()
	closed := memstore.New()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		ctx  context.Context
		s    *memstore.Store
		want error
	}{
		{"closed", t.Context(), closed, store.ErrClosed},
		{"given up", given, memstore.New(), context.Canceled},
	} {
		_, _, getting := c.s.Get(c.ctx, store.Key{PK: "p", SK: "s"})
		_, gettingMany := c.s.GetMany(c.ctx, nil)
		_, querying := c.s.Query(c.ctx, store.Query{PK: "p"})
		_, due := c.s.Due(c.ctx, store.DueQuery{})
		scanning := c.s.Scan(c.ctx, func(store.Item) error { return nil })
		committing := c.s.Commit(c.ctx, store.Tx{Actions: []store.Action{store.DeleteItem("", store.Key{PK: "p", SK: "s"}, nil)}})
		for i, err := range []error{getting, gettingMany, querying, due, scanning, committing} {
			if !errors.Is(err, c.want) {
				t.Errorf("%s: call %d: %v", c.name, i, err)
			}
		}
	}
}
