package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestFunctionsAreAsWritten holds every main to the form that newroute gives it:
// one call, its own route, its own constructor, and no function beside them.
func TestFunctionsAreAsWritten(t *testing.T) {
	const root = "../.."
	out := t.TempDir()
	if err := run(root, out, io.Discard); err != nil {
		t.Fatal(err)
	}
	want, got := mainsBelow(t, out), mainsBelow(t, root)
	if !slices.Equal(want, got) {
		t.Fatalf("functions are %v, want %v (go run ./scripts/newroute writes what is missing)", got, want)
	}
	for _, id := range want {
		path := filepath.Join("functions", id, "main.go")
		if a, b := text(t, filepath.Join(out, path)), text(t, filepath.Join(root, path)); a != b {
			t.Errorf("%s is not what newroute writes:\n%s", path, b)
		}
	}
}

func mainsBelow(t *testing.T, root string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "functions", "*", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, p := range paths {
		ids = append(ids, filepath.Base(filepath.Dir(p)))
	}
	return ids
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
