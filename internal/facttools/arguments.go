package facttools

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"holdfast/internal/errs"
	"holdfast/internal/fact"
)

// arguments are what a model sent with a call.
type arguments struct {
	members map[string]json.RawMessage
	faults  []errs.Field
}

// parse reads a call's arguments and refuses members that the tool does not take.
func (t tool) parse(text string, list []folder) (*arguments, error) {
	a := &arguments{}
	decoder := json.NewDecoder(strings.NewReader(text))
	if err := decoder.Decode(&a.members); err != nil || a.members == nil {
		return nil, invalid("", "The arguments must be a JSON object.")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, invalid("", "The arguments must be one JSON object.")
	}
	taken := t.parameters(list)
	for name, raw := range a.members {
		if string(raw) == "null" {
			delete(a.members, name)
		} else if _, ok := taken.Properties[name]; !ok {
			return nil, invalid("", "The tool does not take all of these arguments.")
		}
	}
	for _, name := range taken.Required {
		if a.members[name] == nil {
			a.fault(name, "is required")
		}
	}
	return a, a.err()
}

func (a *arguments) fault(name, rule string) {
	a.faults = append(a.faults, errs.Field{Pointer: "/" + name, Rule: rule})
}

func (a *arguments) err() error {
	if len(a.faults) == 0 {
		return nil
	}
	return errs.Validation(a.faults...)
}

// read decodes a member that is there.
func read[T any](a *arguments, name, rule string) *T {
	raw := a.members[name]
	if raw == nil {
		return nil
	}
	var out T
	if json.Unmarshal(raw, &out) != nil {
		a.fault(name, rule)
		return nil
	}
	return &out
}

func (a *arguments) text(name string) *string { return read[string](a, name, "must be a string") }

// count reads a whole number; its range is for others to check.
func (a *arguments) count(name string) *int {
	n := read[float64](a, name, "must be an integer")
	if n == nil {
		return nil
	}
	if *n != math.Trunc(*n) || math.Abs(*n) > 1e9 {
		a.fault(name, "must be an integer")
		return nil
	}
	out := int(*n)
	return &out
}

// tags reads a list of texts; null items are none.
func (a *arguments) tags(name string) fact.Optional[[]string] {
	list := read[[]*string](a, name, "must be a list of strings")
	if list == nil {
		return fact.Optional[[]string]{}
	}
	out := make([]string, 0, len(*list))
	for _, tag := range *list {
		if tag == nil {
			a.fault(name, "must be a list of strings")
			return fact.Optional[[]string]{}
		}
		out = append(out, *tag)
	}
	return fact.Given(out)
}

// within answers the folders that a call is about: the one that it names, else all.
func (a *arguments) within(list []folder) []folder {
	name := a.text("path")
	if name == nil {
		return list
	}
	i := slices.IndexFunc(list, func(f folder) bool { return f.name == *name })
	if i < 0 { // a model may leave the slash out
		if path, err := fact.ParsePath(*name); err == nil {
			i = slices.IndexFunc(list, func(f folder) bool { return f.path == path.String() })
		}
	}
	if i < 0 {
		a.fault("path", "must be one of the folders that the tool lists")
		return nil
	}
	return list[i : i+1]
}

// invalid is the refusal of a call that is not of the tool's form.
func invalid(pointer, rule string) error {
	if pointer == "" {
		return errs.New(errs.Invalid, "VALIDATION_FAILED", rule)
	}
	return errs.Validation(errs.Field{Pointer: pointer, Rule: rule})
}

// told is an error as the model reads it (S3.54): code and message, with nothing of
// what was sent.
func told(err error) string {
	e := errs.As(err)
	if e == nil {
		e = errs.New(errs.Internal, "INTERNAL", "Something went wrong.")
	}
	code, message := strings.ToLower(e.Code), e.Public
	if e.Kind == errs.Invalid {
		code = "invalid_request"
	}
	if len(e.Fields) > 0 {
		rules := make([]string, len(e.Fields))
		for i, f := range e.Fields {
			rules[i] = strings.TrimPrefix(f.Pointer, "/") + " " + f.Rule
		}
		message = strings.Join(rules, "; ")
	}
	return fmt.Sprintf("error: %s: %s", code, message)
}
