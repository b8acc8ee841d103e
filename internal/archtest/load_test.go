package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// pkg is what `go list -deps -json` says of a package, with its files parsed.
type pkg struct {
	ImportPath string
	Dir        string
	Standard   bool
	Module     *struct {
		Path string
		Main bool
	}
	Imports      []string
	Deps         []string
	TestImports  []string
	XTestImports []string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	Error        *struct{ Err string }

	files []file
}

// file is a parsed source file.
type file struct {
	name string
	test bool
	tree *ast.File
	set  *token.FileSet
}

// name is the package's path within the module.
func (p pkg) name() string { return strings.TrimPrefix(p.ImportPath, module) }

func (p pkg) ours() bool { return p.Module != nil && p.Module.Main }

// load lists everything that the module builds or tests.
func load(t *testing.T) []pkg {
	t.Helper()
	root := moduleRoot(t)
	list := exec.CommandContext(t.Context(), "go", "list", "-e", "-deps", "-json", "./...")
	list.Dir = root
	var stderr bytes.Buffer
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	all, err := decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if all[i].Error != nil {
			t.Errorf("%s: %s", all[i].ImportPath, all[i].Error.Err)
		}
		if all[i].ours() {
			all[i].parse(t)
		}
	}
	return all
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatalf("go env GOMOD: %v", err)
	}
	return filepath.Dir(strings.TrimSpace(string(out)))
}

func decode(r io.Reader) ([]pkg, error) {
	var all []pkg
	dec := json.NewDecoder(r)
	for {
		var p pkg
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

func (p *pkg) parse(t *testing.T) {
	t.Helper()
	groups := []struct {
		names []string
		test  bool
	}{{p.GoFiles, false}, {p.TestGoFiles, true}, {p.XTestGoFiles, true}}
	for _, group := range groups {
		for _, name := range group.names {
			set := token.NewFileSet()
			tree, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Errorf("%s: %v", p.name(), err)
				continue
			}
			p.files = append(p.files, file{name: name, test: group.test, tree: tree, set: set})
		}
	}
}
