package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"holdfast/internal/errs"
)

// TestT9EveryKindHasItsStatus: RFC 9457 with code and requestId, no instance.
func TestT9EveryKindHasItsStatus(t *testing.T) {
	for _, c := range []struct {
		kind       errs.Kind
		status     int
		retryAfter string
	}{
		{errs.Invalid, 422, ""},
		{errs.Unauthenticated, 401, ""},
		{errs.Forbidden, 403, ""},
		{errs.NotFound, 404, ""},
		{errs.Conflict, 409, ""},
		{errs.Precondition, 412, ""},
		{errs.KeyReused, 422, ""},
		{errs.InProgress, 409, "1"},
		{errs.TooLarge, 413, ""},
		{errs.RateLimited, 429, "1"},
		{errs.Exhausted, 429, ""},
		{errs.Unprocessable, 422, ""},
		{errs.Unavailable, 503, "1"},
		{errs.MethodNotAllowed, 405, ""},
	} {
		route := openRoute
		route.BadInput = 422
		e := errs.New(c.kind, "SOME_CODE", "A sentence.")
		e.Cause = errors.New("private")
		answer := ask(t, newGate(t, testDeps(io.Discard)).Handler(answering(route, Reply[echo]{}, e)), "GET", "/open", "")
		answer.want(t, c.status, "SOME_CODE")
		if answer.header.Get("Retry-After") != c.retryAfter {
			t.Errorf("%d: Retry-After %q", c.status, answer.header.Get("Retry-After"))
		}
		if ct := answer.header.Get("Content-Type"); ct != "application/problem+json" {
			t.Errorf("content type %q", ct)
		}
		b := answer.body
		if b["status"] != float64(c.status) || b["detail"] != "A sentence." || b["title"] == "" || b["type"] != "about:blank" ||
			b["requestId"] != answer.header.Get("Request-Id") || b["instance"] != nil || strings.Contains(answer.raw, "private") {
			t.Errorf("%d: %s", c.status, answer.raw)
		}
	}
}

// TestT10BadInputIsTheRoutesStatus: 400 here, 422 there.
func TestT10BadInputIsTheRoutesStatus(t *testing.T) {
	for _, want := range []int{400, 422} {
		route := openRoute
		route.BadInput = want
		h := newGate(t, testDeps(io.Discard)).Handler(answering(route, Reply[echo]{}, errs.Validation(errs.Field{Pointer: "/a", Rule: "must"})))
		answer := ask(t, h, "GET", "/open", "")
		answer.want(t, want, "VALIDATION_FAILED")
		if got := answer.pointers(); len(got) != 1 || got[0] != "/a" {
			t.Errorf("pointers %q", got)
		}
	}
}

// TestT9ExtraMembersStandBesideTheFixedOnes and replace none of them.
func TestT9ExtraMembersStandBesideTheFixedOnes(t *testing.T) {
	e := errs.New(errs.Unprocessable, "CONTEXT_BUDGET_TOO_SMALL", "Too small.")
	e.Extra = map[string]any{"minimumTokens": 812, "code": "OTHER", "requestId": "other"}
	e.RetryAfter = time.Minute
	answer := ask(t, newGate(t, testDeps(io.Discard)).Handler(answering(openRoute, Reply[echo]{}, e)), "GET", "/open", "")
	answer.want(t, 422, "CONTEXT_BUDGET_TOO_SMALL")
	if answer.body["minimumTokens"] != 812.0 || answer.body["requestId"] != answer.header.Get("Request-Id") {
		t.Errorf("%s", answer.raw)
	}
	e.Extra = map[string]any{"broken": math.NaN()}
	ask(t, newGate(t, testDeps(io.Discard)).Handler(answering(openRoute, Reply[echo]{}, e)), "GET", "/open", "").
		want(t, 422, "CONTEXT_BUDGET_TOO_SMALL")
}

