package httpapi

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"holdfast/internal/errs"
)

// problemType is the media type of errors (RFC 9457).
const problemType = "application/problem+json"

// Problem is the body of an error (T.9). It has no member instance (T.46).
type Problem struct {
	_ struct{} `additionalProperties:"true"`

	Type      string       `json:"type"`
	Title     string       `json:"title"`
	Status    int          `json:"status"`
	Detail    string       `json:"detail"`
	Code      string       `json:"code"`
	RequestID string       `json:"requestId"`
	Errors    []errs.Field `json:"errors,omitempty" doc:"With VALIDATION_FAILED and MALFORMED_JSON: what is wrong where"`
}

// status is the one place where kinds become statuses; badInput is the route's
// (T.10).
func status(kind errs.Kind, badInput int) int {
	switch kind {
	case errs.Invalid:
		return badInput
	case errs.Unauthenticated:
		return http.StatusUnauthorized
	case errs.Forbidden:
		return http.StatusForbidden
	case errs.NotFound:
		return http.StatusNotFound
	case errs.MethodNotAllowed:
		return http.StatusMethodNotAllowed
	case errs.Conflict, errs.InProgress:
		return http.StatusConflict
	case errs.Precondition:
		return http.StatusPreconditionFailed
	case errs.TooLarge:
		return http.StatusRequestEntityTooLarge
	case errs.KeyReused, errs.Unprocessable:
		return http.StatusUnprocessableEntity
	case errs.RateLimited, errs.Exhausted:
		return http.StatusTooManyRequests
	case errs.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// asError makes any error one that may be shown: what carries no kind is
// Internal, and an exceeded deadline is Unavailable.
func asError(err error) *errs.Error {
	if e := errs.As(err); e != nil && e.Kind != errs.Internal {
		return e
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return errs.Wrap(errs.Unavailable, "UNAVAILABLE", "The call could not be finished in time; try again.", err)
	}
	return errs.Wrap(errs.Internal, "INTERNAL", "Something went wrong on our side.", err)
}

// problem builds the body of an error: the fixed members, then Extra.
func problem(e *errs.Error, status int, requestID string) any {
	p := Problem{Type: "about:blank", Title: http.StatusText(status), Status: status,
		Detail: e.Public, Code: e.Code, RequestID: requestID, Errors: e.Fields}
	if len(e.Extra) == 0 {
		return p
	}
	all := map[string]any{"type": p.Type, "title": p.Title, "status": p.Status,
		"detail": p.Detail, "code": p.Code, "requestId": p.RequestID}
	if len(p.Errors) > 0 {
		all["errors"] = p.Errors
	}
	for name, value := range e.Extra {
		if _, taken := all[name]; !taken {
			all[name] = value
		}
	}
	return all
}

// headersOf sets what an error says in headers: when to try again, how to
// authenticate.
func headersOf(e *errs.Error, header http.Header) {
	switch e.Kind {
	case errs.RateLimited, errs.InProgress, errs.Unavailable:
		header.Set("Retry-After", seconds(max(e.RetryAfter, time.Second)))
	case errs.Exhausted:
		if e.RetryAfter > 0 {
			header.Set("Retry-After", seconds(e.RetryAfter))
		}
	case errs.Unauthenticated:
		header.Set("Www-Authenticate", "Bearer")
	}
}

// seconds is a time in whole seconds, rounded up (RFC 9110, section 10.2.3).
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64(math.Ceil(d.Seconds())), 10)
}

// faults is the error of everything that is wrong with a request at once.
func faults(fields []errs.Field) error {
	if len(fields) == 0 {
		return nil
	}
	return errs.Validation(fields[:min(len(fields), maxFields)]...)
}
