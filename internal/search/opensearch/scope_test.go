package opensearch

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// source makes queries of the bytes of a fuzz input.
type source struct{ data []byte }

func (s *source) next(n int) int {
	if len(s.data) == 0 {
		return 0
	}
	b := s.data[0]
	s.data = s.data[1:]
	return int(b) % n
}

func (s *source) word() string {
	return []string{"kiln", "oven", "door", "a.b", "x,y", "%2E", ""}[s.next(7)]
}

func (s *source) filter(depth int) search.Filter {
	f := search.Filter{Field: []string{"", "status", "tag", fieldScope}[s.next(4)], Missing: s.next(3) == 0}
	for range s.next(3) {
		f.In = append(f.In, s.word())
	}
	if depth == 0 {
		return f
	}
	for range s.next(3) {
		f.All = append(f.All, s.filter(depth-1))
	}
	for range s.next(3) {
		f.Any = append(f.Any, s.filter(depth-1))
	}
	if s.next(2) == 1 {
		inner := s.filter(depth - 1)
		f.Not = &inner
	}
	return f
}

func (s *source) query() search.Query {
	q := search.Query{
		Filter: s.filter(2), Plain: s.next(2) == 1, Lexical: s.next(3), Semantic: s.next(3),
		Vector: []float32{1, 2, 3, 4}, Profile: "p-4", Text: s.word() + " " + s.word(),
	}
	if s.next(2) == 1 {
		q.Now = time.UnixMicro(1)
	}
	for range s.next(3) {
		q.Without = append(q.Without, s.word())
		q.Tallies = append(q.Tallies, search.Tally{Filter: s.filter(1), Over: s.next(2) == 1})
	}
	for range 1 + s.next(3) {
		q.Scopes = append(q.Scopes, tenant.Grant("t"+s.word(), "w"+s.word()))
	}
	return q
}

// FuzzEveryQueryHasItsScopesAndFilter: whatever is asked, each search that leaves
// is routed to the scopes' shards and holds their filter and the caller's at its
// root, or inside the knn clause that is its root.
func FuzzEveryQueryHasItsScopesAndFilter(f *testing.F) {
	f.Add([]byte(nil))
	for i := range 10 {
		f.Add(bytes.Repeat([]byte{byte(i), byte(3 * i), byte(7 * i), 1}, 12))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		q := (&source{data}).query()
		scope, err := scopedTo(q.Scopes...)
		if err != nil {
			t.Fatal(err)
		}
		answers := twice(goodFirst, lexAnswer)
		x := adapter(t, answering(func(r *http.Request, body []byte) (int, string) {
			for _, s := range searches(t, r, body) {
				s.check(t, scope, &q)
			}
			return answers(r, body)
		}))
		if _, err := x.Search(t.Context(), q); err != nil {
			t.Error(err)
		}
		if _, err := x.Count(t.Context(), q.Scopes[0]); !errors.Is(err, search.ErrUnavailable) {
			t.Errorf("one search has three answers: error %v", err)
		}
	})
}

// leaving is a search as it leaves.
type leaving struct {
	routing string
	body    map[string]any
}

func searches(t *testing.T, r *http.Request, body []byte) []leaving {
	t.Helper()
	parse := func(line []byte) map[string]any {
		var out map[string]any
		if err := json.Unmarshal(line, &out); err != nil {
			t.Error(err) // an arm asks on a goroutine of its own
		}
		return out
	}
	if strings.HasSuffix(r.URL.Path, "/_search") {
		return []leaving{{r.URL.Query().Get("routing"), parse(body)}}
	}
	var out []leaving
	lines := bytes.Split(bytes.TrimSpace(body), []byte("\n"))
	for i := 0; i < len(lines); i += 2 {
		routing, _ := parse(lines[i])["routing"].(string)
		out = append(out, leaving{routing, parse(lines[i+1])})
	}
	return out
}

