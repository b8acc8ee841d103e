package fact

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"holdfast/internal/errs"
)

func TestS36R33PathsThatAreAccepted(t *testing.T) {
	head := strings.Repeat("a", 100) + "/" + strings.Repeat("b", 100) + "/"
	for given, stored := range map[string]string{
		"": "", "/": "", "companies/7": "companies/7/", "companies/7/": "companies/7/",
		"a.b/c_d/e:f/g@h/i-j": "a.b/c_d/e:f/g@h/i-j/", "Straße/ürün/東京/": "Straße/ürün/東京/",
		"{x}/a{b}c": "{x}/a{b}c/", "٣/x": "٣/x/", norm.NFD.String("caf\u00e9"): "caf\u00e9/",
		"users/{user}": "users/{user}/", "users/{user}/notes": "users/{user}/notes/", "users": "users/",
		strings.Repeat("n", 100):       strings.Repeat("n", 100) + "/",
		head + strings.Repeat("c", 97): head + strings.Repeat("c", 97) + "/",
	} {
		if p, err := ParsePath(given); err != nil || p.String() != stored {
			t.Errorf("%q: %q, %v", given, p, err)
		}
	}
}

func TestS36S316PathsThatAreRefused(t *testing.T) {
	head := strings.Repeat("a", 100) + "/" + strings.Repeat("b", 100) + "/"
	for _, given := range []string{
		"/a/", "a//b/", "//", ".", "a/./b", "a/../b", "..", "a b/", "a/b?/", "a,b", "a\\b", "a/%2e", "a\n", "a\x00", "a/\xff",
		strings.Repeat("n", 101), head + strings.Repeat("c", 98), head + strings.Repeat("c", 98) + "/",
		"{user}/", "notes/{user}/", "a/users/{user}/", "users/x{user}/", "users/{user}x/", "users/{user}/{user}/", "users/a/{user}",
	} {
		if p, err := ParsePath(given); errs.KindOf(err) != errs.Invalid {
			t.Errorf("%q: %q, %v", given, p, err)
		}
	}
}

func TestS38AFolderHoldsByWholeSegments(t *testing.T) {
	for _, c := range []struct {
		folder, path string
		want         bool
	}{
		{"", "a/", true}, {"a/", "a/", true}, {"a/", "a/b/", true}, {"a/", "ab/", false}, {"a/b/", "a/", false}, {"", "", true},
	} {
		if got := (Path{c.folder}).Holds(Path{c.path}); got != c.want {
			t.Errorf("%q holds %q: %v", c.folder, c.path, got)
		}
	}
}

func TestFoldersOfAPath(t *testing.T) {
	p, _ := ParsePath("a/b/c")
	var got []string
	for _, f := range p.Folders() {
		got = append(got, f.String())
	}
	if strings.Join(got, " ") != " a/ a/b/ a/b/c/" {
		t.Errorf("folders %q", got)
	}
}

func TestR330IdsOfEndUsers(t *testing.T) {
	for id, want := range map[string]bool{
		"anna": true, "A.z_0:9-@": true, "ü": true, "": false, "a/b": false, ".": false, "..": false, "{user}": false,
		"x{user}": false, "a b": false, strings.Repeat("u", 101): false, "{x}": true, "\xff": false,
	} {
		if _, got := LegalUser(id); got != want {
			t.Errorf("%q: %v", id, got)
		}
	}
}

func code(err error) string {
	if e := errs.As(err); e != nil {
		return e.Code
	}
	return ""
}

func TestS314S320TheBorder(t *testing.T) {
	anna, nobody, people := Border{User: "anna"}, Border{}, Border{Everyone: true}
	for _, c := range []struct {
		name   string
		border Border
		path   string
		target string // stored form, or a code in upper case
		filter string
	}{
		{"filled in", anna, "users/{user}/x", "users/anna/x/", "users/anna/x/"},
		{"written out", anna, "users/anna", "users/anna/", "users/anna/"},
		{"another's", anna, "users/ben/x", "OTHER_USER", "OTHER_USER"},
		{"users itself", anna, "users", "VALIDATION_FAILED", "users/"},
		{"outside", anna, "notes", "notes/", "notes/"},
		{"the root", anna, "", "", ""},
		{"no user", nobody, "users/{user}", "NO_USER", "NO_USER"},
		{"no user, written out", nobody, "users/anna", "OTHER_USER", "OTHER_USER"},
		{"people", people, "users/anna/x", "users/anna/x/", "users/anna/x/"},
		{"people and the mark", people, "users/{user}", "NO_USER", "NO_USER"},
	} {
		p, err := ParsePath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		for what, resolve := range map[string]func(Path) (Path, error){c.target: c.border.Target, c.filter: c.border.Filter} {
			got, err := resolve(p)
			if answer := got.String() + code(err); answer != what {
				t.Errorf("%s: %q, want %q", c.name, answer, what)
			}
		}
	}
}

func TestS36TheLengthCountsWithTheUserFilledIn(t *testing.T) {
	border := Border{User: strings.Repeat("u", 100)}
	p, err := ParsePath("users/{user}/" + strings.Repeat("a", 97) + "/" + strings.Repeat("b", 95))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := border.Target(p); errs.KindOf(err) != errs.Invalid {
		t.Errorf("too long once filled in: %v", err)
	}
}

func TestS318S320WhatIsSeenAndWhatMoves(t *testing.T) {
	for _, c := range []struct {
		path        string
		anna, other bool
	}{{"users/anna/", true, false}, {"users/anna/x/", true, false}, {"users/ben/", false, false}, {"notes/", true, true}, {"", true, true}} {
		p := Path{c.path}
		if (Border{User: "anna"}).Sees(p) != c.anna || (Border{}).Sees(p) != c.other || !(Border{Everyone: true}).Sees(p) {
			t.Errorf("%q is seen otherwise", c.path)
		}
	}
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"a/", "b/", true}, {"a/", "users/anna/", false}, {"users/anna/", "", false}, {"users/anna/", "users/anna/x/", true},
		{"users/anna/", "users/ben/", false},
	} {
		if got := Moves(Path{c.from}, Path{c.to}); got != c.want {
			t.Errorf("%q to %q: %v", c.from, c.to, got)
		}
	}
}

func FuzzPathsHaveOneNormalForm(f *testing.F) {
	for _, seed := range []string{"", "/", "a/b", "users/{user}/x", "e\u0301/", "a//b", strings.Repeat("x/", 160)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePath(text)
		if err != nil {
			if !p.IsRoot() || errs.KindOf(err) != errs.Invalid {
				t.Errorf("%q: %q, %v", text, p, err)
			}
			return
		}
		again, err := ParsePath(p.String())
		if err != nil || again != p {
			t.Errorf("%q: %q becomes %q, %v", text, p, again, err)
		}
		if joined := strings.Join(p.Segments(), "/"); p.String() != "" && joined+"/" != p.String() {
			t.Errorf("%q: segments %q", p, p.Segments())
		}
	})
}
