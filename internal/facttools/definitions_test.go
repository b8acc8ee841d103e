package facttools

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"holdfast/internal/fact"
)

var update = flag.Bool("update", false, "write the golden files")

func TestS349S350DefinitionsAreThoseOfTheGoldenFiles(t *testing.T) {
	for name, paths := range map[string][]string{
		"everything": nil, "one": {"notes"}, "one_twice": {"notes", "notes/"},
		"several": {"notes/", "users/{user}/", "/", "companies/7"},
	} {
		definitions, err := Definitions(fact.Border{User: "anna"}, paths)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.MarshalIndent(definitions, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, '\n')
		file := filepath.Join("testdata", name+".json")
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: got\n%s", name, got)
		}
		if bytes.Contains(got, []byte("anna")) {
			t.Errorf("%s names the user", name)
		}
	}
}
