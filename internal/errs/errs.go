// Package errs gives errors a kind from a closed list, a stable code, a public
// sentence and a private cause.
//
// Kinds drive behaviour (the HTTP status in internal/httpapi, retry or drop in
// internal/lambdawork); the public sentence is all that a caller ever sees. An
// error that carries no kind is Internal. It imports the standard library only.
package errs

import (
	"errors"
	"fmt"
	"time"
)

// Kind says what class of thing went wrong. The list is closed.
type Kind int

// The kinds, each with what it means to the caller.
const (
	Internal         Kind = iota // our fault; nothing about it is shown
	Invalid                      // the request is wrong and will stay wrong
	Unauthenticated              // no valid credential
	Forbidden                    // valid credential, missing capability
	NotFound                     // absent, or not visible: never told apart
	Conflict                     // the state forbids it (decided, rejected value)
	Precondition                 // If-Match names another version
	KeyReused                    // idempotency key with another body
	InProgress                   // the first call with this idempotency key still runs
	TooLarge                     // body over the route's limit
	RateLimited                  // too many calls
	Exhausted                    // a budget is used up
	Unprocessable                // well formed, cannot be done (context budget)
	Unavailable                  // a dependency does not answer; try again
	MethodNotAllowed             // known path, other method
)

// Field points at one wrong member of a request.
type Field struct {
	Pointer string `json:"pointer"` // RFC 6901 pointer into the body, or the parameter's name
	Rule    string `json:"rule"`    // what must hold, in words; never the value sent
}

// Error is the one error type of the service.
type Error struct {
	Kind       Kind
	Code       string         // stable, UPPER_SNAKE; families re-spell it at the edge
	Public     string         // one sentence for the caller; never holds what was sent
	Fields     []Field        // for Invalid
	Extra      map[string]any // extra members of the problem, such as capability
	RetryAfter time.Duration  // for RateLimited, InProgress, Unavailable
	Cause      error          // private
}

// Error is for logs: kind, code and cause, never request content.
func (e *Error) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Public, e.Cause)
	}
	return e.Code + ": " + e.Public
}

// Unwrap gives the private cause.
func (e *Error) Unwrap() error { return e.Cause }

// New makes an error of a kind.
func New(kind Kind, code, public string) *Error {
	return &Error{Kind: kind, Code: code, Public: public}
}

// Wrap makes an error of a kind around a private cause.
func Wrap(kind Kind, code, public string, cause error) *Error {
	return &Error{Kind: kind, Code: code, Public: public, Cause: cause}
}

// Validation makes the Invalid error that lists wrong fields.
func Validation(fields ...Field) *Error {
	return &Error{Kind: Invalid, Code: "VALIDATION_FAILED",
		Public: "The request has fields that break a rule; see errors.", Fields: fields}
}

// Missing is the NotFound error that every absent or invisible thing answers.
func Missing() *Error {
	return New(NotFound, "NOT_FOUND", "There is no such thing here, or this key may not see it.")
}

// Later makes an Unavailable error that may be tried again in a second.
func Later(public string, cause error) *Error {
	e := Wrap(Unavailable, "UNAVAILABLE", public, cause)
	e.RetryAfter = time.Second
	return e
}

// Unread is what a failure of a store is to callers: nil for nil, an error with a kind
// as it is, else one that may be tried again.
func Unread(cause error) error {
	if cause == nil || As(cause) != nil {
		return cause
	}
	return Later("The store does not answer; try again.", cause)
}

// KindOf answers the kind of an error; Internal when it carries none.
func KindOf(err error) Kind {
	if e := As(err); e != nil {
		return e.Kind
	}
	return Internal
}

// As finds the Error in a chain, or nil.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// Is tells whether err has this kind.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }
