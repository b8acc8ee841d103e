package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode"

	"holdfast/internal/search/searchtest"
)

// query is the body of a retrieve.
func (s *service) query(t testing.TB, text, mode string) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"workspaceId": s.ws, "semanticQuery": text, "mode": mode, "topN": 5, "explain": true, "rerank": mode != "deterministic", "expandSessions": true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// Whatever is asked over HTTP there is an answer in every mode, with every arm well;
// but a NUL, which no text may hold.
func TestBadQueriesAreAnsweredOverHTTP(t *testing.T) {
	s := open(t, t.TempDir()).setUp(t)
	texts := []string{"The kiln is hot and its door is open.", "窑炉的门在仓库里", "الفرن ساخن", "A match of 1 and all."}
	for i, bad := range searchtest.BadQueries() {
		if i%4 == 0 && !strings.ContainsFunc(bad.Text, unicode.IsControl) {
			texts = append(texts, "They said: "+bad.Text)
		}
	}
	for i, text := range texts {
		body, err := json.Marshal(map[string]any{
			"workspaceId": s.ws, "layer": "Workspace", "type": "fact", "content": text, "runId": fmt.Sprint("r", i%3),
		})
		if err != nil {
			t.Fatal(err)
		}
		s.agent().post(t, "/v1/memory/append", string(body), http.StatusOK)
	}
	s.settle(t)
	for _, bad := range searchtest.BadQueries() {
		t.Run(bad.Name, func(t *testing.T) {
			for _, mode := range []string{"hybrid", "semantic", "lexical", "deterministic"} {
				status, header, out := s.agent().call(t, "POST", "/v1/memory/retrieve", s.query(t, bad.Text, mode))
				if strings.Contains(bad.Text, "\x00") {
					if status != http.StatusBadRequest {
						t.Errorf("%s: status %d", mode, status)
					}
					continue
				}
				if arms := header.Get("Memory-Arms"); status != http.StatusOK || strings.Contains(arms, "degraded") || arms == "" {
					t.Fatalf("%s: status %d, arms %q: %v", mode, status, arms, out)
				}
				checkEntries(t, mode, out)
			}
		})
	}
}

// checkEntries holds that scores lie in 0 to 1 and never rise, and that there is a receipt.
func checkEntries(t *testing.T, mode string, out map[string]any) {
	t.Helper()
	last := 1.0
	entries, ok := out["workspaceEntries"].([]any)
	for _, e := range entries {
		score, is := e.(map[string]any)["score"].(float64)
		if !is || score > last || score < 0 {
			t.Errorf("%s: score %v after %v", mode, score, last)
		}
		last = score
	}
	if id, _ := out["receiptId"].(string); !ok || id == "" {
		t.Errorf("%s: no entries or no receipt: %v", mode, out)
	}
}

// What is longer than a query may be is refused by name, and not repeated.
func TestQueriesThatAreNoneAreRefused(t *testing.T) {
	s := open(t, t.TempDir()).setUp(t)
	for name, text := range map[string]string{
		"empty": "", "a character too long": strings.Repeat("k", searchtest.LongestQuery+1), "thousands of words": strings.Repeat("kiln ", 5000),
		"emoji too long": strings.Repeat("🔥", searchtest.LongestQuery+1),
	} {
		status, _, out := s.agent().request(t, "POST", "/v1/memory/retrieve", s.query(t, text, "hybrid"))
		if status != http.StatusBadRequest || !strings.Contains(out, "semanticQuery") || strings.Contains(out, "kk") || strings.Contains(out, "kiln") {
			t.Errorf("%s: status %d: %s", name, status, out)
		}
	}
	if !slices.ContainsFunc(searchtest.BadQueries(), func(q searchtest.BadQuery) bool {
		return len([]rune(q.Text)) == searchtest.LongestQuery
	}) {
		t.Error("no bad query is as long as may be")
	}
}
