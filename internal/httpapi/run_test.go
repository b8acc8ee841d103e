package httpapi

import (
	"context"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/capability"
	"holdfast/internal/errs"
	"holdfast/internal/routes"
	"holdfast/internal/runtoken"
	"holdfast/internal/tenant"
)

// The tokens of the tests' runs.
const (
	runningToken = "holdfast_run_running"
	endedToken   = "holdfast_run_ended"
	foreignToken = "holdfast_run_of-a-workspace-that-is-gone"
	brokenToken  = "holdfast_run_store-down"
)

type fakeRuns struct{}

func (fakeRuns) Open(_ context.Context, token string) (runtoken.Run, error) {
	r := runtoken.Run{ID: "r1", Scope: tenant.Grant(tenantID, ours), AgentID: "desk", UserID: "anna", KeyID: "k1"}
	switch token {
	case runningToken:
	case endedToken:
		at := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
		r.EndedAt = &at
	case foreignToken:
		r.Scope = tenant.Grant(tenantID, nobodys)
	case brokenToken:
		return runtoken.Run{}, errs.New(errs.Unavailable, "UNAVAILABLE", "The store does not answer.")
	default:
		return runtoken.Run{}, errs.New(errs.Unauthenticated, "UNAUTHORIZED", "No.")
	}
	return r, nil
}

func runDeps(log io.Writer) Deps {
	d := testDeps(log)
	d.Runs = fakeRuns{}
	return d
}

type noteInput struct {
	Body struct {
		Text string `json:"text" minLength:"1"`
	}
}

// noteRoute is a route of runs: one that writes, or reads.
func noteRoute(mutates bool) routes.Route {
	return routes.Route{ID: "notes", Method: "POST", Path: "/v0/notes", Access: routes.RunAccess, Scope: routes.WorkspaceRun, Mutates: mutates,
		Timeout: time.Second, BodyLimit: routes.Body64K, Success: 200, BadInput: 422, Codes: []string{"INVOCATION_ENDED"}}
}

// runEcho answers who the gate says is calling.
func runEcho(mutates bool) Endpoint {
	return Handle(noteRoute(mutates), func(_ ctx, c *Call, in *noteInput) (Reply[echo], error) {
		e := echoOf(c, in.Body.Text)
		e.Request = c.Run.ID + " " + c.Run.UserID + " " + c.Actor().KeyID + " " + c.Actor().SourceID
		return OK(e), nil
	})
}

// wantV0 holds an answer against the form of R3.1, which has these members and no
// others.
func (g got) wantV0(t testing.TB, status int, code string) string {
	t.Helper()
	body, _ := g.body["error"].(map[string]any)
	message, _ := body["message"].(string)
	if g.status != status || body["code"] != code || message == "" || len(body) != 2 || len(g.body) != 1 {
		t.Fatalf("answer %d, want %d %s: %s", g.status, status, code, g.raw)
	}
	if got := g.header.Get("Content-Type"); got != "application/json" {
		t.Errorf("media type %q", got)
	}
	return message
}

func TestS322ARunActsByItsToken(t *testing.T) {
	h := newGate(t, runDeps(io.Discard)).Handler(runEcho(true))
	answer := ask(t, h, "POST", "/v0/notes", `{"text":"x"}`, "Authorization", "", "X-Agentos-Run-Token", runningToken)
	answer.want(t, 200, "")
	if answer.body["tenant"] != tenantID || answer.body["place"] != ours || answer.body["request"] != "r1 anna k1 desk" {
		t.Errorf("%s", answer.raw)
	}
	// Neither a key beside it nor the header of keys changes what the token says.
	answer = ask(t, h, "POST", "/v0/notes", `{"text":"x"}`, "Authorization", "Bearer "+poorKey, "Workspace-Id", foreign, "x-agentos-run-token", runningToken)
	answer.want(t, 200, "")
	if answer.body["place"] != ours {
		t.Errorf("%s", answer.raw)
	}
}

func TestR32R327TokensThatDoNotCountAreOneAnswer(t *testing.T) {
	h := newGate(t, runDeps(io.Discard)).Handler(runEcho(true))
	var want string
	for name, headers := range map[string][]string{
		"none": nil, "empty": {"X-Agentos-Run-Token", " "}, "unknown": {"X-Agentos-Run-Token", "holdfast_run_unknown"},
		"nonsense": {"X-Agentos-Run-Token", "nonsense"}, "a key": {"X-Agentos-Run-Token", goodKey},
		"two":            {"X-Agentos-Run-Token", runningToken, "X-Agentos-Run-Token", runningToken},
		"another header": {"X-Run-Token", runningToken}, "as a bearer": {"Authorization", "Bearer " + runningToken},
	} {
		answer := ask(t, h, "POST", "/v0/notes?token="+runningToken, `{"text":"x"}`, headers...)
		answer.wantV0(t, 401, "unauthorized")
		if want == "" {
			want = answer.raw
		}
		if answer.raw != want {
			t.Errorf("%s is told apart: %s", name, answer.raw)
		}
	}
	ask(t, h, "POST", "/v0/notes", `{"text":"x"}`, "X-Agentos-Run-Token", brokenToken).wantV0(t, 503, "unavailable")
}

