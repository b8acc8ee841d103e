package httpapi

import (
	"strings"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/tenant"
)

func testCursors(t testing.TB, secret string) *Cursors {
	t.Helper()
	c, err := NewCursors([]byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var cursorScope = tenant.Grant(tenantID, ours)

// TestT12CursorOpensForItsOwnListOnly: route, workspace, filters, secret.
func TestT12CursorOpensForItsOwnListOnly(t *testing.T) {
	c := testCursors(t, "one")
	token := c.Seal("memory-list", cursorScope, "type=fact", "20260301#0001")
	if position, err := c.Open("memory-list", cursorScope, "type=fact", token); err != nil || position != "20260301#0001" {
		t.Fatalf("position %q, %v", position, err)
	}
	for name, open := range map[string]func() (string, error){
		"route": func() (string, error) { return c.Open("memory-changes", cursorScope, "type=fact", token) },
		"scope": func() (string, error) {
			return c.Open("memory-list", tenant.Grant(tenantID, foreign), "type=fact", token)
		},
		"tenant":  func() (string, error) { return c.Open("memory-list", tenant.Grant(foreign, ours), "type=fact", token) },
		"filters": func() (string, error) { return c.Open("memory-list", cursorScope, "type=decision", token) },
		"shifted": func() (string, error) { return c.Open("memory-list", cursorScope, "type=fac", token) },
		"secret": func() (string, error) {
			return testCursors(t, "two").Open("memory-list", cursorScope, "type=fact", token)
		},
	} {
		position, err := open()
		if e := errs.As(err); position != "" || e == nil || e.Kind != errs.Invalid || e.Fields[0].Pointer != "cursor" {
			t.Errorf("%s: %q, %v", name, position, err)
		}
	}
}

// TestT12EmptyCursorIsTheStart and no position has no cursor.
func TestT12EmptyCursorIsTheStart(t *testing.T) {
	c := testCursors(t, "one")
	if c.Seal("r", cursorScope, "", "") != "" {
		t.Error("the end of a list has a cursor")
	}
	if position, err := c.Open("r", cursorScope, "", ""); err != nil || position != "" {
		t.Errorf("%q, %v", position, err)
	}
}

// TestT12TamperedCursorIsRefused: any changed, lost or added character, also
// where base64 would not notice.
func TestT12TamperedCursorIsRefused(t *testing.T) {
	c := testCursors(t, "one")
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ \n."
	for _, position := range []string{"p", "po", "pos", "0000000000000042"} {
		token := c.Seal("r", cursorScope, "", position)
		for at := range len(token) {
			for _, letter := range alphabet {
				changed := token[:at] + string(letter) + token[at+1:]
				if changed == token {
					continue
				}
				if _, err := c.Open("r", cursorScope, "", changed); err == nil {
					t.Fatalf("%q opened in place of %q", changed, token)
				}
			}
		}
		for _, other := range []string{"x", "0", token[:len(token)-3], token + token, token + "A", token + "\n", "\n" + token, token[:5] + "\r\n" + token[5:],
			token + "=", strings.Repeat("A", 5000)} {
			if _, err := c.Open("r", cursorScope, "", other); err == nil {
				t.Errorf("%q opened", other)
			}
		}
	}
}

// FuzzCursorOpen: what opens is exactly what Seal makes.
func FuzzCursorOpen(f *testing.F) {
	c := testCursors(f, "one")
	for _, seed := range []string{"", "AQ", c.Seal("r", cursorScope, "f", "position"), c.Seal("r", cursorScope, "g", "position")} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		position, err := c.Open("r", cursorScope, "f", token)
		if err == nil && c.Seal("r", cursorScope, "f", position) != token {
			t.Fatalf("%q opened as %q", token, position)
		}
	})
}

// FuzzCursorSeal: every position comes back, for its own list only.
func FuzzCursorSeal(f *testing.F) {
	c := testCursors(f, "one")
	f.Add("r", "f", "position")
	f.Add("", "", "\x00\xff")
	f.Fuzz(func(t *testing.T, route, filters, position string) {
		if len(position) > 3000 {
			return
		}
		token := c.Seal(route, cursorScope, filters, position)
		back, err := c.Open(route, cursorScope, filters, token)
		if err != nil || back != position {
			t.Fatalf("%q came back as %q, %v", position, back, err)
		}
		if position == "" {
			return
		}
		if _, err := c.Open(route+"x", cursorScope, filters, token); err == nil {
			t.Fatal("opened for another route")
		}
		if _, err := c.Open(route, cursorScope, filters+"x", token); err == nil {
			t.Fatal("opened for other filters")
		}
	})
}
