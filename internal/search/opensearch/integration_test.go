//go:build integration

package opensearch

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/search/searchtest"
)

// suiteProfiles are those of searchtest.
var suiteProfiles = []Profile{{"suite-4-v1", 4}, {"other-4-v1", 4}, {"other-4-v2", 4}}

var indexes int

// fresh makes an index of its own on the node and drops it afterwards.
func fresh(t testing.TB, change ...func(*Config)) *Index {
	t.Helper()
	url := os.Getenv("HOLDFAST_TEST_OPENSEARCH_URL")
	if url == "" {
		t.Fatal("HOLDFAST_TEST_OPENSEARCH_URL names no node")
	}
	indexes++
	c := Config{
		URL: url, Index: fmt.Sprintf("suite-%d-%d-v1", os.Getpid(), indexes), Profiles: suiteProfiles,
		Patience: 10 * time.Second, Nearest: 10 * time.Second, // what is proved is what is answered, not how fast
		Timeout: 5 * time.Minute, Refresh: 10 * time.Millisecond, Alias: fmt.Sprintf("suite-%d-%d", os.Getpid(), indexes),
	}
	for _, f := range change {
		f(&c)
	}
	x, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { drop(t, x) })
	return x
}

func drop(t testing.TB, x *Index) {
	t.Helper()
	for _, path := range []string{"/" + x.index, "/_index_template/" + x.family()} {
		if err := do(context.Background(), &x.engine, request{method: http.MethodDelete, path: path}, nothing); err != nil {
			t.Error(err)
		}
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

func TestConformance(t *testing.T) {
	searchtest.Run(t, func(t *testing.T) search.Index { return fresh(t) })
}
