package work_test

import (
	"bytes"
	"strings"

	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/search"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

func (w *world) cursor(s tenant.Scope) int64 {
	w.t.Helper()
	at, err := w.cursors.Cursor(w.t.Context(), s)
	if err != nil {
		w.t.Fatal(err)
	}
	return at
}

func (w *world) head(s tenant.Scope) ledger.Head {
	w.t.Helper()
	h, err := ledger.ReadHead(w.t.Context(), w.store, s)
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

func (w *world) get(key store.Key) (store.Item, bool) {
	w.t.Helper()
	item, found, err := w.store.Get(w.t.Context(), key)
	if err != nil {
		w.t.Fatal(err)
	}
	return item, found
}

func (w *world) memory(id string) *memory.Memory {
	w.t.Helper()
	m, err := memory.Head(w.t.Context(), w.store, scope, id)
	if err != nil || m == nil {
		w.t.Fatalf("head: %v, %v", m, err)
	}
	return m
}

// marked tells whether the sweep would look after the workspace's index.
func (w *world) marked() bool { _, found := w.get(keys.IndexMark(scope)); return found }

// hits are what the index knows of a text, by scope.
func (w *world) hits(text string, scopes ...tenant.Scope) map[string]search.Hit {
	w.t.Helper()
	if len(scopes) == 0 {
		scopes = []tenant.Scope{scope, scope.Own()}
	}
	vectors, err := w.model.Embedder.Embed(w.t.Context(), []string{text})
	if err != nil {
		w.t.Fatal(err)
	}
	answer, err := w.index.Search(w.t.Context(), search.Query{Scopes: scopes, Text: text, Lexical: 500,
		Semantic: 500, Vector: vectors[0], Profile: w.profile()})
	if err != nil {
		w.t.Fatal(err)
	}
	out := map[string]search.Hit{}
	for _, hit := range answer.Hits {
		out[hit.ID] = hit
	}
	return out
}

func (w *world) count(s tenant.Scope) int {
	w.t.Helper()
	n, err := w.index.Count(w.t.Context(), s)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// jobs are the open and dead jobs of the workspace, oldest first.
func (w *world) jobs() []outbox.Job { w.t.Helper(); return w.jobsOf(scope) }

func (w *world) jobsOf(s tenant.Scope) []outbox.Job {
	w.t.Helper()
	list, _, err := w.runner.List(w.t.Context(), s, "", 1000, "")
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

func (w *world) job() outbox.Job {
	w.t.Helper()
	list := w.jobs()
	if len(list) != 1 {
		w.t.Fatalf("jobs %+v, want one", list)
	}
	return list[0]
}

// rows are the log rows of the workspace.
func (w *world) rows() []ledger.Row {
	w.t.Helper()
	rows, err := ledger.Log{Store: w.store}.Rows(w.t.Context(), scope, 1, 10_000)
	if err != nil {
		w.t.Fatal(err)
	}
	return rows
}

// times counts log rows of an operation on an item.
func (w *world) times(op ledger.Op, id string) int {
	n := 0
	for _, row := range w.rows() {
		if row.Entry.Op == op && (row.Entry.ItemID == id || id == "") {
			n++
		}
	}
	return n
}

// verified holds the chain against its rows.
func (w *world) verified() {
	w.t.Helper()
	v, err := ledger.Log{Store: w.store}.Verify(w.t.Context(), scope, 1, 0)
	if err != nil || v.Break != nil {
		w.t.Errorf("chain: %+v, %v", v, err)
	}
}

// copies are the keys of all rows that hold a text anywhere.
func (w *world) copies(s store.Scanner, text string) []store.Key {
	w.t.Helper()
	var out []store.Key
	err := s.Scan(w.t.Context(), func(item store.Item) error {
		for _, v := range item.Attrs {
			if strings.Contains(v.S, text) || bytes.Contains(v.B, []byte(text)) {
				out = append(out, item.Key)
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}
