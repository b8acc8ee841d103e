package opensearch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// Answers of a domain that holds two documents, of which the semantic arm finds one.
const (
	totalsAnswer = `{"status":200,"hits":{"total":{"value":2}},"aggregations":{"chunks":{"value":2},"length":{"value":40}}}`
	dfAnswer     = `{"status":200,"aggregations":{"df":{"buckets":{"0":{"doc_count":1}}}}}`
	knnAnswer    = `{"status":200,"hits":{"hits":[{"_score":0.75,"fields":{"scope":["tenant-1.workspace-talk"],"id":["b"],"item":["of-b"],"version":[3]}}]}}`
	countsAnswer = `{"status":200,"aggregations":{"counts":{"buckets":{"0":{"doc_count":7},"1":{"doc_count":4},"unembedded":{"doc_count":3}}}}}`
	lexAnswer    = `{"hits":{"hits":[{"_score":1.5,"fields":{"scope":["tenant-1.workspace-talk"],"id":["a"],"item":["a"],"version":[2]},"matched_queries":{"cosine":0.5}},
		{"_score":1.25,"fields":{"scope":["tenant-1.workspace-talk"],"id":["b"],"item":["of-b"],"version":[3]},"matched_queries":{"cosine":0.75}}]},
		"aggregations":{"others":{"doc_count":1,"best":{"hits":{"hits":[{"_score":1.25,"fields":{"scope":["tenant-1.workspace-talk"],"id":["b"],"item":["of-b"],"version":[3]}}]}}}}}`
)

// firstAnswer joins the answers to a first request; the numbers come last.
func firstAnswer(parts ...string) string {
	return `{"responses":[` + strings.Join(append(parts, countsAnswer), ",") + `]}`
}

var goodFirst = firstAnswer(totalsAnswer, dfAnswer)

// kilns asks both arms.
func kilns() search.Query {
	return search.Query{
		Scopes: []tenant.Scope{talkScope}, Text: "kiln", Lexical: 5,
		Vector: []float32{1, 0, 0, 0}, Profile: "p-4", Semantic: 5,
	}
}

// asksNearest tells a request of the semantic arm, asksScan the one that goes through vectors.
func asksNearest(body []byte) bool {
	return asksScan(body) || strings.Contains(string(body), `"query":{"knn":`)
}
func asksScan(body []byte) bool { return strings.Contains(string(body), `"terminate_after"`) }

// twice answers the first requests and the lexical arm's.
func twice(first, second string) answering { return thrice(first, knnAnswer, second) }

// thrice answers the statistics, the semantic arm and the lexical one.
func thrice(first, near, second string) answering {
	return func(r *http.Request, body []byte) (int, string) {
		switch {
		case asksNearest(body):
			return http.StatusOK, `{"responses":[` + near + `]}`
		case strings.HasSuffix(r.URL.Path, "/_msearch"):
			return http.StatusOK, first
		}
		return http.StatusOK, second
	}
}

func describe(a search.Answer) string {
	out := []string{}
	for _, h := range a.Hits {
		out = append(out, fmt.Sprintf("%s v%d %v %v %v", h.ID, h.Version, h.Lexical, h.Semantic, h.HasVec))
	}
	return strings.Join(out, "; ")
}

func TestBothArmsTellTheirScoresOfAllHits(t *testing.T) {
	x := adapter(t, twice(goodFirst, lexAnswer))
	got, err := x.Search(t.Context(), kilns())
	if err != nil || got.LexicalErr != nil || got.SemanticErr != nil {
		t.Fatal(err, got.LexicalErr, got.SemanticErr)
	}
	if d := describe(got); d != "a v2 1.5 0 true; b v3 1.25 0.5 true" {
		t.Errorf("hits %s", d)
	}
	if len(got.Hits) != 2 || got.Hits[0].Item != "a" || got.Hits[1].Item != "of-b" {
		t.Errorf("items of %+v", got.Hits)
	}
	if got.Tallies != nil || got.Unembedded != 3 {
		t.Errorf("numbers %v, %d", got.Tallies, got.Unembedded)
	}
	if got.Stats.Documents != 2 || got.Stats.AvgLength != 2 || got.Stats.DF["kiln"] != 1 {
		t.Errorf("stats %+v", got.Stats)
	}
}

