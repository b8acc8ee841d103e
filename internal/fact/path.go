package fact

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"holdfast/internal/errs"
)

// The limits of a path, in code points (S3.6).
const (
	MaxPath    = 300 // of the stored form, trailing slash included
	MaxSegment = 100
)

// usersFolder holds the folders of end users, and userMark stands for the run's own
// (S3.14).
const (
	usersFolder = "users"
	userMark    = "{user}"
)

// Path is a folder of an agent's memory in normal form: segments in NFC. The zero
// Path is the root. Parse and String are each other's inverse on that form.
type Path struct{ text string } // as stored: empty, or segments that each end with a slash

// String is the stored form: empty for the root, else with one trailing slash.
func (p Path) String() string { return p.text }

// IsRoot tells the root.
func (p Path) IsRoot() bool { return p.text == "" }

// Segments are the path's parts; none for the root.
func (p Path) Segments() []string {
	if p.IsRoot() {
		return nil
	}
	return strings.Split(strings.TrimSuffix(p.text, "/"), "/")
}

// Holds tells whether other is this folder or lies in it, by whole segments (S3.8).
func (p Path) Holds(other Path) bool { return strings.HasPrefix(other.text, p.text) }

// Folders are the path and all that hold it, from the root down.
func (p Path) Folders() []Path {
	out := []Path{{}}
	for i, r := range p.text {
		if r == '/' {
			out = append(out, Path{p.text[:i+1]})
		}
	}
	return out
}

// user answers whose folder the path lies in; false outside of all.
func (p Path) user() (string, bool) {
	s := p.Segments()
	if len(s) < 2 || s[0] != usersFolder {
		return "", false
	}
	return s[1], true
}

// ParsePath reads a path as callers write it: with or without a trailing slash, in
// any composition; "" and "/" are the root (S3.6, S3.7, R3.3). {user} may stand as
// users/{user}/ only (S3.16) and stays in it: Resolve fills it in.
func ParsePath(text string) (Path, error) {
	if text == "" || text == "/" {
		return Path{}, nil
	}
	if !utf8.ValidString(text) {
		return Path{}, badPath("must be UTF-8")
	}
	segments := strings.Split(strings.TrimSuffix(norm.NFC.String(text), "/"), "/")
	for i, s := range segments {
		if rule := segmentRule(s); rule != "" {
			return Path{}, badPath(rule)
		}
		if strings.Contains(s, userMark) && (i != 1 || s != userMark || segments[0] != usersFolder) {
			return Path{}, badPath("must have {user} in no other place than users/{user}/")
		}
	}
	p := Path{strings.Join(segments, "/") + "/"}
	if !slices.Contains(segments, userMark) && p.tooLong() {
		return Path{}, tooLong()
	}
	return p, nil
}

func (p Path) tooLong() bool { return utf8.RuneCountInString(p.text) > MaxPath }

func tooLong() error {
	return badPath("must have at most " + strconv.Itoa(MaxPath) + " characters with its trailing slash")
}

func badPath(rule string) error { return errs.Validation(errs.Field{Pointer: "/path", Rule: rule}) }

// segmentRule answers what is wrong with a segment in NFC; empty: nothing.
func segmentRule(s string) string {
	n := utf8.RuneCountInString(s)
	switch {
	case n == 0:
		return "must have no empty segment and begin with none"
	case n > MaxSegment:
		return "must have segments of at most " + strconv.Itoa(MaxSegment) + " characters"
	case s == "." || s == "..":
		return "must have no segment . or .."
	case strings.ContainsFunc(s, func(r rune) bool { return !legal(r) }):
		return "must consist of letters, digits and . _ : @ - { }"
	}
	return ""
}

func legal(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._:@-{}", r)
}

// LegalUser tells whether a text can be an end user's id: one legal segment that is
// no mark (R3.30). It is kept in NFC.
func LegalUser(id string) (string, bool) {
	id = norm.NFC.String(id)
	return id, utf8.ValidString(id) && segmentRule(id) == "" && !strings.Contains(id, userMark)
}

// MarshalText is the stored form.
func (p Path) MarshalText() ([]byte, error) { return []byte(p.text), nil }

// UnmarshalText is ParsePath.
func (p *Path) UnmarshalText(text []byte) error {
	read, err := ParsePath(string(text))
	if err == nil {
		*p = read
	}
	return err
}
