package opensearch

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// scansEnd answers scans with what they found so far and how they ended; the rest is
// answered by the domain.
func scansEnd(how string) func(domain answering) answering {
	return func(domain answering) answering {
		return func(r *http.Request, body []byte) (int, string) {
			if asksScan(body) {
				return http.StatusOK, `{"responses":[` + strings.Replace(knnAnswer, "{", "{"+how+",", 1) + `]}`
			}
			return domain(r, body)
		}
	}
}

var tooManyToScan = scansEnd(`"terminated_early":true`)

// Few vectors are gone through one by one; the graph is asked where they are too many, or
// too many for the time, and from then on at once. A scan has half of the arm's time and
// tells that it is over, instead of failing as one that cannot be done.
func TestFewVectorsAreScannedAndManyAskedByGraph(t *testing.T) {
	for name, c := range map[string]struct {
		domain       func(answering) answering
		scans, graph int
	}{
		"few":  {func(d answering) answering { return d }, 2, 0},
		"many": {tooManyToScan, 1, 2},
		"slow": {scansEnd(`"timed_out":true,"terminated_early":false`), 1, 2},
	} {
		var near sent
		domain := c.domain(twice(goodFirst, lexAnswer))
		x := adapter(t, answering(func(r *http.Request, body []byte) (int, string) {
			if asksNearest(body) {
				near.add(body)
			}
			return domain(r, body)
		}))
		for range 2 {
			got, err := x.Search(t.Context(), kilns())
			if err != nil || describe(got) != "a v2 1.5 0 true; b v3 1.25 0.5 true" {
				t.Errorf("%s: %v, hits %q", name, err, describe(got))
			}
		}
		all := strings.Join(near.bodies, "")
		if scans, graph := strings.Count(all, `"terminate_after":640000`), strings.Count(all, `"knn":{`); scans != c.scans || graph != c.graph {
			t.Errorf("%s: %d scans, %d of the graph", name, scans, graph)
		}
		for _, body := range near.bodies {
			scan := asksScan([]byte(body))
			if strings.Contains(body, `"timeout":"500ms"`) != scan || strings.Contains(body, `"allow_partial_search_results":true`) != scan {
				t.Errorf("%s: asked %s", name, body)
			}
		}
	}
}

// A scan that failed otherwise says nothing of the scopes.
func TestAFailedScanIsTriedAgain(t *testing.T) {
	for name, how := range map[string]string{"throttled": `"error":{"type":"x"}`, "a shard gone": `"_shards":{"failed":1}`} {
		x := adapter(t, scansEnd(how)(twice(goodFirst, lexAnswer)))
		got, err := x.Search(t.Context(), kilns())
		if err != nil || got.SemanticErr == nil || len(x.large.keys) != 0 {
			t.Errorf("%s: %v, %v, %d scopes known as large", name, err, got.SemanticErr, len(x.large.keys))
		}
	}
}

func TestWhatIsLargeIsRememberedWithinBounds(t *testing.T) {
	var l large
	for i := range maxLarge {
		l.add(fmt.Sprint(i))
	}
	if !l.has("0") || l.has("more") || len(l.keys) != maxLarge {
		t.Errorf("%d remembered", len(l.keys))
	}
	if l.add("more"); !l.has("more") || len(l.keys) > maxLarge {
		t.Errorf("%d remembered", len(l.keys))
	}
}

// Equally near documents that the engine did not look at may be newer: then all vectors
// are gone through, and where that fails the nearest that are known stand.
func TestManyEquallyNearAreCutByID(t *testing.T) {
	one := func(id string, score float64) string {
		return fmt.Sprintf(`{"_score":%v,"fields":{"scope":["tenant-1.workspace-talk"],"id":[%q],"item":[%q],"version":[1]}}`, score, id, id)
	}
	near := func(last float64) string {
		hits := []string{one("m", 1)}
		for len(hits) < looked(2)-1 {
			hits = append(hits, one("l", 1))
		}
		return `{"status":200,"hits":{"hits":[` + strings.Join(append(hits, one("k", last)), ",") + `]}}`
	}
	exact := `{"hits":{"hits":[` + one("z", 1) + "," + one("y", 1) + `]}}`
	for name, c := range map[string]struct{ near, exact, want string }{
		"cut between":    {near(.5), "never", "m v1 0 1 true; l v1 0 1 true"},
		"cut in a tie":   {near(1), exact, "z v1 0 1 true; y v1 0 1 true"},
		"no time for it": {near(1), `{"timed_out":true}`, "m v1 0 1 true; l v1 0 1 true"},
	} {
		q := kilns()
		q.Lexical, q.Semantic = 0, 2
		got, err := adapter(t, tooManyToScan(thrice(goodFirst, c.near, c.exact))).Search(t.Context(), q)
		if err != nil || got.SemanticErr != nil || describe(got) != c.want {
			t.Errorf("%s: %v, %v, hits %q", name, err, got.SemanticErr, describe(got))
		}
	}
}
