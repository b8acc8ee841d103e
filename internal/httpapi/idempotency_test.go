package httpapi

import (
	"io"
	"strings"
	"testing"
	"time"

	"holdfast/internal/capability"
	"holdfast/internal/routes"
)

// TestT15TheKeyIsOneTo255PrintableCharacters and is refused otherwise.
func TestT15TheKeyIsOneTo255PrintableCharacters(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoStore())
	for _, key := range []string{"k", strings.Repeat("k", 255), "a b!~"} {
		answer := ask(t, h, "POST", "/v1/things", bodyOf(""), "Idempotency-Key", key)
		answer.want(t, 200, "")
		if answer.body["key"] == nil {
			t.Errorf("%q: no key reached the call", key)
		}
	}
	for name, headers := range map[string][]string{
		"long":    {"Idempotency-Key", strings.Repeat("k", 256)},
		"tab":     {"Idempotency-Key", "a\tb"},
		"letters": {"Idempotency-Key", "schlüssel"},
		"two":     {"Idempotency-Key", "a", "Idempotency-Key", "b"},
	} {
		answer := ask(t, h, "POST", "/v1/things", bodyOf(""), headers...)
		answer.want(t, 400, "VALIDATION_FAILED")
		if got := answer.pointers(); len(got) != 1 || got[0] != "Idempotency-Key" {
			t.Errorf("%s: pointers %q", name, got)
		}
	}
}

// TestT15ScopeOfAKey: key id, method, path; T.47: the body as a JSON value.
func TestT15ScopeOfAKey(t *testing.T) {
	g := newGate(t, testDeps(io.Discard))
	h := g.Handler(echoStore())
	ids := func(body, key string) (string, string) {
		answer := ask(t, h, "POST", "/v1/things", body, "Idempotency-Key", key)
		answer.want(t, 200, "")
		return answer.body["key"].(string), answer.body["request"].(string)
	}
	key, request := ids(bodyOf(""), "k")
	for name, c := range map[string]struct {
		body, key           string
		sameKey, sameTarget bool
	}{
		"again":           {bodyOf(""), "k", true, true},
		"spelled anew":    {`{ "content" : "the gate is \u0067reen", "workspaceId":"` + ours + `"}`, "k", true, true},
		"another body":    {bodyOf(`"level":"low"`), "k", true, false},
		"another key":     {bodyOf(""), "l", false, true},
		"another content": {strings.Replace(bodyOf(""), "green", "blue", 1), "k", true, false},
	} {
		gotKey, gotRequest := ids(c.body, c.key)
		if (gotKey == key) != c.sameKey || (gotRequest == request) != c.sameTarget {
			t.Errorf("%s: same key %v, same request %v", name, gotKey == key, gotRequest == request)
		}
	}
	if answer := ask(t, h, "POST", "/v1/things", bodyOf("")); answer.body["key"] != nil {
		t.Error("a key without the header")
	}
}

// TestT15QueryCountsAsTheRequestOfADelete: there is no body to compare.
func TestT15QueryCountsAsTheRequestOfADelete(t *testing.T) {
	route := routes.Route{ID: "things-delete", Method: "DELETE", Path: "/v1/things/{id}", Capability: capability.MemoryDelete,
		Scope: routes.WorkspaceQuery, Idempotency: routes.Optional, Timeout: time.Second, Success: 200, BadInput: 400}
	type input struct {
		ID      string `path:"id"`
		Cascade bool   `query:"cascade"`
	}
	h := newGate(t, testDeps(io.Discard)).Handler(Handle(route, func(_ ctx, c *Call, in *input) (Reply[echo], error) {
		return OK(echoOf(c, in.ID)), nil
	}))
	requestOf := func(target string) (string, string) {
		answer := ask(t, h, "DELETE", target, "", "Idempotency-Key", "k")
		answer.want(t, 200, "")
		return answer.body["key"].(string), answer.body["request"].(string)
	}
	key, request := requestOf("/v1/things/a?workspaceId=" + ours + "&cascade=true")
	if k, r := requestOf("/v1/things/a?cascade=true&workspaceId=" + ours); k != key || r != request {
		t.Error("the order of parameters made a difference")
	}
	if k, r := requestOf("/v1/things/a?workspaceId=" + ours); k != key || r == request {
		t.Error("another query is the same request")
	}
	if k, _ := requestOf("/v1/things/b?workspaceId=" + ours + "&cascade=true"); k == key {
		t.Error("another path has the same key")
	}
}

// TestT15ReadsIgnoreTheHeader: there is nothing to repeat.
func TestT15ReadsIgnoreTheHeader(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoRead())
	answer := ask(t, h, "GET", readPath, "", "Idempotency-Key", strings.Repeat("k", 300))
	answer.want(t, 200, "")
	if answer.body["key"] != nil {
		t.Error("a read has an idempotency key")
	}
}
