package obs

import (
	"context"
	"io"
	"log/slog"
	"slices"
)

// NewLogger makes the process's logger. Lines are written whole, one Write each;
// secrets are values that none may hold, such as the root key. A nil level is info.
func NewLogger(w io.Writer, level slog.Leveler, secrets ...string) *slog.Logger {
	inner := slog.NewJSONHandler(NewRedactor(w, secrets...), &slog.HandlerOptions{Level: level})
	return slog.New(&handler{inner: inner})
}

// Fields are a request's or job's fields, as far as they are known. Empty ones are
// left out of the lines.
type Fields struct {
	RequestID   string
	Route       string // id of the route or worker
	TenantID    string
	WorkspaceID string
	KeyID       string
	ColdStart   bool
}

type fieldsKey struct{}

// With answers a context whose log lines have these fields beside those that ctx
// has; a field given here wins.
func With(ctx context.Context, f Fields) context.Context {
	before := From(ctx)
	merged := Fields{
		RequestID:   either(f.RequestID, before.RequestID),
		Route:       either(f.Route, before.Route),
		TenantID:    either(f.TenantID, before.TenantID),
		WorkspaceID: either(f.WorkspaceID, before.WorkspaceID),
		KeyID:       either(f.KeyID, before.KeyID),
		ColdStart:   f.ColdStart || before.ColdStart,
	}
	return context.WithValue(ctx, fieldsKey{}, merged)
}

// From answers the fields that a context has.
func From(ctx context.Context) Fields {
	f, _ := ctx.Value(fieldsKey{}).(Fields)
	return f
}

func either(now, before string) string {
	if now != "" {
		return now
	}
	return before
}

// attrs are the fields under the names that all lines use.
func (f Fields) attrs() []slog.Attr {
	all := []slog.Attr{
		slog.String("requestId", f.RequestID), slog.String("route", f.Route), slog.String("tenant", f.TenantID),
		slog.String("workspace", f.WorkspaceID), slog.String("key", f.KeyID),
	}
	set := make([]slog.Attr, 0, len(all)+1)
	for _, a := range all {
		if a.Value.String() != "" {
			set = append(set, a)
		}
	}
	if f.ColdStart {
		set = append(set, slog.Bool("cold", true))
	}
	return set
}

// handler adds the context's fields to each line. They stand at the top of the
// line, also below a logger's group, and a line that names one itself keeps its
// own. So groups and attributes of loggers are kept here and written with the
// line.
type handler struct {
	inner slog.Handler
	steps []step
}

// step is what WithGroup or WithAttrs added.
type step struct {
	group string
	attrs []slog.Attr
}

// Enabled implements slog.Handler.
func (h *handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.inner.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h *handler) Handle(ctx context.Context, r slog.Record) error {
	attrs := make([]slog.Attr, 0, r.NumAttrs())
	r.Attrs(func(a slog.Attr) bool { attrs = append(attrs, a); return true })
	for i := len(h.steps) - 1; i >= 0; i-- {
		attrs = h.steps[i].around(attrs)
	}
	line := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	for _, a := range From(ctx).attrs() {
		if !slices.ContainsFunc(attrs, func(own slog.Attr) bool { return own.Key == a.Key }) {
			line.AddAttrs(a)
		}
	}
	line.AddAttrs(attrs...)
	return h.inner.Handle(ctx, line)
}

func (s step) around(attrs []slog.Attr) []slog.Attr {
	if s.group == "" {
		return append(append(make([]slog.Attr, 0, len(s.attrs)+len(attrs)), s.attrs...), attrs...)
	}
	if len(attrs) == 0 {
		return nil
	}
	return []slog.Attr{{Key: s.group, Value: slog.GroupValue(attrs...)}}
}

// WithAttrs implements slog.Handler.
func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler { return h.with(step{attrs: attrs}) }

// WithGroup implements slog.Handler.
func (h *handler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	return h.with(step{group: name})
}

func (h *handler) with(s step) slog.Handler {
	return &handler{inner: h.inner, steps: append(h.steps[:len(h.steps):len(h.steps)], s)}
}