func (l leaving) check(t *testing.T, scope scoped, q *search.Query) {
	t.Helper()
	count := l.routing == scopeKey(q.Scopes[0]) // of Count
	if l.routing != scope.routing() && !count || l.routing == "" {
		t.Errorf("routing %q", l.routing)
	}
	query, _ := l.body["query"].(map[string]any)
	if knn, ok := query["knn"].(map[string]any); ok {
		field, _ := knn["vectors.p-4"].(map[string]any)
		query, _ = field["filter"].(map[string]any)
	}
	boolean, _ := query["bool"].(map[string]any)
	filter, _ := boolean["filter"].([]any)
	if len(filter) == 0 || boolean["should"] != nil || boolean["must_not"] != nil {
		t.Errorf("query %v", l.body)
		return
	}
	if want := []any{scope.clause()}; !same(filter[:1], want) && !count {
		t.Errorf("scopes %v, want %v", filter[0], want)
	}
	if _, proposes := l.body["docvalue_fields"]; proposes && !same(filter[1:], allowed(q)) {
		t.Errorf("filter %v, want %v", filter[1:], allowed(q))
	}
}

// same compares two values as JSON.
func same(a, b any) bool {
	x, y := encode(a), encode(b)
	return bytes.Equal(x, y) || string(x) == "[]" && string(y) == "null"
}

// The reads of Apply are queries as well.
func TestReadsOfApplyStayInTheirScope(t *testing.T) {
	other := tenant.Grant("tenant-2", "workspace-talk")
	n := newNode()
	x := adapter(t, answering(func(r *http.Request, body []byte) (int, string) {
		if strings.HasSuffix(r.URL.Path, "/_msearch") {
			for _, s := range searches(t, r, body) {
				scope, err := scopedTo(map[string]tenant.Scope{scopeKey(talkScope): talkScope, scopeKey(other): other}[s.routing])
				if err != nil {
					t.Errorf("routing %q", s.routing)
				}
				s.check(t, scope, &search.Query{Scopes: []tenant.Scope{talkScope}})
			}
		}
		return n.answer(r, body)
	}))
	theirs := turn("1", "s", "Nora", "kiln", 1)
	theirs.Scope = other
	applied(t, x, search.Op{Document: theirs}, search.Op{Document: turn("2", "s", "Nora", "oven", 2)}, removal("3", 3))
	got := n.record(t, documentID(scopeKey(other), "1"))
	if got.Kept.Window != "" || strings.Contains(got.Passages[0].Windowed, "oven") {
		t.Errorf("record %+v", got)
	}
}

func FuzzScopesHaveKeysOfTheirOwn(f *testing.F) {
	f.Add("a.b", "c", "a", "b.c")
	f.Add("a,b", "c", "a%2Cb", "c")
	f.Add("a", "b", "a", "b")
	f.Fuzz(func(t *testing.T, t1, w1, t2, w2 string) {
		a, b := tenant.Grant(t1, w1), tenant.Grant(t2, w2)
		if (scopeKey(a) == scopeKey(b)) != (a == b) {
			t.Errorf("%q and %q", scopeKey(a), scopeKey(b))
		}
		if strings.ContainsRune(scopeKey(a), ',') || strings.Count(scopeKey(a), ".") != 1 {
			t.Errorf("key %q", scopeKey(a))
		}
		if (documentID(scopeKey(a), w2) == documentID(scopeKey(b), w1)) != (a == b && w1 == w2) {
			t.Errorf("ids of %q and %q", scopeKey(a), scopeKey(b))
		}
	})
}

func FuzzProfilesHaveFieldsOfTheirOwn(f *testing.F) {
	f.Add("static-256", "static_256")
	f.Add("amazon.titan/v2:0", "amazon_2etitan/v2:0")
	f.Fuzz(func(t *testing.T, a, b string) {
		if (fieldOf(a) == fieldOf(b)) != (a == b) {
			t.Errorf("%q and %q share %q", a, b, fieldOf(a))
		}
		if strings.ContainsAny(fieldOf(a), ".* ") {
			t.Errorf("field %q", fieldOf(a))
		}
	})
}

func FuzzWeightsReadAsWritten(f *testing.F) {
	f.Add("kiln kiln oven", "仓库 3.5 o'neil")
	f.Add(strings.Repeat("x", 500), "|# |")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, text := range chunksOf(a + " " + b) {
			if got := parseWeights(text); got.String() != text || got.sum() < len(got) {
				t.Errorf("%q became %q", text, got.String())
			}
			for field := range strings.FieldsSeq(text) {
				if len(field) > 255 || strings.Count(field, "|") != 1 {
					t.Errorf("term %q", field)
				}
			}
		}
	})
}

