package openapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/httpapi"
	"holdfast/internal/ids"
	"holdfast/internal/routes"
)

type item struct {
	Kind string `json:"kind" enum:"a,b"`
}

type body struct {
	Content string                   `json:"content" minLength:"1" doc:"What to keep"`
	Level   *string                  `json:"level" required:"false" enum:"low,high"`
	Best    *item                    `json:"best" required:"false" nullable:"true"`
	Items   []httpapi.Separate[item] `json:"items" required:"false" maxItems:"9"`
	Tags    map[string]string        `json:"tags,omitempty" nullable:"true"`
	Since   *httpapi.Time            `json:"since" required:"false"`
	Many    map[string][]item        `json:"many" required:"false"`
	Deep    *body                    `json:"deep" required:"false"`
	Any     json.RawMessage          `json:"any" required:"false"`
	Grid    [][]float64              `json:"grid" required:"false"`
}

type postInput struct{ Body body }

type getInput struct {
	ID    string   `path:"id"`
	Limit int      `query:"limit" minimum:"1" maximum:"9" default:"5" doc:"Most things"`
	Kinds []string `query:"kind" enum:"a,b"`
}

func endpoints() []httpapi.Endpoint {
	return []httpapi.Endpoint{
		httpapi.Handle(routes.MemoryAppend, func(context.Context, *httpapi.Call, *postInput) (httpapi.Reply[item], error) {
			return httpapi.OK(item{}), nil
		}),
		httpapi.Handle(routes.MemoryGet, func(context.Context, *httpapi.Call, *getInput) (httpapi.Reply[body], error) {
			return httpapi.OK(body{}), nil
		}),
		httpapi.Handle(routes.MemoryDelete, func(context.Context, *httpapi.Call, *struct{}) (httpapi.Reply[struct{}], error) {
			return httpapi.OK(struct{}{}), nil
		}),
		httpapi.Handle(routes.AdminTenantsCreate, func(context.Context, *httpapi.Call, *struct{ Body item }) (httpapi.Reply[item], error) {
			return httpapi.OK(item{}), nil
		}),
	}
}

// at walks into a decoded document.
func at(t *testing.T, value any, path ...string) any {
	t.Helper()
	for _, name := range path {
		m, ok := value.(map[string]any)
		if !ok || m[name] == nil {
			t.Fatalf("%v: no %s", path, name)
		}
		value = m[name]
	}
	return value
}

