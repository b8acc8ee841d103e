package opensearch

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/search/words"
	"holdfast/internal/tenant"
)

// wordsAdapter makes one over a double.
func wordsAdapter(t *testing.T, answer answering) *Words {
	t.Helper()
	x, err := NewWords(Config{URL: "http://domain.example", Transport: &inTurn{domain: answer}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

func wordsQuery(text string) words.Query {
	return words.Query{Scope: talkScope, Space: "desk", Under: []string{""}, Words: words.Terms(text), Limit: 5}
}

const counted = `{"responses":[{"status":200,"hits":{"total":{"value":10}},"aggregations":{"length":{"value":50},"counts":{"buckets":{"0":{"doc_count":2}}}}}]}`

// answeringWords answers the two requests of a search.
func answeringWords(statistics, hits string) answering {
	return func(r *http.Request, _ []byte) (int, string) {
		if strings.HasSuffix(r.URL.Path, "_msearch") {
			return http.StatusOK, statistics
		}
		return http.StatusOK, hits
	}
}

func TestWordsHitsAreScoredHere(t *testing.T) {
	scorer := words.NewScorer([]string{"kiln"}, words.Statistics{Documents: 10, Length: 50, DF: []int{2}})
	hits := fmt.Sprintf(`{"hits":{"hits":[{"_score":%d,"fields":{"id":["m_1"],"length":[7]}}]}}`, scorer.Raw(0))
	got, err := wordsAdapter(t, answeringWords(counted, hits)).Search(t.Context(), wordsQuery("kiln"))
	want, _ := scorer.Of(scorer.Raw(0), 7)
	if err != nil || len(got.Hits) != 1 || got.Hits[0] != (words.Hit{ID: "m_1", Matched: 1, Score: want}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWordsAnswersThatCannotBeTrustedAreErrors(t *testing.T) {
	empty := `{"hits":{"hits":[]}}`
	for name, c := range map[string]struct{ statistics, hits string }{
		"no statistics":         {`{}`, empty},
		"a failed search":       {`{"responses":[{"status":503,"error":{"type":"x"}}]}`, empty},
		"statistics in part":    {`{"responses":[{"status":200,"_shards":{"failed":1}}]}`, empty},
		"no length":             {`{"responses":[{"status":200,"hits":{"total":{"value":1}},"aggregations":{"counts":{"buckets":{}}}}]}`, empty},
		"no counts":             {`{"responses":[{"status":200,"hits":{"total":{"value":1}},"aggregations":{"length":{"value":1}}}]}`, empty},
		"hits that time out":    {counted, `{"timed_out":true,"hits":{"hits":[]}}`},
		"hits of a part":        {counted, `{"_shards":{"failed":2},"hits":{"hits":[]}}`},
		"a hit without an id":   {counted, `{"hits":{"hits":[{"_score":1,"fields":{"length":[1]}}]}}`},
		"a hit without length":  {counted, `{"hits":{"hits":[{"_score":1,"fields":{"id":["a"]}}]}}`},
		"an answer cut short":   {counted[:30], empty},
		"hits that are no JSON": {counted, `<html>`},
	} {
		_, err := wordsAdapter(t, answeringWords(c.statistics, c.hits)).Search(t.Context(), wordsQuery("kiln"))
		if !errors.Is(err, words.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWordsErrorsRepeatNothingThatWasAsked(t *testing.T) {
	x := wordsAdapter(t, func(_ *http.Request, body []byte) (int, string) {
		return http.StatusBadRequest, string(encode(object{"error": object{"type": "parsing_exception", "reason": string(body)}}))
	})
	_, err := x.Search(t.Context(), wordsQuery("kilnword"))
	errs := x.Apply(t.Context(), []words.Op{{Document: words.Document{Scope: talkScope, Space: "desk", ID: "m_1", Text: "kilnword"}}})
	for _, err := range append(errs, err) {
		if err == nil || strings.Contains(err.Error(), "kiln") || strings.Contains(err.Error(), "desk") {
			t.Errorf("%v", err)
		}
	}
}

// Whatever a query says, each of its two searches names scope, space and reach, and its
// words stand as values of prefix clauses only.
func FuzzWordsQueriesNeverLeaveTheirSpace(f *testing.F) {
	f.Add("kiln", "desk", "a/", "users/", "red")
	f.Add(`"}}]} or *:*`, `x"`, "users/anna/", "", `"`)
	f.Fuzz(func(t *testing.T, word, space, under, out, tag string) {
		q := words.Query{Scope: talkScope, Space: space, Under: []string{under, ""}, Not: []string{out}, Tags: []string{tag}, Words: []string{word}, Limit: 3}
		if q.Check() != nil || out == "" {
			return
		}
		asked := 0
		x := wordsAdapter(t, func(r *http.Request, body []byte) (int, string) {
			asked++
			lines := strings.Split(strings.TrimSpace(string(body)), "\n")
			var parsed struct {
				Query struct {
					Bool struct{ Filter []map[string]any }
				}
			}
			decode([]byte(lines[len(lines)-1]), &parsed)
			filter := parsed.Query.Bool.Filter
			if len(filter) < 3 || fmt.Sprint(filter[0]) != fmt.Sprintf("map[terms:map[scope:[%s]]]", scopeKey(talkScope)) ||
				!strings.HasPrefix(fmt.Sprint(filter[1]), "map[term:map[space:") || filter[2]["bool"] == nil {
				t.Errorf("filter %v", filter)
			}
			return answeringWords(counted, `{"hits":{"hits":[]}}`)(r, body)
		})
		if _, err := x.Search(t.Context(), q); err != nil || asked != 2 {
			t.Errorf("%v after %d requests", err, asked)
		}
	})
}

func TestWordsAreWrittenWithTheirVersion(t *testing.T) {
	n := newNode()
	x := wordsAdapter(t, n.answer)
	put := func(id string, sequence int64, remove bool) words.Op {
		return words.Op{Delete: remove, Document: words.Document{Scope: talkScope, Space: "desk", ID: id, Sequence: sequence, Path: "a/b/", Text: "kiln kiln"}}
	}
	for i, err := range x.Apply(t.Context(), []words.Op{put("m_1", 5, false), put("m_1", 7, false), put("m_2", 4, true), put("m_1", 6, true)}) {
		if err != nil {
			t.Errorf("operation %d: %v", i, err)
		}
	}
	d := n.docs[documentID(scopeKey(talkScope), "m_1")]
	if d == nil || d.version != 7 || string(d.source["folders"]) != `["a/","a/b/"]` || string(d.source["length"]) != "2" {
		t.Fatalf("%+v", d)
	}
	if n.requests = nil; x.Apply(t.Context(), []words.Op{put("m_1", 3, false)})[0] != nil || !slices.Equal(n.requests, []string{"_bulk", "_refresh"}) {
		t.Errorf("an older operation: %q", n.requests)
	}
	if d.version != 7 {
		t.Errorf("version %d", d.version)
	}
}

func TestWordsFailuresAreThoseOfTheirOperations(t *testing.T) {
	n := newNode()
	n.fail = func(_, id string) int {
		if strings.HasSuffix(id, "m_2") {
			return http.StatusTooManyRequests
		}
		return 0
	}
	x := wordsAdapter(t, n.answer)
	ops := make([]words.Op, 4)
	for i := range ops {
		ops[i].Document = words.Document{Scope: talkScope, Space: "desk", ID: fmt.Sprint("m_", min(i, 2)), Sequence: int64(i), Text: strings.Repeat("kiln ", 300_000)}
	}
	ops[0].Document.ID = strings.Repeat("x", maxID)
	errs := x.Apply(t.Context(), ops)
	if !errors.Is(errs[0], words.ErrBadRequest) || errs[1] != nil || !errors.Is(errs[2], words.ErrUnavailable) || !errors.Is(errs[3], words.ErrUnavailable) {
		t.Errorf("%v", errs)
	}
	for _, answer := range []string{`{"items":[]}`, `{`, ``} {
		broken := wordsAdapter(t, func(*http.Request, []byte) (int, string) { return http.StatusOK, answer })
		if errs := broken.Apply(t.Context(), ops[1:2]); !errors.Is(errs[0], words.ErrUnavailable) {
			t.Errorf("answer %q: %v", answer, errs)
		}
	}
}

func TestWordsLayoutIsChecked(t *testing.T) {
	mapping := `{"facts-v1":{"mappings":{"_meta":{"layout":1,"of":"words"}}}}`
	var puts []string
	x := wordsAdapter(t, func(r *http.Request, body []byte) (int, string) {
		if r.Method == http.MethodPut {
			puts = append(puts, r.URL.Path)
			if !strings.Contains(string(body), `"dynamic":"strict"`) {
				t.Errorf("%s is not strict", r.URL.Path)
			}
			return http.StatusBadRequest, `{"error":{"type":"resource_already_exists_exception"}}`
		}
		return http.StatusOK, mapping
	})
	if err := x.Check(t.Context()); err != nil {
		t.Error(err)
	}
	for _, other := range []string{`{"facts-v1":{"mappings":{"_meta":{"layout":2,"of":"words"}}}}`, `{"facts-v1":{"mappings":{"_meta":{"layout":1}}}}`, `{}`} {
		mapping = other
		if err := x.Check(t.Context()); !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: %v", other, err)
		}
	}
	if err := x.Ensure(t.Context()); err == nil || !slices.Equal(puts, []string{"/_index_template/facts"}) {
		t.Errorf("%v after %q", err, puts)
	}
	if x.index != "facts-v1" || x.alias != "facts" {
		t.Errorf("%s, %s", x.index, x.alias)
	}
}

func TestWordsNeedAScope(t *testing.T) {
	x := wordsAdapter(t, func(*http.Request, []byte) (int, string) { return http.StatusOK, "{}" })
	q := wordsQuery("kiln")
	q.Scope = tenant.Scope{}
	if _, err := x.Search(t.Context(), q); !errors.Is(err, words.ErrBadRequest) {
		t.Errorf("%v", err)
	}
	q = wordsQuery("kiln")
	q.Under = nil
	if answer, err := x.Search(t.Context(), q); err != nil || len(answer.Hits) != 0 {
		t.Errorf("%+v, %v", answer, err)
	}
}