func TestWhatCannotBeReadWeighsNothing(t *testing.T) {
	if got := parseWeights("|3 kiln oven|x door|-1 hinge|0 smith|2"); !reflect.DeepEqual(got, weights{"smith": 2}) {
		t.Errorf("weights %v", got)
	}
}

func TestQueriesOfNoScopeAreRefused(t *testing.T) {
	x := adapter(t, answering(func(*http.Request, []byte) (int, string) {
		t.Error("a request left")
		return http.StatusOK, "{}"
	}))
	for _, scopes := range [][]tenant.Scope{nil, {{}}, {talkScope, {}}} {
		q := kilns()
		q.Scopes = scopes
		if _, err := x.Search(t.Context(), q); err != search.ErrBadRequest {
			t.Errorf("error %v", err)
		}
	}
}

func TestScopesAreSortedAndDistinct(t *testing.T) {
	s, err := scopedTo(talkScope.Own(), talkScope, talkScope.Own())
	if err != nil || !slices.Equal(s.keys, []string{"tenant-1.own", "tenant-1.workspace-talk"}) {
		t.Errorf("%q, %v", s.keys, err)
	}
	if s.routing() != "tenant-1.own,tenant-1.workspace-talk" {
		t.Errorf("routing %q", s.routing())
	}
}

func TestFiltersAreWrittenAsClauses(t *testing.T) {
	red := search.Filter{Field: "tag", In: []string{"red", "blue"}}
	for want, f := range map[string]search.Filter{
		`null`: {},
		`[{"terms":{"labels":["tag=red","tag=blue"]}}]`:                                                                 red,
		`[{"terms":{"labels":[]}}]`:                                                                                     {Field: "tag"},
		`[{"bool":{"must_not":[{"term":{"labels":"tag"}}]}}]`:                                                           {Field: "tag", Missing: true},
		`[{"bool":{"must_not":[{"match_all":{}}]}}]`:                                                                    {Not: &search.Filter{}},
		`[{"terms":{"labels":["tag=red","tag=blue"]}},{"terms":{"labels":["a=b"]}}]`:                                    {All: []search.Filter{red, {}, {Field: "a", In: []string{"b"}}}},
		`[{"bool":{"minimum_should_match":1,"should":[{"match_all":{}},{"terms":{"labels":["tag=red","tag=blue"]}}]}}]`: {Any: []search.Filter{{}, red}},
		`[{"bool":{"must_not":[{"bool":{"filter":[{"terms":{"labels":["a=b"]}},{"terms":{"labels":["c=d"]}}]}}]}}]`:     {Not: &search.Filter{All: []search.Filter{{Field: "a", In: []string{"b"}}, {Field: "c", In: []string{"d"}}}}},
		`[{"bool":{"must_not":[{"term":{"labels":"tag"}}]}},{"terms":{"labels":["tag=red"]}}]`:                          {Field: "tag", Missing: true, In: []string{"red"}},
		`[{"exists":{"field":"times.begun"}}]`:                                                                          {Time: "begun"},
		`[{"bool":{"must_not":[{"exists":{"field":"times.a_2eb"}}]}}]`:                                                  {Time: "a.b", Missing: true},
		`[{"range":{"times.begun":{"gte":1000001,"lt":2000000}}}]`:                                                      {Time: "begun", Since: time.Unix(1, 1999), Before: time.Unix(2, 999)},
		`[{"terms":{"labels":["a=b"]}},{"range":{"times.begun":{"lt":-1}}}]`:                                            {Field: "a", In: []string{"b"}, Time: "begun", Before: time.Unix(0, -1)},
	} {
		if got := string(encode(conditions(&f))); got != want {
			t.Errorf("%+v\n got %s\nwant %s", f, got, want)
		}
	}
	if got := label("tag", strings.Repeat("v", 9000)); len(got) != 33 || got[0] != '#' {
		t.Errorf("long label %q", got)
	}
}
