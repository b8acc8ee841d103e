// Package storetest is the conformance suite of the store port: one subtest for
// every sentence of package store's comment, each on a store of its own, and a
// differential run of random operations on two adapters (Agree). It may import
// store and testing.
package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/store"
)

// Factory makes an empty store and cleans up after the test.
type Factory func(t testing.TB) store.Store

// Exception says that an adapter does not keep a sentence, and why.
type Exception struct {
	Sentence string
	Reason   string
}

// clause shows that an adapter keeps one sentence of the contract.
type clause struct {
	sentence string
	show     func(t *testing.T, s *subject)
}

// entries are the entry points in the order of Run.
var entries = []struct {
	name    string
	run     func(*testing.T, Factory, ...Exception)
	clauses func() []clause
}{
	{"Basics", Basics, basics},
	{"Paging", Paging, paging},
	{"Commit", Commit, commits},
	{"Concurrency", Concurrency, concurrency},
	{"DueIndex", DueIndex, dueIndex},
	{"Damage", Damage, damage},
	{"Scan", Scan, scans},
}

// Run shows the whole contract. An exception that names no sentence is an error,
// so that a list of exceptions cannot outlive its reasons.
func Run(t *testing.T, factory Factory, exceptions ...Exception) {
	if err := known(exceptions); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Run(e.name, func(t *testing.T) { e.run(t, factory, exceptions...) })
	}
}

// Basics shows items and reads by key.
func Basics(t *testing.T, f Factory, x ...Exception) { runClauses(t, f, basics(), x) }

// Paging shows queries.
func Paging(t *testing.T, f Factory, x ...Exception) { runClauses(t, f, paging(), x) }

// Commit shows transactions.
func Commit(t *testing.T, f Factory, x ...Exception) { runClauses(t, f, commits(), x) }

// Concurrency shows what holds between callers.
func Concurrency(t *testing.T, f Factory, x ...Exception) { runClauses(t, f, concurrency(), x) }

// DueIndex shows the due index.
func DueIndex(t *testing.T, f Factory, x ...Exception) { runClauses(t, f, dueIndex(), x) }

// Scan shows scans, of an adapter that is a store.Scanner.
func Scan(t *testing.T, f Factory, x ...Exception) { runClauses(t, f, scans(), x) }

// Damage shows what becomes of damaged items, of an adapter that is a Damager.
func Damage(t *testing.T, f Factory, x ...Exception) { runClauses(t, f, damage(), x) }

func runClauses(t *testing.T, factory Factory, clauses []clause, exceptions []Exception) {
	t.Helper()
	for _, c := range clauses {
		i := slices.IndexFunc(exceptions, func(x Exception) bool { return x.Sentence == c.sentence })
		if i >= 0 {
			t.Logf("not kept: %s (%s)", c.sentence, exceptions[i].Reason)
			continue
		}
		t.Run(c.sentence, func(t *testing.T) { c.show(t, &subject{t: t, Store: factory(t)}) })
	}
}

func known(exceptions []Exception) error {
	for _, x := range exceptions {
		if !slices.Contains(Sentences(), x.Sentence) || strings.TrimSpace(x.Reason) == "" {
			return fmt.Errorf("exception without a sentence of the contract or without a reason: %q", x.Sentence)
		}
	}
	return nil
}

// Sentences answers every sentence that the suite shows.
func Sentences() []string {
	var all []string
	for _, e := range entries {
		for _, c := range e.clauses() {
			all = append(all, c.sentence)
		}
	}
	return all
}