// TestT9UnknownErrorsShowNothing: a 500 without cause, the log has no content.
func TestT9UnknownErrorsShowNothing(t *testing.T) {
	_, number := strconv.Atoi("kanarya")
	var syntax error = json.Unmarshal([]byte(`"kanarya"`), new(int))
	for name, c := range map[string]struct {
		err    error
		status int
		log    string
	}{
		"plain":      {errors.New("table is on fire"), 500, "table is on fire"},
		"wrapped":    {fmt.Errorf("store: get: %w", io.ErrUnexpectedEOF), 500, "store: get < unexpected EOF"},
		"parser":     {fmt.Errorf("row: %w", number), 500, "strconv.NumError"},
		"json":       {syntax, 500, "json.UnmarshalTypeError"},
		"internal":   {errs.Wrap(errs.Internal, "NEEDS", "Route a uses port b.", io.EOF), 500, "NEEDS: Route a uses port b. < EOF"},
		"system":     {&fs.PathError{Op: "write", Path: "kanarya", Err: syscall.ENOSPC}, 500, "fs.PathError < no space left on device"},
		"deadline":   {fmt.Errorf("search: %w", context.DeadlineExceeded), 503, "search"},
		"canceled":   {context.Canceled, 503, "canceled"},
		"joined":     {errors.Join(number, io.EOF), 500, "errors.joinError (*strconv.NumError < invalid syntax; EOF)"},
		"dependency": {errs.Wrap(errs.Unavailable, "UNAVAILABLE", "Try again.", io.EOF), 503, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			log := &safeBuffer{}
			answer := ask(t, newGate(t, testDeps(log)).Handler(answering(openRoute, Reply[echo]{}, c.err)), "GET", "/open", "")
			if answer.status != c.status {
				t.Errorf("status %d, want %d", answer.status, c.status)
			}
			if strings.Contains(answer.raw+log.String(), "kanarya") {
				t.Errorf("content got out: %s %s", answer.raw, log)
			}
			if !strings.Contains(log.String(), c.log) {
				t.Errorf("log %s lacks %q", log, c.log)
			}
			if c.status == 500 && answer.body["code"] != "INTERNAL" {
				t.Errorf("body %s", answer.raw)
			}
		})
	}
}

// TestPanicsAreA500LoggedWithoutContent: place and type, never the value.
func TestPanicsAreA500LoggedWithoutContent(t *testing.T) {
	for name, c := range map[string]struct {
		cause any
		log   string
	}{
		"text":    {"kanarya", "panic of string"},
		"error":   {fmt.Errorf("kanarya"), "panic of *errors.errorString"},
		"runtime": {nil, "index out of range"},
	} {
		t.Run(name, func(t *testing.T) {
			log := &safeBuffer{}
			e := Handle(openRoute, func(context.Context, *Call, *struct{}) (Reply[echo], error) {
				if c.cause == nil {
					var empty []int
					return OK(echo{Got: empty[len(log.String())]}), nil
				}
				panic(c.cause)
			})
			answer := ask(t, newGate(t, testDeps(log)).Handler(e), "GET", "/open", "")
			answer.want(t, 500, "INTERNAL")
			if strings.Contains(answer.raw+log.String(), "kanarya") {
				t.Errorf("content got out: %s %s", answer.raw, log)
			}
			if !strings.Contains(log.String(), c.log) || !strings.Contains(log.String(), "problem_test") && !strings.Contains(log.String(), "TestPanics") {
				t.Errorf("log %s", log)
			}
		})
	}
}

// TestAnswersThatCannotBeWrittenAre500: nothing of them is sent.
func TestAnswersThatCannotBeWrittenAre500(t *testing.T) {
	answer := ask(t, newGate(t, testDeps(io.Discard)).Handler(answering(openRoute, OK(echo{Got: math.Inf(1), Tenant: "x"}), nil)), "GET", "/open", "")
	answer.want(t, 500, "INTERNAL")
}

// TestReadyJSONIsSentAsItIs: documents that are built once.
func TestReadyJSONIsSentAsItIs(t *testing.T) {
	answer := ask(t, newGate(t, testDeps(io.Discard)).Handler(answering(openRoute, OK(json.RawMessage(`{ "a": 1 }`)), nil)), "GET", "/open", "")
	if answer.raw != `{ "a": 1 }` || answer.header.Get("Content-Type") != "application/json" {
		t.Errorf("%q %v", answer.raw, answer.header)
	}
}

// TestRouteTimeoutIsTheCallsDeadline: code below sees it.
func TestRouteTimeoutIsTheCallsDeadline(t *testing.T) {
	route := openRoute
	route.Timeout = time.Nanosecond
	e := Handle(route, func(c context.Context, _ *Call, _ *struct{}) (Reply[echo], error) {
		<-c.Done()
		return Reply[echo]{}, c.Err()
	})
	answer := ask(t, newGate(t, testDeps(io.Discard)).Handler(e), "GET", "/open", "")
	answer.want(t, 503, "UNAVAILABLE")
	if answer.header.Get("Retry-After") == "" {
		t.Error("503 without Retry-After")
	}
}
