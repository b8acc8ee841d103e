package httpapi

import (
	"context"
	"log/slog"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/obs"
)

// asked gives what a request is known by from its beginning to every line that is
// logged with its context.
func (x *exchange) asked(ctx context.Context) context.Context {
	return obs.With(ctx, obs.Fields{RequestID: x.call.RequestID, Route: x.route.ID, ColdStart: x.cold})
}

// known adds who calls and where. That is done once, when all of it is granted and
// before the endpoint begins: a name that was only asked for is never logged.
func (x *exchange) known(ctx context.Context) context.Context {
	p := x.call.Principal
	return obs.With(ctx, obs.Fields{TenantID: p.TenantID, WorkspaceID: x.call.Workspace.ID, KeyID: p.KeyID})
}

// log writes the request's own line: ids, codes and numbers only (T.29). It names
// its fields itself: of a request that is refused the context knows less.
func (x *exchange) log(status int, e *errs.Error) {
	level := slog.LevelInfo
	p := x.call.Principal
	attrs := make([]slog.Attr, 0, 12)
	attrs = append(attrs,
		slog.String("requestId", x.call.RequestID),
		slog.String("route", x.route.ID),
		slog.Int("status", status),
		slog.Float64("ms", float64(time.Since(x.started).Microseconds())/1000))
	attrs = nonEmpty(attrs, "tenant", p.TenantID)
	attrs = nonEmpty(attrs, "workspace", x.call.Workspace.ID)
	attrs = nonEmpty(attrs, "key", p.KeyID)
	attrs = nonEmpty(attrs, "trace", x.trace.id)
	if x.cold {
		attrs = append(attrs, slog.Bool("cold", true))
	}
	if e != nil {
		attrs = append(attrs, slog.String("code", e.Code))
		if e.Kind == errs.Internal || e.Kind == errs.Unavailable {
			level = slog.LevelError
			attrs = append(attrs, slog.String("cause", errs.Describe(e.Cause)))
		}
	}
	x.gate.deps.Log.LogAttrs(context.WithoutCancel(x.r.Context()), level, "request", attrs...)
}

func nonEmpty(attrs []slog.Attr, name, value string) []slog.Attr {
	if value == "" {
		return attrs
	}
	return append(attrs, slog.String(name, value))
}
