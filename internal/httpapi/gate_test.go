package httpapi

import (
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/capability"
	"holdfast/internal/routes"
	"holdfast/internal/tenant"
)

// withoutID is a problem without the id that differs from call to call.
func withoutID(g got) map[string]any {
	delete(g.body, "requestId")
	return g.body
}

// TestT2EveryFailedKeyIsTheSame401: missing, malformed, unknown, other schemes.
func TestT2EveryFailedKeyIsTheSame401(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoRead())
	first := ask(t, h, "GET", readPath, "", "Authorization", "")
	first.want(t, 401, "UNAUTHENTICATED")
	want := withoutID(first)
	for _, value := range []string{"nonsense", "Bearer", "Bearer ", "Bearer nonsense", goodKey, "Basic " + goodKey, "Token " + goodKey,
		"Bearer " + goodKey[:len(goodKey)-1], "Bearer " + goodKey + "a", "Bearer  ", "Bearer " + goodKey + " " + goodKey} {
		answer := ask(t, h, "GET", readPath, "", "Authorization", value)
		answer.want(t, 401, "UNAUTHENTICATED")
		if answer.header.Get("Www-Authenticate") != "Bearer" {
			t.Errorf("%q: no challenge", value)
		}
		if got := withoutID(answer); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
	ask(t, h, "GET", readPath, "", "authorization", "Bearer "+goodKey).want(t, 401, "") // two of them
	ask(t, h, "GET", readPath, "", "Authorization", "bearer "+goodKey).want(t, 200, "")
	ask(t, h, "GET", readPath, "", "Authorization", "Bearer "+brokenKey).want(t, 503, "UNAVAILABLE")
}

// TestT4OrderOfRefusals: key, capability, body limit, JSON, workspace, fields.
func TestT4OrderOfRefusals(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoStore())
	big := `{"content":"` + strings.Repeat("x", 66000) + `"}`
	elsewhere := `{"workspaceId":"` + foreign + `","content":7,"shelf":1}`
	for _, c := range []struct {
		name, key, body string
		status          int
		code            string
	}{
		{"no key, large body", "", big, 401, "UNAUTHENTICATED"},
		{"no key, broken body", "", "{", 401, "UNAUTHENTICATED"},
		{"no capability, large body", poorKey, big, 403, "CAPABILITY_MISSING"},
		{"no capability, broken body", poorKey, "{", 403, "CAPABILITY_MISSING"},
		{"no capability, foreign workspace", poorKey, elsewhere, 403, "CAPABILITY_MISSING"},
		{"large body", goodKey, big, 413, "BODY_TOO_LARGE"},
		{"broken body", goodKey, "{", 400, "MALFORMED_JSON"},
		{"foreign workspace, bad fields", goodKey, elsewhere, 404, "NOT_FOUND"},
		{"own workspace, bad fields", goodKey, bodyOf(`"shelf":1`), 400, "VALIDATION_FAILED"},
		{"the root key is no tenant's key", rootKey, bodyOf(""), 403, "CAPABILITY_MISSING"},
	} {
		t.Run(c.name, func(t *testing.T) {
			authorization := ""
			if c.key != "" {
				authorization = "Bearer " + c.key
			}
			ask(t, h, "POST", "/v1/things", c.body, "Authorization", authorization).want(t, c.status, c.code)
		})
	}
}

// TestT4MissingCapabilityIsNamed also as a member of the problem.
func TestT4MissingCapabilityIsNamed(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoStore())
	answer := ask(t, h, "POST", "/v1/things", bodyOf(""), "Authorization", "Bearer "+poorKey)
	answer.want(t, 403, "CAPABILITY_MISSING")
	if answer.body["capability"] != string(capability.MemoryAppend) {
		t.Errorf("capability %v", answer.body["capability"])
	}
}