func TestASemanticHitBeyondTheLexicalOnesHasItsLexicalScore(t *testing.T) {
	second := strings.Replace(lexAnswer, `"id":["b"],"item":["of-b"],"version":[3]},"matched_queries":{"cosine":0.75}`, `"id":["c"],"item":["c"],"version":[4]},"matched_queries":{}`, 1)
	x := adapter(t, twice(goodFirst, second))
	got, err := x.Search(t.Context(), kilns())
	if err != nil || got.LexicalErr != nil {
		t.Fatal(err, got.LexicalErr)
	}
	if d := describe(got); d != "a v2 1.5 0 true; c v4 1.25 0 false; b v3 1.25 0.5 true" {
		t.Errorf("hits %s", d)
	}
}

// Each row is a domain that fails; the arms must say so, and what is left stands.
func TestFailingDomainsDegradeTheirArms(t *testing.T) {
	const throttled = `{"status":429,"error":{"type":"rejected_execution_exception","reason":"canary"}}`
	const broken = `{"status":400,"error":{"type":"parsing_exception","reason":"canary"}}`
	all := func(status int, body string) answering {
		return func(*http.Request, []byte) (int, string) { return status, body }
	}
	second := func(status int, body string) answering {
		return func(r *http.Request, asked []byte) (int, string) {
			if strings.HasSuffix(r.URL.Path, "/_msearch") {
				return twice(goodFirst, "")(r, asked)
			}
			return status, body
		}
	}
	near := func(answer string) answering { return thrice(goodFirst, answer, lexAnswer) }
	const onlySemantic = "b v3 0 0.5 true"
	const onlyLexical = "a v2 1.5 0 false; b v3 1.25 0 false"
	for _, c := range []struct {
		name              string
		domain            answering
		lexical, semantic string // parts of the errors
		hits              string
	}{
		{"429", all(429, throttled), "unavailable", "unavailable", ""},
		{"500", all(500, `{}`), "unavailable", "unavailable", ""},
		{"502 with a page", all(502, `<html>canary</html>`), "unavailable", "unavailable", ""},
		{"503", all(503, `{"error":"canary"}`), "unavailable", "unavailable", ""},
		{"504", all(504, ``), "unavailable", "unavailable", ""},
		{"403", all(403, `{"message":"canary"}`), "unavailable", "unavailable", ""},
		{"401", all(401, `canary`), "unavailable", "unavailable", ""},
		{"no index", all(404, `{"error":{"type":"index_not_found_exception"}}`), "unavailable", "unavailable", ""},
		{"400", all(400, broken), "refused", "refused", ""},
		{"no JSON", all(200, `canary`), "unavailable", "unavailable", ""},
		{"nothing", all(200, ``), "unavailable", "unavailable", ""},
		{"an array", all(200, `[]`), "unavailable", "unavailable", ""},
		{"another object", all(200, `{"canary":1}`), "unavailable", "unavailable", ""},
		{"too few answers", twice(firstAnswer(totalsAnswer), lexAnswer), "unavailable", "", onlySemantic},
		{"half an answer", all(200, goodFirst[:len(goodFirst)/2]), "unavailable", "unavailable", ""},
		{"fields of another kind", near(strings.Replace(knnAnswer, "[3]", `["canary"]`, 1)), "", "unavailable", onlyLexical},
		{"statistics throttled", twice(firstAnswer(throttled, dfAnswer), lexAnswer), "unavailable", "", onlySemantic},
		{"frequencies throttled", twice(firstAnswer(totalsAnswer, throttled), lexAnswer), "unavailable", "", onlySemantic},
		{"statistics without numbers", twice(firstAnswer(`{"status":200}`, dfAnswer), lexAnswer), "unavailable", "", onlySemantic},
		{"semantic arm throttled", near(throttled), "", "unavailable", onlyLexical},
		{"semantic arm refused", near(broken), "", "refused", onlyLexical},
		{"semantic arm too slow", near(`{"timed_out":true}`), "", "unavailable", onlyLexical},
		{"a shard of the semantic arm gone", near(`{"_shards":{"failed":1}}`), "", "unavailable", onlyLexical},
		{"lexical arm 503", second(503, ``), "unavailable", "", onlySemantic},
		{"lexical arm 400", second(400, broken), "refused", "", onlySemantic},
		{"lexical arm too slow", second(200, `{"timed_out":true}`), "unavailable", "", onlySemantic},
		{"lexical arm without the others", second(200, `{"hits":{"hits":[]}}`), "unavailable", "", onlySemantic},
		{"lexical arm cut", second(200, lexAnswer[:len(lexAnswer)-9]), "unavailable", "", onlySemantic},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := adapter(t, c.domain).Search(t.Context(), kilns())
			if err != nil {
				t.Fatal(err)
			}
			checkArm(t, got.LexicalErr, c.lexical)
			checkArm(t, got.SemanticErr, c.semantic)
			if d := describe(got); d != c.hits {
				t.Errorf("hits %q, want %q", d, c.hits)
			}
		})
	}
}