func TestS323AnEndedRunReadsAndWritesNoMore(t *testing.T) {
	g := newGate(t, runDeps(io.Discard))
	ask(t, g.Handler(runEcho(false)), "POST", "/v0/notes", `{"text":"x"}`, "X-Agentos-Run-Token", endedToken).want(t, 200, "")
	for _, body := range []string{`{"text":"x"}`, `{`, `{"text":7}`, `{"text":"` + strings.Repeat("x", 66000) + `"}`} {
		ask(t, g.Handler(runEcho(true)), "POST", "/v0/notes", body, "X-Agentos-Run-Token", endedToken).wantV0(t, 401, "invocation_ended")
	}
}

func TestR31OrderOfRefusalsOfARun(t *testing.T) {
	h := newGate(t, runDeps(io.Discard)).Handler(runEcho(true))
	big := `{"text":"` + strings.Repeat("x", 66000) + `"}`
	for _, c := range []struct {
		name, token, body string
		status            int
		code              string
	}{
		{"no token, large body", "", big, 401, "unauthorized"},
		{"large body", runningToken, big, 413, "body_too_large"},
		{"no JSON", runningToken, "{", 422, "invalid_request"},
		{"a list", runningToken, "[]", 422, "invalid_request"},
		{"a workspace that is gone, bad fields", foreignToken, `{"text":7}`, 404, "not_found"},
		{"bad fields", runningToken, `{"text":""}`, 422, "invalid_request"},
		{"a field that is missing", runningToken, `{}`, 422, "invalid_request"},
		{"a field that is unknown", runningToken, `{"text":"x","shelf":"top"}`, 422, "invalid_request"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ask(t, h, "POST", "/v0/notes", c.body, "X-Agentos-Run-Token", c.token).wantV0(t, c.status, c.code)
		})
	}
}

func TestT8TheUnknownFieldIsNamedInTheMessage(t *testing.T) {
	h := newGate(t, runDeps(io.Discard)).Handler(runEcho(true))
	message := ask(t, h, "POST", "/v0/notes", `{"text":"kanarya","shelf":"kanarya"}`, "X-Agentos-Run-Token", runningToken).wantV0(t, 422, "invalid_request")
	if !strings.Contains(message, "shelf") || strings.Contains(message, "kanarya") {
		t.Errorf("message %q", message)
	}
}

func TestT14ARunCountsInTheRateOfItsKey(t *testing.T) {
	d := runDeps(io.Discard)
	asked := &countingLimiter{after: 1500 * time.Millisecond}
	d.Limiter = asked
	answer := ask(t, newGate(t, d).Handler(runEcho(true)), "POST", "/v0/notes", `{"text":"x"}`, "X-Agentos-Run-Token", runningToken)
	answer.wantV0(t, 429, "rate_limited")
	if answer.header.Get("Retry-After") != "2" || len(asked.keys) != 1 || asked.keys[0] != "k1" {
		t.Errorf("asked of %v, Retry-After %q", asked.keys, answer.header.Get("Retry-After"))
	}
}

// countingLimiter refuses and remembers whom.
type countingLimiter struct {
	after time.Duration
	keys  []string
}

func (c *countingLimiter) Allow(p apikey.Principal) (time.Duration, bool) {
	c.keys = append(c.keys, p.KeyID)
	return c.after, false
}

// agentsRoute is a route of the panel.
var agentsRoute = routes.Route{ID: "agents", Method: "GET", Path: "/v0/agents", Capability: capability.FactsPanel, Scope: routes.WorkspaceKey,
	Timeout: time.Second, Success: 200, BadInput: 422, Codes: []string{"WORKSPACE_REQUIRED"}}

// placedAuth is a key with these workspaces.
type placedAuth []string

func (p placedAuth) Authenticate(context.Context, string) (apikey.Principal, error) {
	return apikey.Principal{KeyID: "k", TenantID: tenantID, Kind: apikey.Person, Workspaces: p, Capabilities: []capability.Name{capability.FactsPanel}}, nil
}

