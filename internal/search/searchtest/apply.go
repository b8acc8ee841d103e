package searchtest

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

var applyCases = []testCase{
	{"AppliedDocumentsAreSearchable", func(t *testing.T, x search.Index) {
		put(t, x, doc("1", 1, "The kiln needs a new door."))
		expect(t, words(t, x, "kiln door"), "1")
	}},
	{"NoOperationsAnswerNoErrors", func(t *testing.T, x search.Index) {
		if errs := x.Apply(t.Context(), nil); len(errs) != 0 {
			t.Errorf("got %d errors", len(errs))
		}
	}},
	{"EachOperationIsDoneOnItsOwn", func(t *testing.T, x search.Index) {
		good, bad := doc("1", 1, "copper roof"), doc("2", 2, "copper pipe")
		good.Vector, good.Profile = []float32{1, 0, 0, 0}, profile
		bad.Vector, bad.Profile = []float32{1, 0}, profile
		last := doc("3", 3, "copper wire")
		errs := x.Apply(t.Context(), []search.Op{{Document: good}, {Document: bad}, {Document: last}})
		if len(errs) != 3 || errs[0] != nil || errs[1] == nil || errs[2] != nil {
			t.Fatalf("errors %v", errs)
		}
		expectSet(t, words(t, x, "copper"), "1", "3")
	}},
	{"AnUpdateReplacesTheDocument", func(t *testing.T, x search.Index) {
		put(t, x, doc("1", 1, "The gate is green."))
		next := doc("1", 2, "The fence is brown.")
		next.Version = 2
		put(t, x, next)
		expect(t, words(t, x, "gate green"))
		hits := words(t, x, "fence")
		expect(t, hits, "1")
		if len(hits) == 1 && hits[0].Version != 2 {
			t.Errorf("version %d", hits[0].Version)
		}
	}},
	{"AnOlderSequenceIsIgnoredAndCountsAsDone", func(t *testing.T, x search.Index) {
		put(t, x, doc("1", 5, "walnut shelf"), doc("1", 4, "oak shelf"))
		expect(t, words(t, x, "walnut"), "1")
		expect(t, words(t, x, "oak"))
	}},
	{"TheSameSequenceIsIgnored", func(t *testing.T, x search.Index) {
		put(t, x, doc("1", 5, "walnut shelf"), doc("1", 5, "oak shelf"))
		expect(t, words(t, x, "walnut"), "1")
	}},
	{"AnOlderDeleteIsIgnored", func(t *testing.T, x search.Index) {
		put(t, x, doc("1", 5, "walnut shelf"))
		apply(t, x, remove("1", 4))
		expect(t, words(t, x, "walnut"), "1")
	}},
	{"ADeleteRemovesTheDocument", func(t *testing.T, x search.Index) {
		d := doc("1", 1, "walnut shelf")
		d.Vector, d.Profile = []float32{1, 0, 0, 0}, profile
		put(t, x, d)
		apply(t, x, remove("1", 2))
		answer := ask(t, x, search.Query{Text: "walnut", Lexical: 5, Vector: d.Vector, Profile: profile, Semantic: 5})
		expect(t, answer.Hits)
		if answer.Stats.Documents != 0 || answer.Stats.DF["walnut"] != 0 {
			t.Errorf("stats %+v", answer.Stats)
		}
	}},
	{"AnOlderUpsertAfterADeleteIsIgnored", func(t *testing.T, x search.Index) {
		put(t, x, doc("1", 1, "walnut shelf"))
		apply(t, x, remove("1", 3))
		put(t, x, doc("1", 2, "walnut shelf"))
		expect(t, words(t, x, "walnut"))
	}},
	{"ADeleteOfAnUnknownDocumentIsDoneAndRemembered", func(t *testing.T, x search.Index) {
		apply(t, x, remove("1", 3))
		put(t, x, doc("1", 2, "walnut shelf"))
		expect(t, words(t, x, "walnut"))
	}},
	{"ANewerUpsertAfterADeleteCounts", func(t *testing.T, x search.Index) {
		put(t, x, doc("1", 1, "walnut shelf"))
		apply(t, x, remove("1", 2))
		put(t, x, doc("1", 3, "walnut table"))
		expect(t, words(t, x, "table"), "1")
	}},
	{"HasAndCountFollowTheDocuments", func(t *testing.T, x search.Index) {
		put(t, x, doc("1", 1, "one"), doc("2", 2, "two"))
		apply(t, x, remove("1", 3))
		for id, want := range map[string]bool{"1": false, "2": true, "3": false} {
			if has, err := x.Has(t.Context(), scopeA, id); err != nil || has != want {
				t.Errorf("Has %q: %v, %v", id, has, err)
			}
		}
		for scope, want := range map[tenant.Scope]int{scopeA: 1, scopeB: 0} {
			if n, err := x.Count(t.Context(), scope); err != nil || n != want {
				t.Errorf("count %d, %v; want %d", n, err, want)
			}
		}
	}},
	{"PingAnswersNil", func(t *testing.T, x search.Index) {
		if err := x.Ping(t.Context()); err != nil {
			t.Error(err)
		}
	}},
	{"ConcurrentUseIsSafe", concurrent},
}

// concurrent writes, deletes and searches from several goroutines; afterwards
// exactly what was not deleted is found.
func concurrent(t *testing.T, x search.Index) {
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := range 25 {
				id := fmt.Sprintf("%d-%02d", worker, i)
				d := said(id, "s", "Nora", "walnut shelf "+id)
				apply(t, x, search.Op{Document: d}, search.Op{Document: doc("x"+id, 1, "walnut")})
				apply(t, x, remove("x"+id, 2))
				ask(t, x, search.Query{Text: "walnut shelf", Lexical: 3})
			}
		})
	}
	group.Wait()
	hits := ask(t, x, search.Query{Text: "walnut", Lexical: 1000}).Hits
	ids := idsOf(hits)
	slices.Sort(ids)
	if len(ids) != 100 || ids[0] != "0-00" || ids[99] != "3-24" {
		t.Errorf("%d hits", len(ids))
	}
}
