package errs

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestKindsSurviveWrapping(t *testing.T) {
	cause := errors.New("disk")
	err := fmt.Errorf("outer: %w", Wrap(Unavailable, "UNAVAILABLE", "Try again.", cause))
	if KindOf(err) != Unavailable || !Is(err, Unavailable) || Is(err, Internal) || !errors.Is(err, cause) {
		t.Errorf("%v: kind %v", err, KindOf(err))
	}
	if KindOf(cause) != Internal || KindOf(nil) != Internal || Is(nil, Internal) || As(cause) != nil {
		t.Error("an error without a kind is internal, no error is none")
	}
}

func TestValidationListsItsFields(t *testing.T) {
	e := Validation(Field{Pointer: "/content", Rule: "must not be empty"})
	if e.Kind != Invalid || e.Code != "VALIDATION_FAILED" || len(e.Fields) != 1 {
		t.Errorf("%+v", e)
	}
	if m := Missing(); m.Kind != NotFound || m.Code != "NOT_FOUND" || !strings.Contains(m.Error(), m.Public) {
		t.Errorf("%+v", m)
	}
}
