package wordstest

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"holdfast/internal/search/words"
	"holdfast/internal/tenant"
)

var applyCases = []testCase{
	{"AppliedDocumentsAreSearchable", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "The kiln needs a new door."))
		expect(t, x, query("kiln"), "1")
	}},
	{"NoOperationsAnswerNoErrors", func(t *testing.T, x words.Index) {
		if errs := x.Apply(t.Context(), nil); len(errs) != 0 {
			t.Errorf("got %d errors", len(errs))
		}
	}},
	{"EachOperationIsDoneOnItsOwn", func(t *testing.T, x words.Index) {
		bad := at("no/slash", doc("2", 2, "copper pipe"))
		errs := x.Apply(t.Context(), []words.Op{{Document: doc("1", 1, "copper roof")}, {Document: bad}, {Document: doc("3", 3, "copper wire")}})
		if len(errs) != 3 || errs[0] != nil || errs[1] == nil || errs[2] != nil {
			t.Fatalf("errors %v", errs)
		}
		expect(t, x, query("copper"), "3", "1")
	}},
	{"DocumentsThatNoIndexTakesAreRefused", refusedDocuments},
	{"AnUpdateReplacesTheDocument", func(t *testing.T, x words.Index) {
		put(t, x, at("a/", doc("1", 1, "The gate is green."), "old"), doc("2", 1, "other"))
		put(t, x, at("b/", doc("1", 2, "The fence is brown."), "new"))
		expect(t, x, query("gate green"))
		expect(t, x, query("fence"), "1")
		q := query("fence")
		q.Under, q.Tags = []string{"b/"}, []string{"new"}
		expect(t, x, q, "1")
		q.Tags = []string{"old"}
		expect(t, x, q)
		q.Under, q.Tags = []string{"a/"}, nil
		expect(t, x, q)
	}},
	{"ADocumentMovesToAnotherSpace", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "kiln"))
		put(t, x, in(scopeA, "shop", doc("1", 2, "kiln")))
		expect(t, x, query("kiln"))
		q := query("kiln")
		q.Space = "shop"
		expect(t, x, q, "1")
	}},
	{"AnOlderSequenceIsIgnoredAndCountsAsDone", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 5, "walnut shelf"), doc("1", 4, "oak shelf"))
		expect(t, x, query("walnut"), "1")
		expect(t, x, query("oak"))
	}},
	{"TheSameSequenceIsIgnored", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 5, "walnut shelf"))
		put(t, x, doc("1", 5, "oak shelf"))
		expect(t, x, query("walnut"), "1")
	}},
	{"AnOlderDeleteIsIgnored", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 5, "walnut shelf"))
		apply(t, x, remove("1", 4))
		expect(t, x, query("walnut"), "1")
	}},
	{"ADeleteRemovesTheDocument", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "walnut shelf"))
		apply(t, x, remove("1", 2))
		expect(t, x, query("walnut"))
		if s := ask(t, x, query("walnut")).Statistics; s.Documents != 0 || s.Length != 0 || s.DF[0] != 0 {
			t.Errorf("statistics %+v", s)
		}
	}},
	{"AnOlderUpsertAfterADeleteIsIgnored", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "walnut shelf"))
		apply(t, x, remove("1", 3))
		put(t, x, doc("1", 2, "walnut shelf"))
		expect(t, x, query("walnut"))
	}},
	{"ADeleteOfAnUnknownDocumentIsDoneAndRemembered", func(t *testing.T, x words.Index) {
		apply(t, x, remove("1", 3))
		put(t, x, doc("1", 2, "walnut shelf"))
		expect(t, x, query("walnut"))
	}},
	{"ANewerUpsertAfterADeleteCounts", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "walnut shelf"))
		apply(t, x, remove("1", 2))
		put(t, x, doc("1", 3, "walnut table"))
		expect(t, x, query("table"), "1")
	}},
	{"HasAndCountFollowTheDocuments", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "one"), in(scopeA, "shop", doc("2", 2, "two")))
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
	{"PingAnswersNil", func(t *testing.T, x words.Index) {
		if err := x.Ping(t.Context()); err != nil {
			t.Error(err)
		}
	}},
	{"ConcurrentUseIsSafe", concurrent},
}

func refusedDocuments(t *testing.T, x words.Index) {
	for name, change := range map[string]func(*words.Document){
		"no scope":          func(d *words.Document) { d.Scope = tenant.Scope{} },
		"no space":          func(d *words.Document) { d.Space = "" },
		"no id":             func(d *words.Document) { d.ID = "" },
		"a negative place":  func(d *words.Document) { d.Sequence = -1 },
		"no slash":          func(d *words.Document) { d.Path = "a" },
		"a leading slash":   func(d *words.Document) { d.Path = "/a/" },
		"an empty segment":  func(d *words.Document) { d.Path = "a//b/" },
		"the root as slash": func(d *words.Document) { d.Path = "/" },
	} {
		d := doc("1", 1, "kiln")
		change(&d)
		if errs := x.Apply(t.Context(), []words.Op{{Document: d}}); len(errs) != 1 || errs[0] == nil {
			t.Errorf("%s: %v", name, errs)
		}
	}
	expect(t, x, query("kiln"))
}

// concurrent writes, deletes and searches from several goroutines; afterwards exactly
// what was not deleted is found.
func concurrent(t *testing.T, x words.Index) {
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := range 25 {
				id := fmt.Sprintf("%d-%02d", worker, i)
				put(t, x, at("w/", doc(id, 1, "walnut shelf")), doc("x"+id, 1, "walnut"))
				apply(t, x, remove("x"+id, 2))
				ask(t, x, query("walnut shelf"))
			}
		})
	}
	group.Wait()
	q := query("walnut")
	q.Limit = 1000
	var ids []string
	for _, h := range ask(t, x, q).Hits {
		ids = append(ids, h.ID)
	}
	slices.Sort(ids)
	if len(ids) != 100 || ids[0] != "0-00" || ids[99] != "3-24" {
		t.Errorf("%d hits", len(ids))
	}
}
