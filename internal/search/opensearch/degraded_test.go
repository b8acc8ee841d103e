package opensearch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/internal/search"
)

// hanging answers as the domain does, but for the semantic arm, which never answers.
func hanging(domain answering, lexical *[]byte) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		if asksNearest(body) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}
		if strings.HasSuffix(r.URL.Path, "/_search") {
			*lexical = body
		}
		return answering(func(r *http.Request, _ []byte) (int, string) { return domain(r, body) }).RoundTrip(r)
	}
}

// Vectors that are away hold the lexical arm back for the time of the semantic one, or
// half of what the caller has left; it is then asked without anything that reads them.
func TestASlowSemanticArmLeavesTheLexicalOne(t *testing.T) {
	for name, c := range map[string]struct{ deadline, want time.Duration }{
		"its own time": {time.Minute, 300 * time.Millisecond}, "a near deadline": {200 * time.Millisecond, 100 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var lexical []byte
				x := adapter(t, hanging(twice(goodFirst, lexAnswer), &lexical), func(c *Config) { c.Nearest = 300 * time.Millisecond })
				ctx, cancel := context.WithTimeout(t.Context(), c.deadline)
				defer cancel()
				begun := time.Now()
				got, err := x.Search(ctx, kilns())
				if took := time.Since(begun); err != nil || took != c.want {
					t.Errorf("%v after %v", err, took)
				}
				checkArm(t, got.SemanticErr, "unavailable")
				if got.LexicalErr != nil || describe(got) != "a v2 1.5 0 false; b v3 1.25 0 false" {
					t.Errorf("%v, hits %q", got.LexicalErr, describe(got))
				}
				if strings.Contains(string(lexical), "vectors") {
					t.Errorf("the lexical arm reads vectors: %s", lexical)
				}
			})
		})
	}
}

// sent are the bodies of the requests of one kind.
type sent struct {
	mu     sync.Mutex
	bodies []string
}

func (a *sent) add(body []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bodies = append(a.bodies, string(body))
}

// However long the query, the lexical arm has so many clauses, and the numbers are about
// the terms that weigh.
func TestOfALongQueryTheRarestTermsAreAsked(t *testing.T) {
	var words, buckets []string
	for i := range 400 {
		words = append(words, fmt.Sprintf("w%03d", i))
		buckets = append(buckets, fmt.Sprintf(`"%d":{"doc_count":%d}`, i, 400-i))
	}
	frequencies := `{"status":200,"aggregations":{"df":{"buckets":{` + strings.Join(buckets, ",") + `}}}}`
	var numbers, lexical sent
	x := adapter(t, answering(func(r *http.Request, body []byte) (int, string) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/_search"):
			lexical.add(body)
			return http.StatusOK, lexAnswer
		case strings.Contains(string(body), `"counts"`):
			numbers.add(body)
			return http.StatusOK, `{"responses":[` + countsAnswer + `]}`
		}
		return http.StatusOK, `{"responses":[` + totalsAnswer + "," + frequencies + `]}`
	}))
	q := kilns()
	q.Text, q.Semantic, q.Tallies = strings.Join(words, " "), 0, make([]search.Tally, 1)
	got, err := x.Search(t.Context(), q)
	if err = errors.Join(err, got.LexicalErr, got.CountErr); err != nil || len(got.Tallies) != 1 || got.Stats.DF["w000"] != 400 {
		t.Fatalf("%v, %+v", err, got)
	}
	if len(lexical.bodies) != 1 || len(numbers.bodies) != 1 {
		t.Fatalf("%d and %d requests", len(lexical.bodies), len(numbers.bodies))
	}
	if n := strings.Count(lexical.bodies[0], `"script_score"`); n != search.MaxTerms {
		t.Errorf("%d clauses", n)
	}
	for term, weighs := range map[string]bool{"w399": true, "w336": true, "w335": false, "w000": false} {
		if strings.Contains(lexical.bodies[0], `"`+term+`"`) != weighs || strings.Contains(numbers.bodies[0], `"`+term+`"`) != weighs {
			t.Errorf("%s weighs: %v", term, !weighs)
		}
	}
}

// Numbers that wait for statistics which do not come are told as such.
func TestNumbersOfALongQueryNeedItsStatistics(t *testing.T) {
	q := kilns()
	q.Text, q.Tallies = manyWords(1, 100), make([]search.Tally, 1)
	for name, domain := range map[string]answering{
		"away":         func(*http.Request, []byte) (int, string) { return http.StatusServiceUnavailable, "" },
		"in part away": twice(`{"responses":[`+totalsAnswer+`,{"status":503}]}`, lexAnswer),
	} {
		got, err := adapter(t, domain).Search(t.Context(), q)
		if err != nil || got.Tallies != nil {
			t.Errorf("%s: %v, %v", name, got.Tallies, err)
		}
		checkArm(t, got.LexicalErr, "unavailable")
		checkArm(t, got.CountErr, "unavailable")
	}
}
