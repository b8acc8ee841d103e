package app_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"holdfast/internal/app"
	"holdfast/internal/store"
)

// counted is a store that names the calls it gets.
type counted struct {
	store.Store
	mu    sync.Mutex
	calls []string
}

func (c *counted) note(call string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, call)
}

func (c *counted) Get(ctx context.Context, k store.Key) (store.Item, bool, error) {
	c.note("get " + k.SK)
	return c.Store.Get(ctx, k)
}

func (c *counted) GetMany(ctx context.Context, ks []store.Key) ([]*store.Item, error) {
	c.note(fmt.Sprint("many ", len(ks)))
	return c.Store.GetMany(ctx, ks)
}

func (c *counted) Query(ctx context.Context, q store.Query) (store.Page, error) {
	c.note("query " + q.PK[max(0, len(q.PK)-8):] + q.Prefix)
	return c.Store.Query(ctx, q)
}

func (c *counted) Commit(ctx context.Context, tx store.Tx) error {
	c.note(fmt.Sprint("commit ", len(tx.Actions)))
	return c.Store.Commit(ctx, tx)
}

// TestEachCallAsksTheTableFewTimes holds what a call costs on DynamoDB: a warm
// process, keys and workspaces known. The receipt of a retrieve and the cursor of
// an index outside the process are one call each there, which the embedded engines
// do not make.
func TestEachCallAsksTheTableFewTimes(t *testing.T) {
	c := &counted{}
	s := openOver(t, t.TempDir(), func(o *app.Options) {
		o.WrapStore = func(inner store.Store) store.Store { c.Store = inner; return c }
	}).setUp(t)
	id := s.remember(t, "one", "The warm-up is over.")
	s.retrieve(t)
	for _, step := range []struct {
		name string
		most int
		do   func()
	}{
		{"append", 3, func() { s.remember(t, "two", "The dredger works at night.") }},
		{"merging append", 4, func() { s.remember(t, "three", "the dredger works at NIGHT.") }},
		{"get", 1, func() { s.agent().do(t, "GET", "/v1/memory/"+id+"?workspaceId="+s.ws, "", 200) }},
		{"retrieve", 3, func() { s.retrieve(t) }},
	} {
		s.settle(t)
		c.calls = nil
		step.do()
		if len(c.calls) > step.most {
			t.Errorf("%s: %d calls, at most %d: %v", step.name, len(c.calls), step.most, c.calls)
		}
	}
}

func (s *service) retrieve(t testing.TB) {
	t.Helper()
	s.agent().post(t, "/v1/memory/retrieve", fmt.Sprintf(`{"workspaceId":%q,"semanticQuery":"dredger"}`, s.ws), 200)
}

func (s *service) remember(t testing.TB, key, text string) string {
	t.Helper()
	made := s.agent().once(key).post(t, "/v1/memory/append",
		fmt.Sprintf(`{"workspaceId":%q,"layer":"Workspace","type":"fact","content":%q}`, s.ws, text), 200)
	return made["id"].(string)
}
