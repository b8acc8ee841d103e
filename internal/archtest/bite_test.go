package archtest

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// made is a package that does not exist, with one file.
func made(t *testing.T, name, fileName, source string, imports ...string) pkg {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, fileName, source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return pkg{
		ImportPath: module + name, Imports: imports,
		files: []file{{name: fileName, test: strings.HasSuffix(fileName, "_test.go"), tree: tree, set: set}},
	}
}

func TestImportRulesBite(t *testing.T) {
	std := map[string]bool{"testing": true, "math/rand": true, "fmt": true}
	outsideRule := func(p pkg) []string { return foreign(p, std) }
	cases := []struct {
		name, from, to string
		rule           func(pkg) []string
		broken         bool
	}{
		{"a package without a layer", "internal/nowhere", "fmt", placed, true},
		{"a package with one", "internal/errs", "fmt", placed, false},
		{"an arrow that turns back", "internal/store", module + "internal/commit", arrows, true},
		{"an arrow down", "internal/commit", module + "internal/store", arrows, false},
		{"a family that imports another", "internal/httpapi/memoryapi", module + "internal/httpapi/adminapi", arrows, true},
		{"an adapter beside another", "internal/store/boltstore", module + "internal/queue/memqueue", arrows, true},
		{"a domain with an adapter", "internal/memory", module + "internal/store/boltstore", wiring, true},
		{"the wiring with an adapter", "internal/app", module + "internal/store/boltstore", wiring, false},
		{"a main with the store", "functions/memory-get", module + "internal/store", mains, true},
		{"a main with the document", "functions/memory-get", module + "internal/openapi", mains, true},
		{"the document's main", "functions/openapi", module + "internal/openapi", mains, false},
		{"a main with its family", "functions/memory-get", module + "internal/httpapi/memoryapi", mains, false},
		{"an outside module nobody named", "internal/memory", "example.org/thing", outsideRule, true},
		{"an outside module in a wrong place", "internal/memory", "go.etcd.io/bbolt", outsideRule, true},
		{"an outside module in its place", "internal/store/boltstore", "go.etcd.io/bbolt", outsideRule, false},
		{"a module whose name only begins alike", "internal/store/boltstore", "go.etcd.io/bboltish", outsideRule, true},
		{"testing outside tests", "internal/memory", "testing", outsideRule, true},
		{"testing in a suite", "internal/store/storetest", "testing", outsideRule, false},
		{"chance outside tests", "internal/memory", "math/rand", outsideRule, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			broken := c.rule(pkg{ImportPath: module + c.from, Imports: []string{c.to}})
			if (len(broken) > 0) != c.broken {
				t.Fatalf("answered %q", broken)
			}
		})
	}
}

func TestAMainTakesOneFamilyAndNotAll(t *testing.T) {
	two := pkg{ImportPath: module + "functions/x", Imports: []string{
		module + "internal/httpapi/memoryapi", module + "internal/httpapi/adminapi",
	}}
	if len(mains(two)) != 1 {
		t.Errorf("two families: %q", mains(two))
	}
	linked := pkg{ImportPath: module + "functions/x", Deps: []string{module + "internal/httpapi/all"}}
	if len(mains(linked)) != 1 {
		t.Errorf("all families behind an import: %q", mains(linked))
	}
}

func TestCallRulesBite(t *testing.T) {
	const grant = `package p; import "holdfast/internal/tenant"; var s = tenant.Grant("a", "b")`
	const renamed = `package p; import tt "holdfast/internal/tenant"; var s = tt.Grant`
	const now = `package p; import "time"; var at = time.Now()`
	const passed = `package p; import "time"; var at = time.Now`
	const sleep = `package p; import "time"; func f() { time.Sleep(1) }`
	const storeCommit = `package p; func f(s Store) { s.Commit(ctx, tx) }`
	const deep = `package p; func f(d Deps) { d.Store.Commit(ctx, tx) }`
	const bolt = `package p; func f(tx Tx) { tx.Commit() }`
	const function = `package p; import "holdfast/internal/ledger"; var c = ledger.Commit(salt, text)`
	const field = `package p; func f(d Deps) { d.Commit.Do(ctx, w) }`
	const said = `package p; import "log/slog"; var a = slog.String("error", err.Error())`
	const whole = `package p; import "log/slog"; var a = slog.Any("error", err)`
	const described = `package p; import ("log/slog"; "holdfast/internal/errs"); var a = slog.String("error", errs.Describe(err))`
	cases := []struct {
		name, in, file, source string
		rule                   func(pkg) []string
		broken                 bool
	}{
		{"a scope made by a domain", "internal/memory", "a.go", grant, uses, true},
		{"under another name", "internal/memory", "a.go", renamed, uses, true},
		{"a scope made by authentication", "internal/httpapi", "a.go", grant, uses, false},
		{"a scope made in a test", "internal/memory", "a_test.go", grant, uses, false},
		{"the time read", "internal/memory", "a.go", now, uses, true},
		{"the clock handed on", "internal/memory", "a.go", passed, uses, true},
		{"the time read by the clock", "internal/clock", "a.go", now, uses, false},
		{"a sleep in a test", "internal/memory", "a_test.go", sleep, uses, true},
		{"a commit by a domain", "internal/memory", "a.go", storeCommit, commits, true},
		{"a commit through a field", "internal/memory", "a.go", deep, commits, true},
		{"a commit by commit", "internal/commit", "a.go", storeCommit, commits, false},
		{"a commit in a test", "internal/memory", "a_test.go", storeCommit, commits, false},
		{"a bbolt commit", "internal/memory", "a.go", bolt, commits, false},
		{"ledger.Commit, a function", "internal/memory", "a.go", function, commits, false},
		{"an error's text in a line", "internal/memory", "a.go", said, lines, true},
		{"an error in a line", "internal/memory", "a.go", whole, lines, true},
		{"an error that is described", "internal/memory", "a.go", described, lines, false},
		{"the field Commit", "internal/memory", "a.go", field, commits, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			broken := c.rule(made(t, c.in, c.file, c.source))
			if (len(broken) > 0) != c.broken {
				t.Fatalf("answered %q", broken)
			}
		})
	}
}

func TestDocumentedBites(t *testing.T) {
	bare := made(t, "internal/memory", "a.go", "package p")
	bare.GoFiles = []string{"a.go"}
	if len(documented(bare)) != 1 {
		t.Error("a package without a comment passes")
	}
	said := made(t, "internal/memory", "a.go", "// Package p is for this.\npackage p")
	said.GoFiles = []string{"a.go"}
	if got := documented(said); len(got) != 0 {
		t.Errorf("a package with a comment: %q", got)
	}
}
