package errs

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"syscall"
)

// Describe is an error for the log, outermost part first. Our own errors never hold
// content; those of parsers and clients repeat what they read, so of types that are not
// known here only the name is shown.
func Describe(err error) string {
	if err == nil {
		return ""
	}
	text := shown(err)
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var parts []string
		for _, one := range many.Unwrap() {
			parts = append(parts, Describe(one))
		}
		return text + " (" + strings.Join(parts, "; ") + ")"
	}
	if inner := errors.Unwrap(err); inner != nil {
		return text + " < " + Describe(inner)
	}
	return text
}

// shown is one error of a chain without what it wraps.
func shown(err error) string {
	kind := fmt.Sprintf("%T", err)
	switch e := err.(type) {
	case *Error:
		return e.Code + ": " + e.Public
	case stack:
		return e.text
	case syscall.Errno:
		return e.Error()
	}
	switch kind {
	case "*errors.errorString":
		return err.Error()
	case "*fmt.wrapError":
		if text, ok := strings.CutSuffix(err.Error(), errors.Unwrap(err).Error()); ok {
			return strings.TrimRight(text, ": ")
		}
	}
	return kind
}

// stack is a recovered panic: its type and where it happened, never its value,
// which may hold content.
type stack struct{ text string }

// Error tells type and place.
func (s stack) Error() string { return s.text }

// Panicked makes the error of a recovered panic, in the deferred function that recovers.
func Panicked(cause any) error {
	kind := fmt.Sprintf("panic of %T", cause)
	if err, ok := cause.(runtime.Error); ok {
		kind = "panic: " + err.Error()
	}
	pcs := make([]uintptr, 16)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	var places []string
	for {
		frame, more := frames.Next()
		if !strings.HasPrefix(frame.Function, "runtime.") {
			places = append(places, fmt.Sprintf("%s:%d", frame.Function, frame.Line))
		}
		if !more || len(places) == 8 {
			return stack{text: kind + " at " + strings.Join(places, ", ")}
		}
	}
}
