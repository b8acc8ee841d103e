package dynamo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"

	"holdfast/internal/store"
)

// Error is a call that failed. It shows what the engine said, but for texts, which
// may repeat what was sent.
type Error struct {
	Call      string // the operation's name
	Code      string // the engine's, or a word of this package
	Status    int    // of HTTP; 0: there was no answer
	RequestID string // the engine's, for a question to AWS; may be empty
	cause     error  // a sentinel of the port or the context's; nil: the outcome is unknown
}

// Error says which call failed and how.
func (e *Error) Error() string {
	text := "dynamo: " + e.Call + ": " + e.Code
	if e.Status != 0 {
		text = fmt.Sprintf("%s (status %d, request %s)", text, e.Status, e.RequestID)
	}
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

// Unwrap answers the port's sentinel, or the context's error.
func (e *Error) Unwrap() error { return e.cause }

// class is what a failure means for the next step.
type class int

const (
	refused    class = iota // nothing happened, and trying again is no use
	throttled               // nothing happened; later it may
	conflict                // nothing happened: another transaction was there
	tooLarge                // nothing happened: over a limit
	badRequest              // nothing happened: against a rule
	unsent                  // nothing happened: there was no connection
	unclear                 // it may have happened
	ended                   // it may have happened; the caller's context ended
)

// codes are the classes of the engine's error codes
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html).
// TransactionInProgress is the answer to a repetition while the first is at work.
var codes = map[string]class{
	"ProvisionedThroughputExceededException": throttled,
	"ThrottlingException":                    throttled,
	"ThrottledException":                     throttled,
	"Throttling":                             throttled,
	"RequestLimitExceeded":                   throttled,
	"RequestThrottled":                       throttled,
	"RequestThrottledException":              throttled,
	"TooManyRequestsException":               throttled,
	"SlowDown":                               throttled,

	"TransactionConflictException":     conflict,
	"ReplicatedWriteConflictException": conflict,

	"TransactionInProgressException": unclear,

	"ItemCollectionSizeLimitExceededException": tooLarge,
	"RequestEntityTooLarge":                    tooLarge,
	"ValidationException":                      badRequest,
	"SerializationException":                   badRequest,
}

func classify(err error) class {
	var api smithy.APIError
	switch {
	case errors.As(err, &api):
		return classifyAnswer(api, status(err))
	case errors.Is(err, context.Canceled):
		return ended
	case neverSent(err):
		return unsent
	}
	return unclear
}

func classifyAnswer(api smithy.APIError, status int) class {
	c, known := codes[api.ErrorCode()]
	switch {
	case c == badRequest && aboutSize(api.ErrorMessage()), status == 413:
		return tooLarge
	case known:
		return c
	case status >= 500:
		return unclear
	case status == 429:
		return throttled
	}
	return refused
}

// aboutSize tells the engine's texts about a limit in bytes, which have the code of
// any bad request.
func aboutSize(message string) bool {
	message = strings.ToLower(message)
	return strings.Contains(message, "size") && strings.Contains(message, "exceed")
}

// neverSent tells a failure to connect.
func neverSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

func status(err error) int {
	var answer *awshttp.ResponseError
	if errors.As(err, &answer) {
		return answer.HTTPStatusCode()
	}
	return 0
}

// sentinels are the port's errors of the classes that have one.
var sentinels = map[class]error{
	throttled: store.ErrThrottled, conflict: store.ErrConflict,
	tooLarge: store.ErrTooLarge, badRequest: store.ErrBadRequest,
}

// fail makes the caller's error of a call that failed.
func (t *tries) fail(ctx context.Context, call string, err error) error {
	if err == nil {
		return nil
	}
	e := &Error{Call: call, Code: "no answer", Status: status(err), cause: sentinels[classify(err)]}
	var api smithy.APIError
	if errors.As(err, &api) {
		e.Code = api.ErrorCode()
	}
	var answer *awshttp.ResponseError
	if errors.As(err, &answer) {
		e.RequestID = answer.ServiceRequestID()
	}
	if t.unclear {
		e.cause = nil
	}
	if e.cause == nil {
		e.cause = ctx.Err()
	}
	return e
}
