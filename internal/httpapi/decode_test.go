package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/errs"
	"holdfast/internal/routes"
)

type batch struct {
	WorkspaceID string             `json:"workspaceId"`
	Items       []Separate[source] `json:"items" minItems:"1" maxItems:"3"`
	More        []json.RawMessage  `json:"more" required:"false"`
}

var batchRoute = func() routes.Route {
	r := storeRoute
	r.ID, r.Path, r.BodyLimit = "things-batch", "/v1/things/batch", routes.Body1M
	return r
}()

type itemResult struct {
	ID    string       `json:"id,omitempty"`
	Error string       `json:"error,omitempty"`
	At    []errs.Field `json:"at,omitempty"`
}

// askBatch sends items and answers the results.
func askBatch(t *testing.T, items ...string) []itemResult {
	t.Helper()
	h := newGate(t, testDeps(io.Discard)).Handler(Handle(batchRoute, decodeAll))
	answer := ask(t, h, "POST", "/v1/things/batch", `{"workspaceId":"`+ours+`","items":[`+strings.Join(items, ",")+`]}`)
	answer.want(t, 200, "")
	raw, err := json.Marshal(answer.body["results"])
	if err != nil {
		t.Fatal(err)
	}
	var out []itemResult
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

type batchInput struct{ Body batch }

type batchResults struct {
	Results []itemResult `json:"results"`
}

func decodeAll(_ context.Context, _ *Call, in *batchInput) (Reply[batchResults], error) {
	var out []itemResult
	for i, raw := range in.Body.Items {
		item, err := raw.Decode("/items/" + strconv.Itoa(i))
		if err != nil {
			out = append(out, itemResult{Error: err.Code, At: err.Fields})
			continue
		}
		out = append(out, itemResult{ID: item.ID})
	}
	return OK(batchResults{out}), nil
}

// TestR072ABadItemIsThatItemsError: type, length, unknown member, NUL escape,
// lone surrogate, depth, a number without end; the others pass.
func TestR072ABadItemIsThatItemsError(t *testing.T) {
	good := `{"kind":"url","id":"fine"}`
	for name, c := range map[string]struct{ item, pointer string }{
		"type":           {`{"kind":"url","id":7}`, "/items/1/id"},
		"length":         {`{"kind":"url","id":""}`, "/items/1/id"},
		"unknown":        {`{"kind":"url","id":"x","shelf":1}`, "/items/1/shelf"},
		"twice":          {`{"kind":"url","id":"x","id":"y"}`, "/items/1/id"},
		"NUL escape":     {`{"kind":"url","id":"a\u0000"}`, "/items/1/id"},
		"lone surrogate": {`{"kind":"url","id":"\ud800"}`, "/items/1/id"},
		"no object":      {`"text"`, "/items/1"},
		"null":           {`null`, "/items/1"},
		"endless number": {`{"kind":"url","id":1e999}`, "/items/1/id"},
		"whole is whole": {`{"kind":"url","id":"x","end":1e1000}`, "/items/1/end"},
		"bottomless":     {`{"kind":"url","id":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, "/items/1/id"},
		"deep objects":   {strings.Repeat(`{"a":[0,{},[], "x" ,`, 5_000) + `{"a\u0000":1e999}` + strings.Repeat("]}", 5_000), "/items/1/a"},
		"deep":           {`{"kind":"url","id":"x","deep":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`, "/items/1/deep"},
	} {
		t.Run(name, func(t *testing.T) {
			results := askBatch(t, good, c.item, good)
			if len(results) != 3 || results[0].ID != "fine" || results[2].ID != "fine" {
				t.Fatalf("neighbours: %+v", results)
			}
			if results[1].Error != "VALIDATION_FAILED" || results[1].At[0].Pointer != c.pointer {
				t.Errorf("the bad item: %+v", results[1])
			}
		})
	}
}

// TestR072ABodyThatIsNoJSONIsTheWholeCalls error, and so are its own bounds.
func TestR072ABodyThatIsNoJSONIsTheWholeCalls(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(Handle(batchRoute, decodeAll))
	frame := func(items string) string { return `{"workspaceId":"` + ours + `","items":` + items + `}` }
	for name, c := range map[string]struct{ body, code string }{
		"cut":           {frame(`[{"kind":"url","id":"x"}`), "MALFORMED_JSON"},
		"bad UTF-8":     {frame("[{\"kind\":\"url\",\"id\":\"\xff\"}]"), "MALFORMED_JSON"},
		"broken escape": {frame(`[{"kind":"url","id":"\q"}]`), "MALFORMED_JSON"},
		"none":          {frame(`[]`), "VALIDATION_FAILED"},
		"too many":      {frame(`[1,2,3,4]`), "VALIDATION_FAILED"},
		"no list":       {frame(`{}`), "VALIDATION_FAILED"},
		"null":          {frame(`null`), "VALIDATION_FAILED"},
		"bottomless":    {frame(`[` + strings.Repeat(`[`, 500000) + `]`), "MALFORMED_JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			ask(t, h, "POST", "/v1/things/batch", c.body).want(t, 400, c.code)
		})
	}
}

// TestDecodeAnswersTheValue and pointers from the base.
func TestDecodeAnswersTheValue(t *testing.T) {
	item, err := Decode[source]([]byte(` {"kind":"message","id":"m1"} `), "/x")
	if err != nil || item != (source{Kind: "message", ID: "m1"}) {
		t.Errorf("%+v, %v", item, err)
	}
	if _, err := Decode[source]([]byte(`{`), "/x"); err == nil || err.Code != "MALFORMED_JSON" {
		t.Errorf("broken: %v", err)
	}
	_, err = Decode[map[string]strict]([]byte(`{"a":"zzz"}`), "/x")
	if err == nil || !slices.Equal([]string{err.Fields[0].Pointer}, []string{"/x"}) {
		t.Errorf("a type stricter than its schema: %v", err)
	}
}

// strict is a type that reads less than its schema says.
type strict string

func (*strict) UnmarshalJSON([]byte) error { return errShape }

func (strict) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeString} }

// TestR072DepthDoesNotHideBrokenSyntax: what is skimmed must be JSON all the same.
func TestR072DepthDoesNotHideBrokenSyntax(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(Handle(batchRoute, decodeAll))
	deep := func(middle string) string {
		return strings.Repeat(`[`, 2000) + middle + strings.Repeat(`]`, 2000)
	}
	for middle, code := range map[string]string{
		``: "", `1,{"a":[],"b":{}}`: "", `1,`: "MALFORMED_JSON", `1 2`: "MALFORMED_JSON", `{"a"}`: "MALFORMED_JSON", `{"a":1]`: "MALFORMED_JSON",
		`{a:1}`: "MALFORMED_JSON", `{"a":1,}`: "MALFORMED_JSON", `]`: "MALFORMED_JSON", `[`: "MALFORMED_JSON", `nul`: "MALFORMED_JSON", `"\q"`: "MALFORMED_JSON",
	} {
		answer := ask(t, h, "POST", "/v1/things/batch", `{"workspaceId":"`+ours+`","items":[`+deep(middle)+`,{"kind":"url","id":"fine"}]}`)
		want := 200
		if code != "" {
			want = 400
		}
		answer.want(t, want, code)
	}
}