func TestT34TheWorkspaceOfAKeyWithoutAName(t *testing.T) {
	const gone = nobodys
	for name, c := range map[string]struct {
		key     []string // its workspaces
		headers []string // values of Workspace-Id
		status  int
		code    string
	}{
		"the only one":                 {[]string{ours}, nil, 200, ""},
		"the only one, named":          {[]string{ours}, []string{ours}, 200, ""},
		"the only one, another named":  {[]string{ours}, []string{foreign}, 404, "not_found"},
		"the only one, nothing named":  {[]string{ours}, []string{""}, 404, "not_found"},
		"the only one, named twice":    {[]string{ours}, []string{ours, ours}, 404, "not_found"},
		"the only one, and it is gone": {[]string{gone}, nil, 404, "not_found"},
		"several, none named":          {[]string{ours, foreign}, nil, 422, "workspace_required"},
		"several, nothing named":       {[]string{ours, foreign}, []string{""}, 422, "workspace_required"},
		"several, two named":           {[]string{ours, foreign}, []string{ours, foreign}, 422, "workspace_required"},
		"several, one named":           {[]string{foreign, ours}, []string{ours}, 200, ""},
		"several, another named":       {[]string{foreign, nobodys}, []string{ours}, 404, "not_found"},
		"several, one that is gone":    {[]string{ours, gone}, []string{gone}, 404, "not_found"},
		"several, no id at all":        {[]string{ours, foreign}, []string{"kanarya"}, 404, "not_found"},
		"all, none named":              {nil, nil, 422, "workspace_required"},
		"all, one named":               {nil, []string{ours}, 200, ""},
		"all, the tenant's own":        {nil, []string{tenant.PlatformWorkspace}, 404, "not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			d := testDeps(io.Discard)
			d.Auth = placedAuth(c.key)
			h := newGate(t, d).Handler(Handle(agentsRoute, func(_ ctx, c *Call, _ *struct{}) (Reply[echo], error) { return OK(echoOf(c, nil)), nil }))
			var headers []string
			for _, value := range c.headers {
				headers = append(headers, "Workspace-Id", value)
			}
			answer := askRaw(t, h, "/v0/agents", headers)
			if c.code != "" {
				answer.wantV0(t, c.status, c.code)
				return
			}
			answer.want(t, c.status, "")
			if answer.body["place"] != ours || answer.body["tenant"] != tenantID {
				t.Errorf("%s", answer.raw)
			}
		})
	}
}

// askRaw is ask with empty header values kept.
func askRaw(t testing.TB, h http.Handler, target string, headers []string) got {
	t.Helper()
	keep := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for pair := range slices.Chunk(headers, 2) {
			r.Header.Add(pair[0], pair[1])
		}
		h.ServeHTTP(w, r)
	})
	return ask(t, keep, "GET", target, "")
}

func TestT4ForeignWorkspacesOfTheHeaderAreTheSame404(t *testing.T) {
	d := testDeps(io.Discard)
	d.Auth = placedAuth{ours, nobodys}
	h := newGate(t, d).Handler(Handle(agentsRoute, func(_ ctx, c *Call, _ *struct{}) (Reply[echo], error) { return OK(echoOf(c, nil)), nil }))
	var want map[string]any
	for _, id := range []string{foreign, nobodys, "kanarya", strings.Repeat("x", 300), "..", "a#b"} {
		answer := ask(t, h, "GET", "/v0/agents", "", "Workspace-Id", id)
		answer.wantV0(t, 404, "not_found")
		if want == nil {
			want = answer.body
		}
		if !reflect.DeepEqual(answer.body, want) || strings.Contains(answer.raw, "kanarya") {
			t.Errorf("%q: %s", id, answer.raw)
		}
	}
}

func TestR333TheMissingCapabilityIsNamedInTheMessage(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(Handle(agentsRoute, func(_ ctx, c *Call, _ *struct{}) (Reply[echo], error) { return OK(echo{}), nil }))
	message := ask(t, h, "GET", "/v0/agents", "", "Authorization", "Bearer "+poorKey).wantV0(t, 403, "capability_missing")
	if !strings.Contains(message, string(capability.FactsPanel)) {
		t.Errorf("message %q", message)
	}
	ask(t, h, "GET", "/v0/agents", "", "Authorization", "").wantV0(t, 401, "unauthorized")
}

func TestR31EveryKindOfErrorHasACodeThere(t *testing.T) {
	for _, c := range []struct {
		err     *errs.Error
		code    string
		message string
	}{
		{errs.Missing(), "not_found", errs.Missing().Public},
		{errs.New(errs.Conflict, "NO_USER", "No user."), "no_user", "No user."},
		{errs.Validation(errs.Field{Pointer: "/path", Rule: "must be short"}, errs.Field{Rule: "must be"}), "invalid_request",
			"The request breaks a rule. path must be short."},
		{errs.New(errs.Invalid, "MALFORMED_JSON", "No JSON."), "invalid_request", "No JSON."},
		{unauthenticated().(*errs.Error), "unauthorized", "A valid bearer key is needed."},
	} {
		if got := v0Problem(c.err); got.Error.Code != c.code || got.Error.Message != c.message {
			t.Errorf("%v: %+v", c.err, got.Error)
		}
	}
}