// TestT6RootRoutesTakeTheRootKeyOnly: any other valid key is 403, none 401.
func TestT6RootRoutesTakeTheRootKeyOnly(t *testing.T) {
	route := routes.Route{ID: "roots", Method: "POST", Path: "/v1/roots", Access: routes.RootAccess, Timeout: time.Second,
		BodyLimit: routes.Body64K, Success: 201, BadInput: 400, Idempotency: routes.Optional}
	var seen tenant.Scope
	e := Handle(route, func(_ ctx, c *Call, _ *struct{}) (Reply[struct{}], error) {
		seen = c.Scope
		return OK(struct{}{}), nil
	})
	h := newGate(t, testDeps(io.Discard)).Handler(e)
	ask(t, h, "POST", "/v1/roots", "{}", "Authorization", "Bearer "+rootKey, "Idempotency-Key", "k").want(t, 201, "")
	if seen != RootScope() {
		t.Errorf("scope %v", seen)
	}
	ask(t, h, "POST", "/v1/roots", "", "Authorization", "Bearer "+rootKey).want(t, 201, "")
	ask(t, h, "POST", "/v1/roots", "{}").want(t, 403, "CAPABILITY_MISSING")
	ask(t, h, "POST", "/v1/roots", "{}", "Authorization", "Bearer "+strings.Repeat("x", 60)).want(t, 401, "UNAUTHENTICATED")
	ask(t, h, "POST", "/v1/roots", `{"name":1}`, "Authorization", "Bearer "+rootKey).want(t, 400, "VALIDATION_FAILED")
}

// TestT4ForeignWorkspaceIsTheSame404AsNone: outside the key, outside the tenant,
// no id at all.
func TestT4ForeignWorkspaceIsTheSame404AsNone(t *testing.T) {
	g := newGate(t, testDeps(io.Discard))
	store, read := g.Handler(echoStore()), g.Handler(echoRead())
	var want map[string]any
	for _, id := range []string{nobodys, foreign, "kanarya", strings.Repeat("x", 300), "..", "own", "a#b"} {
		for _, answer := range []got{
			ask(t, store, "POST", "/v1/things", `{"workspaceId":"`+id+`","content":"kanarya","level":"kanarya"}`),
			ask(t, read, "GET", "/v1/things/x?limit=kanarya&workspaceId="+strings.ReplaceAll(id, "#", "%23"), ""),
		} {
			answer.want(t, 404, "NOT_FOUND")
			if strings.Contains(answer.raw, "kanarya") {
				t.Errorf("echoed: %s", answer.raw)
			}
			body := withoutID(answer)
			if want == nil {
				want = body
			}
			if !reflect.DeepEqual(body, want) {
				t.Errorf("%q: %v, want %v", id, body, want)
			}
		}
	}
}

// TestS02TheWorkspaceMustBeNamed: missing or ill-typed is bad input.
func TestS02TheWorkspaceMustBeNamed(t *testing.T) {
	g := newGate(t, testDeps(io.Discard))
	for _, body := range []string{`{"content":"x"}`, `{"content":"x","workspaceId":7}`, `{"content":"x","workspaceId":null}`,
		`{"content":"x","workspaceId":""}`, `{"content":"x","workspaceId":["` + ours + `"]}`} {
		answer := ask(t, g.Handler(echoStore()), "POST", "/v1/things", body)
		answer.want(t, 400, "VALIDATION_FAILED")
		if got := answer.pointers(); len(got) != 1 || got[0] != "/workspaceId" {
			t.Errorf("%s: pointers %q", body, got)
		}
	}
	for _, query := range []string{"", "?workspaceId="} {
		answer := ask(t, g.Handler(echoRead()), "GET", "/v1/things/x"+query, "")
		answer.want(t, 422, "VALIDATION_FAILED")
		if got := answer.pointers(); len(got) != 1 || got[0] != "workspaceId" {
			t.Errorf("%q: pointers %q", query, got)
		}
	}
	ask(t, g.Handler(echoRead()), "GET", readPath+"&workspaceId="+ours, "").want(t, 422, "VALIDATION_FAILED")
}

