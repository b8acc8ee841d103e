package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"time"

	"holdfast/internal/errs"
)

// log writes the request's one line: ids, codes and numbers only (T.29).
func (x *exchange) log(status int, e *errs.Error) {
	level := slog.LevelInfo
	p := x.call.Principal
	attrs := make([]slog.Attr, 0, 12)
	attrs = append(attrs,
		slog.String("requestId", x.call.RequestID),
		slog.String("route", x.route.ID),
		slog.Int("status", status),
		slog.Float64("ms", float64(time.Since(x.started).Microseconds())/1000))
	attrs = some2(attrs, "tenant", p.TenantID)
	attrs = some2(attrs, "workspace", x.call.Workspace.ID)
	attrs = some2(attrs, "key", p.KeyID)
	attrs = some2(attrs, "trace", x.trace.id)
	if x.cold {
		attrs = append(attrs, slog.Bool("cold", true))
	}
	if e != nil {
		attrs = append(attrs, slog.String("code", e.Code))
		if e.Kind == errs.Internal || e.Kind == errs.Unavailable {
			level = slog.LevelError
			attrs = append(attrs, slog.String("cause", describe(e.Cause)))
		}
	}
	x.gate.deps.Log.LogAttrs(context.WithoutCancel(x.r.Context()), level, "request", attrs...)
}

func some2(attrs []slog.Attr, name, value string) []slog.Attr {
	if value == "" {
		return attrs
	}
	return append(attrs, slog.String(name, value))
}

// describe is an error for the log. Our own errors never hold content; those of
// parsers and clients repeat what they read, so of other types only the name is
// shown.
func describe(err error) string {
	var parts []string
	for ; err != nil && len(parts) < 8; err = errors.Unwrap(err) {
		var own *errs.Error
		inner := errors.Unwrap(err)
		switch {
		case errors.As(err, &own) && own == err:
			parts = append(parts, own.Code)
		case errors.As(err, new(stack)):
			parts = append(parts, err.Error())
		case inner != nil:
			if text, ok := strings.CutSuffix(err.Error(), inner.Error()); ok && fmt.Sprintf("%T", err) == "*fmt.wrapError" {
				parts = append(parts, strings.TrimRight(text, ": "))
			} else {
				parts = append(parts, fmt.Sprintf("%T", err))
			}
		case fmt.Sprintf("%T", err) == "*errors.errorString":
			parts = append(parts, err.Error())
		default:
			parts = append(parts, fmt.Sprintf("%T", err))
		}
	}
	return strings.Join(parts, " < ")
}

// stack is a recovered panic: its type and where it happened, never its value,
// which may hold content.
type stack struct{ text string }

// Error tells type and place.
func (s stack) Error() string { return s.text }

// panicked makes the error of a recovered panic.
func panicked(cause any) error {
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