func checkArm(t *testing.T, err error, want string) {
	t.Helper()
	text := fmt.Sprint(err)
	if want == "" && err != nil || !strings.Contains(text, want) || strings.Contains(text, "canary") {
		t.Errorf("error %q, want %q", text, want)
	}
	if want != "" && errors.Is(err, search.ErrUnavailable) != (want == "unavailable") {
		t.Errorf("error %q of another kind", text)
	}
}

// The client must not try again by itself: a throttled domain gets one request an arm.
func TestNothingIsRetried(t *testing.T) {
	var asked atomic.Int32
	x := adapter(t, answering(func(*http.Request, []byte) (int, string) {
		asked.Add(1)
		return http.StatusServiceUnavailable, ""
	}))
	if _, err := x.Search(t.Context(), kilns()); err != nil || asked.Load() != 2 {
		t.Errorf("%d requests, error %v", asked.Load(), err)
	}
}

// Where no document holds a term there is nothing to ask the lexical arm.
func TestUnknownTermsAreNotAskedFor(t *testing.T) {
	x := adapter(t, twice(firstAnswer(totalsAnswer, strings.Replace(dfAnswer, `"doc_count":1`, `"doc_count":0`, 1)), "never"))
	got, err := x.Search(t.Context(), kilns())
	if err != nil || got.LexicalErr != nil || describe(got) != "b v3 0 0.5 true" {
		t.Errorf("%v, %v, hits %q", err, got.LexicalErr, describe(got))
	}
}