// TestT7ScopeComesFromTheKey, never from what metadata say.
func TestT7ScopeComesFromTheKey(t *testing.T) {
	g := newGate(t, testDeps(io.Discard))
	answer := ask(t, g.Handler(echoStore()), "POST", "/v1/things", bodyOf(`"tags":{"workspaceId":"`+foreign+`","tenantId":"other"}`))
	answer.want(t, 200, "")
	if answer.body["tenant"] != tenantID || answer.body["place"] != ours {
		t.Errorf("scope %v / %v", answer.body["tenant"], answer.body["place"])
	}
	own := routes.Route{ID: "own", Method: "GET", Path: "/v1/own", Capability: capability.Admin, Timeout: time.Second, Success: 200, BadInput: 400}
	e := Handle(own, func(_ ctx, c *Call, _ *struct{}) (Reply[echo], error) { return OK(echoOf(c, nil)), nil })
	answer = ask(t, g.Handler(e), "GET", "/v1/own", "")
	answer.want(t, 200, "")
	if answer.body["tenant"] != tenantID || answer.body["place"] != tenant.PlatformWorkspace {
		t.Errorf("the tenant's own scope: %v / %v", answer.body["tenant"], answer.body["place"])
	}
}

// TestT14LimiterRefusesWithRetryAfter; the root key and open routes are not asked.
func TestT14LimiterRefusesWithRetryAfter(t *testing.T) {
	d := testDeps(io.Discard)
	d.Limiter = fakeLimiter{after: 1500 * time.Millisecond}
	g := newGate(t, d)
	answer := ask(t, g.Handler(echoRead()), "GET", readPath, "")
	answer.want(t, 429, "RATE_LIMITED")
	if got := answer.header.Get("Retry-After"); got != "2" {
		t.Errorf("Retry-After %q, want whole seconds rounded up", got)
	}
	ask(t, g.Handler(answering(openRoute, OK(echo{}), nil)), "GET", "/open", "").want(t, 200, "")
	if err := g.limited(apikey.Principal{Kind: apikey.Root}); err != nil {
		t.Errorf("the root key was limited: %v", err)
	}
}

// TestT8BodyLimitIsExact: the limit passes, a byte more is 413, also without a
// length in front.
func TestT8BodyLimitIsExact(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoStore())
	frame := len(`{"workspaceId":"` + ours + `","content":""}`)
	for size, status := range map[int]int{routes.Body64K: 200, routes.Body64K + 1: 413} {
		body := `{"workspaceId":"` + ours + `","content":"` + strings.Repeat("x", size-frame) + `"}`
		ask(t, h, "POST", "/v1/things", body).want(t, status, "")
		r, err := http.NewRequest("POST", "/v1/things", io.MultiReader(strings.NewReader(body)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+goodKey)
		if code := serve(h, r); code != status {
			t.Errorf("%d bytes of unknown length: %d, want %d", size, code, status)
		}
	}
}

// TestT2OpenRoutesLookAtNoKey: a bad one spoils nothing.
func TestT2OpenRoutesLookAtNoKey(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(answering(openRoute, OK("fine"), nil))
	r, err := http.NewRequest("GET", "/open", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer nonsense")
	if code := serve(h, r); code != 200 {
		t.Errorf("status %d", code)
	}
}

// TestHandlerServesItsOwnPathOnly: behind a router that erred it is not found.
func TestHandlerServesItsOwnPathOnly(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoRead())
	for _, path := range []string{"/v1/things", "/v1/things/", "/v1/things/a/b", "/v1/other/x", "/"} {
		ask(t, h, "GET", path+"?workspaceId="+ours, "").want(t, 404, "NOT_FOUND")
	}
	ask(t, h, "DELETE", readPath, "").want(t, 404, "NOT_FOUND")
}
