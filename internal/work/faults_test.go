package work_test

import (
	"context"
	"testing"

	"holdfast/internal/clock"
	"holdfast/internal/search"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/work"
)

type (
	searchOp       = search.Op
	searchDocument = search.Document
)

// hookedStore calls before every commit.
type hookedStore struct {
	store.Store
	before func(tx store.Tx)
}

func (h *hookedStore) Commit(ctx context.Context, tx store.Tx) error {
	if h.before != nil {
		h.before(tx)
	}
	return h.Store.Commit(ctx, tx)
}

// faulty is a store whose calls fail on demand.
type faulty struct{ *faultstore.Store }

// newFaultyWorld is a world whose store fails on demand.
func newFaultyWorld(t *testing.T) (*world, faulty) {
	t.Helper()
	c := clock.NewFixed(start)
	s := faultstore.New(filled(t))
	cursors := work.TableCursors{Store: s, Consumer: "index"}
	return worldOver(t, s, c, &index{Index: memsearch.New(c)}, cursors), faulty{s}
}

// armed runs a use case with a fault at one store call and tells whether the use
// case came so far. The call takes effect, and its answer is lost, at every
// second one.
func (f faulty) armed(at int, use func()) bool {
	f.Arm(faultstore.Fault{At: (at + 1) / 2, After: at%2 == 0})
	use()
	f.Disarm()
	return f.Fired() > 0
}
