package e2e

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestS0ErasedTextIsInNoFileOfTheFolder writes texts of many sizes, replaces and
// deletes them, and looks at the bytes of the stopped data folder, which a backup
// takes along.
func TestS0ErasedTextIsInNoFileOfTheFolder(t *testing.T) {
	const canary = "marshwiggle"
	for name, stop := range map[string]func(t *testing.T, s *server, data string){
		"stopped": func(t *testing.T, s *server, _ string) {
			if code := s.stop(t); code != 0 {
				t.Errorf("exit code %d", code)
			}
		},
		"killed and compacted": func(t *testing.T, s *server, data string) {
			if out, err := compactFolder(t, data); err == nil || !strings.Contains(out, "in use") {
				t.Errorf("compact beside a server: %s, %v", out, err)
			}
			if err := s.Kill(); err != nil {
				t.Fatal(err)
			}
			if countIn(t, data, canary) == 0 {
				t.Error("nothing is left in the file of a killed server, so this proves nothing")
			}
			if out, err := compactFolder(t, data); err != nil || !strings.Contains(out, "bytes before") {
				t.Errorf("compact: %s, %v", out, err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := folder(t)
			s := start(t, options(data))
			p := s.place(t)
			kept := p.remember(t, "The lighthouse keeper stays.")
			var ids []string
			for n := range 30 {
				text := fmt.Sprintf("%s%d %s %s%d", canary, n, strings.Repeat("drifts on ", 1+n*40), canary, n)
				ids = append(ids, p.remember(t, text))
				change := map[string]any{"workspaceId": p.workspace, "content": "Again: " + text}
				if err := p.agent.Do(t.Context(), http.MethodPut, "/v1/memory/"+ids[n], change, nil); err != nil {
					t.Fatal(err)
				}
			}
			for _, id := range ids {
				if err := p.agent.Do(t.Context(), http.MethodDelete, p.path(id), nil, nil); err != nil {
					t.Fatal(err)
				}
			}
			for _, id := range ids {
				eventually(t, "the erasure is complete", func() bool { return p.erasure(t, id) == "complete" })
			}
			stop(t, s, data)
			if n := countIn(t, data, canary); n != 0 {
				t.Errorf("%d are left", n)
			}
			p = p.at(start(t, options(data)))
			p.reads(t, []string{kept})
			p.chain(t)
		})
	}
}

func compactFolder(t *testing.T, data string) (string, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), binary, "compact")
	c.Env = []string{"HOLDFAST_DATA=" + data}
	out, err := c.CombinedOutput()
	return string(out), err
}

// countIn counts a word in all files of a folder.
func countIn(t *testing.T, data, word string) (n int) {
	t.Helper()
	err := filepath.WalkDir(data, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		n += bytes.Count(raw, []byte(word))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
