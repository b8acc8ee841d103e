// Package wordstest shows the contract of the index of words for an adapter, one
// subtest a sentence, each on a fresh index. Expected scores come from a naive
// evaluation of the formula over all documents (Reference), not from an index.
//
// It imports testing and may be used by tests only.
package wordstest

import (
	"slices"
	"testing"
	"time"

	"holdfast/internal/search/words"
	"holdfast/internal/tenant"
)

// Factory answers a fresh, empty index. It registers what has to be cleaned up.
type Factory func(t *testing.T) words.Index

// Run runs the suite.
func Run(t *testing.T, fresh Factory) {
	t.Helper()
	for _, c := range slices.Concat(applyCases, matchCases, reachCases, scoreCases, answerCases) {
		t.Run(c.name, func(t *testing.T) { c.run(t, fresh(t)) })
	}
}

type testCase struct {
	name string
	run  func(t *testing.T, x words.Index)
}

// Scopes of the suite: two workspaces of one tenant and one of another.
var (
	scopeA = tenant.Grant("tenant-1", "workspace-a")
	scopeB = tenant.Grant("tenant-1", "workspace-b")
	scopeC = tenant.Grant("tenant-2", "workspace-a")
)

// space is the memory that documents are in unless they say otherwise.
const space = "desk"

var epoch = time.Date(2031, 4, 5, 6, 7, 8, 0, time.UTC)

// doc makes a document of scope A at the root, updated as its sequence says.
func doc(id string, sequence int64, text string) words.Document {
	return words.Document{Scope: scopeA, Space: space, ID: id, Sequence: sequence, Text: text,
		Updated: epoch.Add(time.Duration(sequence) * time.Second)}
}

// at puts a document into a folder.
func at(path string, d words.Document, tags ...string) words.Document {
	d.Path, d.Tags = path, tags
	return d
}

// in puts a document into another scope and space.
func in(scope tenant.Scope, memory string, d words.Document) words.Document {
	d.Scope, d.Space = scope, memory
	return d
}

// put applies documents and fails on any error.
func put(t *testing.T, x words.Index, docs ...words.Document) {
	t.Helper()
	ops := make([]words.Op, len(docs))
	for i, d := range docs {
		ops[i] = words.Op{Document: d}
	}
	apply(t, x, ops...)
}

func apply(t *testing.T, x words.Index, ops ...words.Op) {
	t.Helper()
	errs := x.Apply(t.Context(), ops)
	if len(errs) != len(ops) {
		t.Fatalf("%d operations answered %d errors", len(ops), len(errs))
	}
	for i, err := range errs {
		if err != nil {
			t.Fatalf("operation %d: %v", i, err)
		}
	}
}

func remove(id string, sequence int64) words.Op {
	return words.Op{Delete: true, Document: words.Document{Scope: scopeA, ID: id, Sequence: sequence}}
}

// query asks for words everywhere in the space of scope A.
func query(text string) words.Query {
	return words.Query{Scope: scopeA, Space: space, Under: []string{""}, Words: words.Terms(text), Limit: 100}
}

// ask searches and fails on any error.
func ask(t *testing.T, x words.Index, q words.Query) words.Answer {
	t.Helper()
	answer, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("search: %v", err)
	}
	return answer
}

// expect compares the ids of a query's hits, in order.
func expect(t *testing.T, x words.Index, q words.Query, want ...string) {
	t.Helper()
	got := []string{}
	for _, h := range ask(t, x, q).Hits {
		got = append(got, h.ID)
	}
	if !slices.Equal(got, want) && len(got)+len(want) > 0 {
		t.Errorf("%q under %q: got %q, want %q", q.Words, q.Under, got, want)
	}
}