// Where the engine cannot count it says so, and what the arms found stands.
func TestNumbersThatDoNotComeAreTold(t *testing.T) {
	first := strings.Replace(goodFirst, countsAnswer, `{"status":429,"error":{"type":"rejected_execution_exception"}}`, 1)
	q := kilns()
	q.Tallies = make([]search.Tally, 2)
	got, err := adapter(t, twice(first, lexAnswer)).Search(t.Context(), q)
	if err != nil || got.Tallies != nil || got.LexicalErr != nil || got.SemanticErr != nil || describe(got) != "a v2 1.5 0 true; b v3 1.25 0.5 true" {
		t.Errorf("%+v, %v", got, err)
	}
	checkArm(t, got.CountErr, "unavailable")
	if got, err = adapter(t, twice(goodFirst, lexAnswer)).Search(t.Context(), q); err != nil || !slices.Equal(got.Tallies, []int{7, 4}) || got.CountErr != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

// Both arms in two rounds: the statistics and the semantic arm, then the lexical one.
func TestASearchIsThreeRequests(t *testing.T) {
	var asked atomic.Int32
	inner := twice(goodFirst, lexAnswer)
	x := adapter(t, answering(func(r *http.Request, body []byte) (int, string) {
		asked.Add(1)
		return inner(r, body)
	}))
	if _, err := x.Search(t.Context(), kilns()); err != nil || asked.Load() != 3 {
		t.Errorf("%d requests, error %v", asked.Load(), err)
	}
}

// A domain that is slow in the second request costs the lexical arm alone once the
// caller's deadline has passed.
func TestASlowLexicalArmIsDegradedByTheDeadline(t *testing.T) {
	deadline := make(chan struct{})
	slow := roundTrip(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(r.URL.Path, "/_msearch") {
			return answering(func(r *http.Request, _ []byte) (int, string) { return twice(goodFirst, "")(r, body) }).RoundTrip(r)
		}
		close(deadline)
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	x := adapter(t, slow)
	got, err := x.Search(passing{t.Context(), deadline}, kilns())
	if err != nil || !errors.Is(got.LexicalErr, search.ErrUnavailable) || got.SemanticErr != nil || describe(got) != "b v3 0 0.5 true" {
		t.Errorf("%v, arms %v %v, hits %q", err, got.LexicalErr, got.SemanticErr, describe(got))
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// passing is a context whose deadline passes when the channel is closed.
type passing struct {
	context.Context
	passed chan struct{}
}

// Done is closed with the channel.
func (c passing) Done() <-chan struct{} { return c.passed }

// Err tells a deadline that has passed.
func (c passing) Err() error {
	select {
	case <-c.passed:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestACancelledCallerGetsHisError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	x := adapter(t, answering(func(*http.Request, []byte) (int, string) {
		cancel()
		return http.StatusOK, goodFirst
	}))
	if _, err := x.Search(ctx, kilns()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Over a real connection: bodies that end before their length, and such without end.
func TestCutAndEndlessBodiesAreErrors(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"responses":[`)) // the client sees what becomes of it
		},
		"gone": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"endless": func(w http.ResponseWriter, _ *http.Request) {
			blank := []byte(strings.Repeat(" ", 1<<20))
			for {
				if _, err := w.Write(blank); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(handler)
			defer server.Close()
			x := adapter(t, nil, func(c *Config) { c.URL, c.most = server.URL, 1<<20 })
			got, err := x.Search(t.Context(), kilns())
			if err != nil || !errors.Is(got.LexicalErr, search.ErrUnavailable) || !errors.Is(got.SemanticErr, search.ErrUnavailable) {
				t.Errorf("%v, arms %v %v", err, got.LexicalErr, got.SemanticErr)
			}
			if errs := x.Apply(t.Context(), upserts(turn("1", "", "", "kiln", 1))); !errors.Is(errs[0], search.ErrUnavailable) {
				t.Errorf("apply: %v", errs[0])
			}
		})
	}
}

func TestHitsOfOtherScopesOrWithoutAnIDAreLeftOut(t *testing.T) {
	foreign := strings.ReplaceAll(knnAnswer, "workspace-talk", "workspace-other")
	x := adapter(t, thrice(goodFirst, foreign, strings.ReplaceAll(lexAnswer, `"id":["a"],"item":["a"],`, "")))
	got, err := x.Search(t.Context(), kilns())
	if err != nil || describe(got) != "b v3 1.25 0.5 true" {
		t.Errorf("%v, hits %q", err, describe(got))
	}
}

func TestHasReadsTheDocumentItself(t *testing.T) {
	for answer, want := range map[string]string{
		`{"docs":[{"found":true}]}`:                                 "true <nil>",
		`{"docs":[{"found":false}]}`:                                "false <nil>",
		`{"docs":[{"error":{"type":"index_not_found_exception"}}]}`: "false search: index unavailable: search/opensearch: refused with status 500 index_not_found_exception",
		`{}`: "false search: index unavailable: the answer cannot be read",
	} {
		var asked struct {
			Docs []map[string]any `json:"docs"`
		}
		x := adapter(t, answering(func(r *http.Request, body []byte) (int, string) {
			if err := json.Unmarshal(body, &asked); err != nil || r.URL.Path != "/mem-v4/_mget" {
				t.Errorf("%s: %v", r.URL.Path, err)
			}
			return http.StatusOK, answer
		}))
		has, err := x.Has(t.Context(), talkScope, "a/b?")
		if got := fmt.Sprint(has, " ", err); got != want {
			t.Errorf("%s: %s", answer, got)
		}
		if d := asked.Docs[0]; d["_id"] != "tenant-1.workspace-talk.a/b?" || d["routing"] != "tenant-1.workspace-talk" {
			t.Errorf("asked %v", d)
		}
	}
}

// Whoever counts requests, pays for them or grants rights to them knows them all.
func TestNothingIsAskedBesideWhatCallersAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		x := adapter(t, answering(func(*http.Request, []byte) (int, string) {
			asked++
			return http.StatusOK, `{"status":"green"}`
		}))
		<-time.After(time.Hour)
		if err := x.Ping(t.Context()); err != nil || asked != 1 {
			t.Errorf("%d requests, %v", asked, err)
		}
		<-time.After(time.Hour)
		if asked != 1 {
			t.Errorf("%d requests", asked)
		}
	})
}

func TestPingAsksForTheIndex(t *testing.T) {
	for answer, good := range map[string]bool{
		`{"status":"green"}`: true, `{"status":"yellow","timed_out":false}`: true,
		`{"status":"red"}`: false, `{"status":"yellow","timed_out":true}`: false, `{}`: false,
	} {
		x := adapter(t, answering(func(*http.Request, []byte) (int, string) { return http.StatusOK, answer }))
		err := x.Ping(t.Context())
		if (err == nil) != good || err != nil && !errors.Is(err, search.ErrUnavailable) {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

func TestCountAndItsFailures(t *testing.T) {
	x := adapter(t, answering(func(*http.Request, []byte) (int, string) {
		return http.StatusOK, `{"responses":[` + totalsAnswer + `]}`
	}))
	if n, err := x.Count(t.Context(), talkScope); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := x.Count(t.Context(), tenant.Scope{}); !errors.Is(err, search.ErrBadRequest) {
		t.Errorf("error %v", err)
	}
	down := adapter(t, answering(func(*http.Request, []byte) (int, string) { return http.StatusOK, `{"responses":[{"status":503}]}` }))
	if _, err := down.Count(t.Context(), talkScope); !errors.Is(err, search.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
}
