// Package searchtest shows the contract of the search port for an adapter, one
// subtest a sentence, each on a fresh index. Expected numbers come from a naive
// evaluation of the formulas over all documents (Reference), not from an index.
//
// It imports testing and may be used by tests only.
package searchtest

import (
	"errors"
	"slices"
	"testing"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// Factory answers a fresh, empty index. It registers what has to be cleaned up.
type Factory func(t *testing.T) search.Index

// Exception names a subtest that an adapter cannot hold, and why.
type Exception struct {
	Test, Reason string
}

// Run runs the suite. A subtest with an exception is left out and its reason is
// logged; an exception for a subtest that does not exist fails.
func Run(t *testing.T, fresh Factory, exceptions ...Exception) {
	t.Helper()
	cases := slices.Concat(applyCases, scopeCases, filterCases, lexicalCases, semanticCases, numberCases, timeCases, answerCases, relevanceCases, badInputCases)
	for _, e := range exceptions {
		if !slices.ContainsFunc(cases, func(c testCase) bool { return c.name == e.Test }) {
			t.Errorf("exception for unknown test %q", e.Test)
		}
	}
	for _, c := range cases {
		i := slices.IndexFunc(exceptions, func(e Exception) bool { return e.Test == c.name })
		if i >= 0 {
			t.Logf("%s: declared exception: %s", c.name, exceptions[i].Reason)
			continue
		}
		t.Run(c.name, func(t *testing.T) { c.run(t, fresh(t)) })
	}
}

type testCase struct {
	name string
	run  func(t *testing.T, x search.Index)
}

// Scopes of the suite: two workspaces of one tenant and one of another.
var (
	scopeA = tenant.Grant("tenant-1", "workspace-a")
	scopeB = tenant.Grant("tenant-1", "workspace-b")
	scopeC = tenant.Grant("tenant-2", "workspace-a")
)

const profile = "suite-4-v1"

// doc makes a document of scope A.
func doc(id string, sequence int64, text string) search.Document {
	return search.Document{Scope: scopeA, ID: id, Version: 1, Sequence: sequence, Text: text}
}

// said makes a document of a session.
func said(id, session, speaker, text string) search.Document {
	return search.Document{Scope: scopeA, ID: id, Version: 1, Sequence: 1, Text: text, Speaker: speaker, Session: session}
}

// put applies documents and fails on any error.
func put(t *testing.T, x search.Index, docs ...search.Document) {
	t.Helper()
	ops := make([]search.Op, len(docs))
	for i, d := range docs {
		ops[i] = search.Op{Document: d}
	}
	apply(t, x, ops...)
}

func apply(t *testing.T, x search.Index, ops ...search.Op) {
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

func remove(id string, sequence int64) search.Op {
	return search.Op{Delete: true, Document: search.Document{Scope: scopeA, ID: id, Sequence: sequence}}
}

// ask searches and fails on any error.
func ask(t *testing.T, x search.Index, q search.Query) search.Answer {
	t.Helper()
	if q.Scopes == nil {
		q.Scopes = []tenant.Scope{scopeA}
	}
	answer, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("search: %v", err)
	}
	if err := errors.Join(answer.LexicalErr, answer.SemanticErr, answer.CountErr); err != nil {
		t.Fatalf("answer: %v", err)
	}
	return answer
}

// words asks the lexical arm of scope A.
func words(t *testing.T, x search.Index, text string) []search.Hit {
	t.Helper()
	return ask(t, x, search.Query{Text: text, Lexical: 100}).Hits
}

func idsOf(hits []search.Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}

// expect compares the ids of hits in order.
func expect(t *testing.T, hits []search.Hit, want ...string) {
	t.Helper()
	if want == nil {
		want = []string{}
	}
	if got := idsOf(hits); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// expectSet compares the ids of hits in any order.
func expectSet(t *testing.T, hits []search.Hit, want ...string) {
	t.Helper()
	got := idsOf(hits)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
