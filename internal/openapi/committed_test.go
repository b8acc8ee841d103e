package openapi

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"holdfast/internal/httpapi"
	"holdfast/internal/httpapi/all"
	"holdfast/internal/routes"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// TestT30CommittedCopyIsWhatTheEndpointsSay; run with -update after a change.
func TestT30CommittedCopyIsWhatTheEndpointsSay(t *testing.T) {
	constructors := all.Constructors()
	endpoints := []httpapi.Endpoint{serve(nil)}
	for _, r := range routes.All() {
		if r.LocalOnly || r.ID == routes.OpenAPI.ID {
			continue
		}
		endpoints = append(endpoints, constructors[r.ID](httpapi.Deps{}))
	}
	want, err := Build(endpoints)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(Committed(), want) {
		t.Error("openapi.json is not what the endpoints say: run go test ./internal/openapi -update")
	}
}

// TestT30CommittedCopyListsTheTable: exactly the routes that are deployed.
func TestT30CommittedCopyListsTheTable(t *testing.T) {
	var doc struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(Committed(), &doc); err != nil {
		t.Fatal(err)
	}
	listed := 0
	for _, operations := range doc.Paths {
		listed += len(operations)
	}
	for _, r := range routes.All() {
		_, there := doc.Paths[r.Path][strings.ToLower(r.Method)]
		if there == r.LocalOnly {
			t.Errorf("%s %s: in the document %v", r.Method, r.Path, there)
		}
		if there {
			listed--
		}
	}
	if listed != 0 {
		t.Errorf("%d operations that are no routes", listed)
	}
}
