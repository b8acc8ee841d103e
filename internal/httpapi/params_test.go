package httpapi

import (
	"io"
	"net/url"
	"slices"
	"testing"
)

const readPath = "/v1/things/x1?workspaceId=" + ours

// TestParametersReachTheirFields: types, defaults, lists, decoding.
func TestParametersReachTheirFields(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoRead())
	answer := ask(t, h, "GET", "/v1/things/a%2Fb%20c?workspaceId="+ours+
		"&limit=7&deep=true&since=2026-03-01T02:00:00%2B02:00&userId=u%26v&kind=a&kind=b&score=1e-1", "", "X-Client", "cli")
	answer.want(t, 200, "")
	in := answer.body["got"].(map[string]any)
	for name, want := range map[string]any{
		"ID": "a/b c", "Limit": 7.0, "Deep": true, "Since": "2026-03-01T00:00:00Z", "UserID": "u&v", "Score": 0.1, "Client": "cli",
	} {
		if in[name] != want {
			t.Errorf("%s = %v, want %v", name, in[name], want)
		}
	}
	if kinds := in["Kinds"].([]any); !slices.Equal(kinds, []any{"a", "b"}) {
		t.Errorf("Kinds %v", kinds)
	}
	plain := ask(t, h, "GET", readPath, "").body["got"].(map[string]any)
	for name, want := range map[string]any{"Limit": 20.0, "Deep": false, "Since": nil, "UserID": nil, "Kinds": nil, "Score": 0.5} {
		if plain[name] != want {
			t.Errorf("default of %s = %v, want %v", name, plain[name], want)
		}
	}
}

// TestT9ParametersAreCheckedAndNamed: every fault names the parameter, never its
// value.
func TestT9ParametersAreCheckedAndNamed(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoRead())
	for _, c := range []struct {
		name, query string
		want        []string
	}{
		{"unknown", "&colour=blue", []string{"colour"}},
		{"another case", "&Limit=3", []string{"Limit"}},
		{"no number", "&limit=many", []string{"limit"}},
		{"empty number", "&limit=", []string{"limit"}},
		{"fraction", "&limit=1.5", []string{"limit"}},
		{"spaces", "&limit=%207", []string{"limit"}},
		{"underscore", "&limit=1_0", []string{"limit"}},
		{"hexadecimal", "&limit=0x10", []string{"limit"}},
		{"null", "&limit=null", []string{"limit"}},
		{"over", "&limit=101", []string{"limit"}},
		{"under", "&limit=0", []string{"limit"}},
		{"long", "&limit=99999999999999999999", []string{"limit"}},
		{"twice", "&limit=3&limit=4", []string{"limit"}},
		{"bool", "&deep=yes", []string{"deep"}},
		{"bool as number", "&deep=1", []string{"deep"}},
		{"time without zone", "&since=2026-03-01T02:00:00", []string{"since"}},
		{"time with a space for the plus", "&since=2026-03-01T02:00:00+02:00", []string{"since"}},
		{"empty text", "&userId=", []string{"userId"}},
		{"NUL", "&userId=a%00", []string{"userId"}},
		{"bad UTF-8", "&userId=%ff", []string{"userId"}},
		{"not of the list", "&kind=a&kind=z", []string{"kind"}},
		{"infinite", "&score=1e999", []string{"score"}},
		{"broken escape", "&userId=%zz", []string{""}},
		{"semicolon", "&userId=a;b", []string{""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := ask(t, h, "GET", readPath+c.query, "")
			answer.want(t, 422, "VALIDATION_FAILED")
			if !slices.Equal(answer.pointers(), c.want) {
				t.Errorf("pointers %q, want %q: %s", answer.pointers(), c.want, answer.raw)
			}
		})
	}
	for name, path := range map[string]string{"NUL": "a%00", "bad UTF-8": "%ff", "long": url.PathEscape(string(make([]byte, 41)))} {
		answer := ask(t, h, "GET", "/v1/things/"+path+"?workspaceId="+ours, "")
		answer.want(t, 422, "VALIDATION_FAILED")
		if !slices.Contains(answer.pointers(), "id") {
			t.Errorf("%s in the path: pointers %q", name, answer.pointers())
		}
	}
	answer := ask(t, h, "GET", readPath, "", "X-Client", "much too long for it")
	answer.want(t, 422, "VALIDATION_FAILED")
	if !slices.Equal(answer.pointers(), []string{"X-Client"}) {
		t.Errorf("header: pointers %q", answer.pointers())
	}
}

// TestBodyWhereNoneIsTaken: nothing that was sent is silently ignored.
func TestBodyWhereNoneIsTaken(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoRead())
	ask(t, h, "GET", readPath, "  \n").want(t, 200, "")
	ask(t, h, "GET", readPath, `{"limit":3}`).want(t, 422, "VALIDATION_FAILED")
}

// TestEndpointsWithMistakesPanicAtStart: what cannot be served is found when the
// process starts.
func TestEndpointsWithMistakesPanicAtStart(t *testing.T) {
	for name, make := range map[string]func(){
		"no struct": func() { endpointOf[int](readRoute) },
		"no such segment": func() {
			endpointOf[struct {
				X string `path:"other"`
			}](readRoute)
		},
		"no place": func() { endpointOf[struct{ X string }](readRoute) },
		"unreadable type": func() {
			endpointOf[struct {
				X map[string]string `query:"x"`
			}](readRoute)
		},
		"body where none": func() { endpointOf[struct{ Body thing }](readRoute) },
		"no object":       func() { endpointOf[struct{ Body []source }](storeRoute) },
		"ill-typed scope": func() { endpointOf[struct{ Body numbered }](storeRoute) },
		"two of one name": func() { twins() },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			make()
		})
	}
}

type numbered struct {
	WorkspaceID int `json:"workspaceId"`
}

type packageSource = source

// twins has two types of one name.
func twins() Endpoint {
	type source struct {
		X int `json:"x"`
	}
	type both struct {
		A packageSource `json:"a"`
		B source        `json:"b"`
	}
	return endpointOf[struct{ Body both }](storeRoute)
}

// TestS02ABodyNeedNotListItsWorkspace: the member is there for the gate.
func TestS02ABodyNeedNotListItsWorkspace(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(Handle(storeRoute, func(_ ctx, c *Call, in *struct{ Body source }) (Reply[echo], error) {
		return OK(echoOf(c, in.Body.ID)), nil
	}))
	answer := ask(t, h, "POST", "/v1/things", `{"workspaceId":"`+ours+`","kind":"url","id":"x"}`)
	answer.want(t, 200, "")
	if answer.body["place"] != ours || answer.body["got"] != "x" {
		t.Errorf("%s", answer.raw)
	}
	missing := ask(t, h, "POST", "/v1/things", `{"kind":"url","id":"x"}`)
	missing.want(t, 400, "VALIDATION_FAILED")
	if !slices.Equal(missing.pointers(), []string{"/workspaceId"}) {
		t.Errorf("pointers %q", missing.pointers())
	}
	bare := newGate(t, testDeps(io.Discard)).Handler(endpointOf[struct{}](storeRoute))
	ask(t, bare, "POST", "/v1/things", `{"workspaceId":"`+ours+`"}`).want(t, 200, "")
	ask(t, bare, "POST", "/v1/things", "").want(t, 400, "MALFORMED_JSON")
}