func built(t *testing.T) any {
	t.Helper()
	raw, err := Build(endpoints())
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestT30DocumentDescribesOperations: parameters, bodies, answers, problems, keys.
func TestT30DocumentDescribesOperations(t *testing.T) {
	doc := built(t)
	if version := at(t, doc, "openapi"); version != "3.1.0" {
		t.Errorf("version %v", version)
	}
	append := at(t, doc, "paths", "/v1/memory/append", "post")
	schema := at(t, append, "requestBody", "content", "application/json", "schema")
	if required := at(t, schema, "required").([]any); !slices.Contains(required, any("workspaceId")) || !slices.Contains(required, any("content")) {
		t.Errorf("required %v", required)
	}
	at(t, schema, "properties", "workspaceId")
	for _, status := range []string{"200", "400", "401", "403", "404", "409", "413", "422", "429", "500", "503", "default"} {
		at(t, append, "responses", status)
	}
	if text := at(t, append, "responses", "default", "description").(string); !strings.Contains(text, "UNKNOWN_LAYER") {
		t.Errorf("the route's own codes: %q", text)
	}
	problem := at(t, append, "responses", "400", "content", "application/problem+json", "schema", "$ref")
	if problem != "#/components/schemas/Problem" {
		t.Errorf("problem %v", problem)
	}
	if capability := at(t, append, "x-capability"); capability != "memory:append" {
		t.Errorf("capability %v", capability)
	}
	if content := at(t, doc, "paths", "/v1/memory/{id}", "delete", "responses", "204").(map[string]any); content["content"] != nil {
		t.Error("a 204 has a body")
	}
	if _, root := at(t, doc, "paths", "/v1/admin/tenants", "post", "security").([]any)[0].(map[string]any)["root"]; !root {
		t.Error("making tenants needs the root key")
	}
}

// TestT30ParametersInOrder: path, query, header, each by name.
func TestT30ParametersInOrder(t *testing.T) {
	doc := built(t)
	names := func(path, method string) (all []string) {
		for _, p := range at(t, doc, "paths", path, method, "parameters").([]any) {
			all = append(all, p.(map[string]any)["in"].(string)+" "+p.(map[string]any)["name"].(string))
		}
		return all
	}
	if got, want := names("/v1/memory/{id}", "get"), []string{"path id", "query kind", "query limit", "query workspaceId", "header If-None-Match"}; !slices.Equal(got, want) {
		t.Errorf("parameters %q, want %q", got, want)
	}
	if got, want := names("/v1/memory/{id}", "delete"), []string{"path id", "query workspaceId", "header Idempotency-Key", "header If-Match"}; !slices.Equal(got, want) {
		t.Errorf("parameters %q, want %q", got, want)
	}
}

// TestT30SchemasAreJSONSchema: what may be null, what is checked separately, types
// that hold themselves.
func TestT30SchemasAreJSONSchema(t *testing.T) {
	doc := built(t)
	properties := at(t, doc, "components", "schemas", "OpenBody", "properties")
	for name, want := range map[string]string{
		"best":  `{"anyOf":[{"$ref":"#/components/schemas/OpenItem"},{"type":"null"}]}`,
		"level": `{"enum":["low","high",null],"type":["string","null"]}`,
		"items": `{"items":{"$ref":"#/components/schemas/OpenItem"},"maxItems":9,"type":["array","null"]}`,
		"tags":  `{"additionalProperties":{"type":"string"},"type":["object","null"]}`,
		"since": `{"format":"date-time","type":["string","null"]}`,
		"deep":  `{"anyOf":[{"$ref":"#/components/schemas/OpenBody"},{"type":"null"}]}`,
		"any":   `{}`,
	} {
		raw, err := json.Marshal(properties.(map[string]any)[name])
		if err != nil || string(raw) != want {
			t.Errorf("%s: %s, want %s", name, raw, want)
		}
	}
}

// TestT30TypesAreThoseOfJSONSchema: of every schema of the committed document.
func TestT30TypesAreThoseOfJSONSchema(t *testing.T) {
	var visit func(at string, value any)
	visit = func(at string, value any) {
		switch v := value.(type) {
		case []any:
			for _, item := range v {
				visit(at, item)
			}
		case map[string]any:
			for name, item := range v {
				types, list := item.([]any)
				if one, ok := item.(string); ok {
					types, list = []any{one}, true
				}
				if name == "type" && list {
					for _, kind := range types {
						if !slices.Contains([]any{"string", "number", "integer", "boolean", "array", "object", "null", "http", "apiKey"}, kind) {
							t.Errorf("%s: type %q", at, kind)
						}
					}
				}
				visit(at+"/"+name, item)
			}
		}
	}
	var doc any
	if err := json.Unmarshal(committed, &doc); err != nil {
		t.Fatal(err)
	}
	visit("", doc)
}

// TestT30TheSameAtEveryRun: the committed copy is compared byte for byte.
func TestT30TheSameAtEveryRun(t *testing.T) {
	first, err := Build(endpoints())
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := Build(endpoints())
		if err != nil || !bytes.Equal(again, first) {
			t.Fatalf("another document: %v", err)
		}
	}
	if bytes.Contains(first, []byte(httpapi.SeparateMark)) {
		t.Error("the document shows our mark")
	}
}

// TestT30EndpointServesTheDocument which lists the endpoint too.
func TestT30EndpointServesTheDocument(t *testing.T) {
	e, err := Endpoint(endpoints())
	if err != nil {
		t.Fatal(err)
	}
	at := clock.NewFixed(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
	g, err := httpapi.NewGate(httpapi.Deps{Clock: at, IDs: ids.NewSource(at.Now, nil), Log: slog.New(slog.NewJSONHandler(io.Discard, nil)), CursorSecret: []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	g.Handler(e).ServeHTTP(w, httptest.NewRequest("GET", "/openapi.json", nil))
	var doc struct {
		Paths map[string]any `json:"paths"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil || w.Code != 200 {
		t.Fatalf("%d, %v", w.Code, err)
	}
	if doc.Paths["/openapi.json"] == nil || doc.Paths["/v1/memory/append"] == nil || len(doc.Paths) != 4 {
		t.Errorf("paths %v", doc.Paths)
	}
}

// TestBuildAnswersErrorsForMistakes: one operation twice.
func TestBuildAnswersErrorsForMistakes(t *testing.T) {
	twice := append(endpoints(), endpoints()...)
	if document, err := Build(twice); err == nil || document != nil {
		t.Errorf("%d bytes, %v", len(document), err)
	}
	if _, err := Endpoint(twice); err == nil {
		t.Error("no error")
	}
}
