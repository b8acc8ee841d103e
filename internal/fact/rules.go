package fact

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"holdfast/internal/errs"
	"holdfast/internal/screen"
)

// The limits of a fact.
const (
	MaxText  = 4000 // code points (S3.9)
	MaxTags  = 20   // S3.10
	MaxFacts = 100_000
)

var (
	tagForm = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,50}$`)
	keyForm = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,200}$`)
)

// Optional is a member that a request may leave out, or set to null.
type Optional[T any] struct {
	Set   bool // it was there
	Value *T   // nil: null
}

// Given is a member that was there with a value.
func Given[T any](value T) Optional[T] { return Optional[T]{Set: true, Value: &value} }

// Null is a member that was there as null.
func Null[T any]() Optional[T] { return Optional[T]{Set: true} }

// Draft is what a save asks for, unchecked. A nil member was not given.
type Draft struct {
	Path       *string
	Text       *string
	Tags       Optional[[]string]
	Confidence Optional[float64]
	Replaces   *string // id of the fact that becomes another version (S3.30)
	Key        *string // S3.31
	WrittenBy  *string
}

// wanted is a checked draft.
type wanted struct {
	path     Path
	text     string
	tags     Optional[[]string]
	degree   Optional[float64] // confidence
	replaces string
	replaced bool // replaces was given
	key      string
	by       Writer
}

// check holds a draft against the rules, and its path against the border.
func (d Draft) check(b Border) (wanted, error) {
	var f faults
	w := wanted{text: f.text(d.Text), tags: f.tags(d.Tags), degree: f.confidence(d.Confidence), key: f.key(d.Key), by: f.writer(d.WrittenBy)}
	if d.Replaces != nil {
		w.replaces, w.replaced = *d.Replaces, true
	}
	w.path = f.path(d.Path)
	if err := f.err(); err != nil {
		return wanted{}, err
	}
	var err error
	w.path, err = b.Target(w.path)
	return w, err
}

// faults gathers what is wrong with a request.
type faults []errs.Field

func (f *faults) add(name, rule string) {
	*f = append(*f, errs.Field{Pointer: "/" + name, Rule: rule})
}

func (f *faults) err() error {
	if len(*f) == 0 {
		return nil
	}
	return errs.Validation(*f...)
}

func (f *faults) path(text *string) Path {
	if text == nil {
		f.add("path", "is required")
		return Path{}
	}
	p, err := ParsePath(*text)
	if e := errs.As(err); e != nil {
		*f = append(*f, e.Fields...)
	}
	return p
}

// text is kept as sent; white space alone says nothing (R3.18).
func (f *faults) text(text *string) string {
	if text == nil {
		f.add("text", "is required")
		return ""
	}
	n := utf8.RuneCountInString(*text)
	switch {
	case n == 0 || n > MaxText:
		f.add("text", "must have 1 to "+strconv.Itoa(MaxText)+" characters")
	case !utf8.ValidString(*text) || strings.ContainsRune(*text, 0):
		f.add("text", "must be UTF-8 without NUL")
	case strings.TrimSpace(*text) == "":
		f.add("text", "must not be white space only")
	}
	return *text
}

// tags drops duplicates and keeps the order (R3.14).
func (f *faults) tags(tags Optional[[]string]) Optional[[]string] {
	if tags.Value == nil {
		return tags
	}
	return Given(f.tagList(*tags.Value))
}

func (f *faults) tagList(list []string) []string {
	var out []string
	if len(list) > MaxTags {
		f.add("tags", "must have at most "+strconv.Itoa(MaxTags)+" items")
		return nil
	}
	for _, tag := range list {
		if !tagForm.MatchString(tag) {
			f.add("tags", "must have items of 1 to 50 letters, digits and . _ : -")
			return nil
		}
		if !slices.Contains(out, tag) {
			out = append(out, tag)
		}
	}
	return out
}

func (f *faults) confidence(degree Optional[float64]) Optional[float64] {
	if v := degree.Value; v != nil && !(*v >= 0 && *v <= 1) {
		f.add("confidence", "must be from 0 to 1")
	}
	return degree
}

func (f *faults) key(key *string) string {
	if key == nil {
		return ""
	}
	if !keyForm.MatchString(*key) {
		f.add("key", "must have 1 to 200 letters, digits and . _ : -")
	}
	return *key
}

func (f *faults) writer(by *string) Writer {
	if by == nil {
		return Code
	}
	if w := Writer(*by); w == Code || w == Model {
		return w
	}
	f.add("written_by", "must be one of code, model")
	return ""
}

// held tells whether screening catches a text (R3.25). Path and tags are not screened:
// programs choose them, random ones look like secrets, and no model is shown them.
func held(text string) bool { return !screen.Check(text).Clean() }
