package storetest

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/memstore"
)

// liar is a store that is wrong in one way.
type liar struct {
	store.Store
	commit func(store.Tx) store.Tx
	page   func(store.Page) store.Page
}

func (l liar) Commit(ctx context.Context, tx store.Tx) error {
	if l.commit != nil {
		tx = l.commit(tx)
	}
	return l.Store.Commit(ctx, tx)
}

func (l liar) Query(ctx context.Context, q store.Query) (store.Page, error) {
	page, err := l.Store.Query(ctx, q)
	if l.page != nil {
		page = l.page(page)
	}
	return page, err
}

// eachAction changes the actions of a commit.
func eachAction(change func(*store.Action)) func(store.Tx) store.Tx {
	return func(tx store.Tx) store.Tx {
		for i := range tx.Actions {
			change(&tx.Actions[i])
		}
		return tx
	}
}

func TestAgreeFindsEveryLie(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	program := make([]byte, 20_000)
	for i := range program {
		program[i] = byte(random.Uint32())
	}
	if err := Agree(t.Context(), memstore.New(), memstore.New(), program); err != nil {
		t.Fatal(err)
	}
	for name, lie := range map[string]liar{
		"conditions are not looked at": {commit: eachAction(func(a *store.Action) {
			if a.Verb != store.Check {
				a.If = nil
			}
		})},
		"labels are lost":      {commit: eachAction(func(a *store.Action) { a.Label = "" })},
		"nothing is due":       {commit: eachAction(func(a *store.Action) { a.Item.Due = nil })},
		"nothing expires":      {commit: eachAction(func(a *store.Action) { a.Item.Expires = time.Time{} })},
		"the last is left out": {page: func(p store.Page) store.Page { p.Items = p.Items[:max(0, len(p.Items)-1)]; return p }},
		"there is one page":    {page: func(p store.Page) store.Page { p.Cursor = ""; return p }},
	} {
		lie.Store = memstore.New()
		if err := Agree(t.Context(), lie, memstore.New(), program); err == nil {
			t.Errorf("not found: %s", name)
		}
	}
}
