package httpapi

import (
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/obs"
	"holdfast/internal/routes"
)

var rootRoute = routes.Route{ID: "roots", Method: "POST", Path: "/v1/roots", Access: routes.RootAccess, Timeout: time.Second,
	BodyLimit: routes.Body64K, Success: 201, BadInput: 400}

// saying is an endpoint that logs.
func saying[I any](route routes.Route, log *slog.Logger) Endpoint {
	return Handle(route, func(ctx ctx, _ *Call, _ *I) (Reply[struct{}], error) {
		log.WarnContext(ctx, "below")
		return OK(struct{}{}), nil
	})
}

// TestLinesOfACallNameIt: below the endpoint as in the request's own line, and each
// name once. A call that is refused early tells what is known of it.
func TestLinesOfACallNameIt(t *testing.T) {
	open, rooted, keyed := []string{"requestId", "route", "cold"}, []string{"key", "requestId", "route", "cold"},
		[]string{"tenant", "workspace", "key", "requestId", "route", "cold"}
	for _, c := range []struct {
		name         string
		endpoint     func(routes.Route, *slog.Logger) Endpoint
		route        routes.Route
		target, body string
		key          string
		fields       []string
		reaches      bool // the endpoint
	}{
		{"open", saying[struct{}], openRoute, "/open", "", goodKey, open, true},
		{"root", saying[struct{}], rootRoute, "/v1/roots", "{}", rootKey, rooted, true},
		{"of a workspace", saying[storeInput], storeRoute, "/v1/things", bodyOf(""), goodKey, keyed, true},
		{"unknown key", saying[storeInput], storeRoute, "/v1/things", bodyOf(""), "nonsense", open, false},
		{"foreign workspace", saying[storeInput], storeRoute, "/v1/things", `{"workspaceId":"kanarya"}`, goodKey,
			[]string{"tenant", "key", "requestId", "route", "cold"}, false},
	} {
		log := &safeBuffer{}
		d := testDeps(io.Discard)
		d.Log = obs.NewLogger(log, nil)
		answer := ask(t, newGate(t, d).Handler(c.endpoint(c.route, d.Log)), c.route.Method, c.target, c.body, "Authorization", "Bearer "+c.key)
		want := map[string]any{"requestId": answer.header.Get("Request-Id"), "route": c.route.ID, "cold": true,
			"tenant": tenantID, "workspace": ours, "key": "k1"}
		if c.key == rootKey {
			want["key"] = apikey.RootID
		}
		maps.DeleteFunc(want, func(name string, _ any) bool { return !slices.Contains(c.fields, name) })
		checkLines(t, c.name, log.String(), want, c.reaches)
	}
}

// checkLines looks for fields, and for no others, in each line.
func checkLines(t *testing.T, name, log string, want map[string]any, reaches bool) {
	t.Helper()
	if got := strings.Count(log, `"msg":"below"`) == 1; got != reaches || strings.Count(log, `"msg":"request"`) != 1 || strings.Contains(log, "kanarya") {
		t.Errorf("%s: log %s", name, log)
	}
	for text := range strings.Lines(log) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{"requestId", "route", "cold", "tenant", "workspace", "key"} {
			if line[field] != want[field] || strings.Count(text, `"`+field+`":`) > 1 {
				t.Errorf("%s: %s is not %v once: %s", name, field, want[field], text)
			}
		}
	}
}
