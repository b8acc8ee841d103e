package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"holdfast/internal/routes"
)

const table = `package routes
var (
	MemoryAppend = memory("memory-append", "POST", "/v1/memory/append")
	WorkerIndex  = Worker{ID: "worker-index", Summary: "x"}
	hidden       = open("hidden")
)`

const endpoint = `package memoryapi
func Append(d httpapi.Deps) httpapi.Endpoint { return httpapi.Handle(routes.MemoryAppend, nil) }
func help(d httpapi.Deps) httpapi.Endpoint { return httpapi.Handle(routes.MemoryGet, nil) }
func Other() string { return routes.MemoryList.ID }
func Document(httpapi.Deps) httpapi.Endpoint { return serve(text) }
func serve(text string) httpapi.Endpoint { return httpapi.Handle(routes.OpenAPI, nil) }`

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFindsVariablesAndConstructors(t *testing.T) {
	root := t.TempDir()
	put(t, filepath.Join(root, "routes", "table.go"), table)
	put(t, filepath.Join(root, "httpapi", "memoryapi", "append.go"), endpoint)
	names, err := variables(filepath.Join(root, "routes"))
	if err != nil || names["memory-append"] != "MemoryAppend" || names["worker-index"] != "WorkerIndex" || len(names) != 2 {
		t.Errorf("variables %v, %v", names, err)
	}
	made, err := findConstructors(root)
	const at = "holdfast/internal/httpapi/memoryapi"
	if err != nil || len(made) != 2 || made["MemoryAppend"] != (constructor{at, "memoryapi", "Append"}) ||
		made["OpenAPI"] != (constructor{at, "memoryapi", "Document"}) {
		t.Errorf("constructors %v, %v", made, err)
	}
}

func TestSampleEventsAreWellFormed(t *testing.T) {
	for _, r := range routes.All() {
		var event struct {
			RouteKey       string
			RawPath        string
			PathParameters map[string]string
		}
		if err := json.Unmarshal(routeEvent(r), &event); err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		if event.RouteKey != r.Method+" "+r.Path || strings.Contains(event.RawPath, "{") {
			t.Errorf("%s: event %+v", r.ID, event)
		}
		if strings.Count(r.Path, "{") != len(event.PathParameters) {
			t.Errorf("%s: parameters %v", r.ID, event.PathParameters)
		}
	}
	for _, w := range routes.Workers() {
		if !json.Valid(workerEvent(w)) {
			t.Errorf("%s: event is no JSON", w.ID)
		}
	}
}

func TestWriteLeavesAloneWhatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "functions", "x", "main.go")
	for _, text := range []string{"first", "second"} {
		if err := write(io.Discard, path, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "first" {
		t.Errorf("file holds %q, %v", got, err)
	}
}
