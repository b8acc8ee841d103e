package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"holdfast/internal/errs"
	"holdfast/internal/idem"
	"holdfast/internal/routes"
)

// read takes the body, within the route's limit, and walks it once. A text that
// is no JSON ends here; other faults wait for validation.
func (x *exchange) read(_ context.Context, in *input) error {
	body, err := limitedBody(x.r, x.route.BodyLimit)
	if err != nil {
		return err
	}
	x.call.Body, x.raw.body, x.raw.header = body, body, x.r.Header
	x.raw.query, err = url.ParseQuery(x.r.URL.RawQuery)
	if err != nil {
		return errs.Validation(errs.Field{Pointer: "", Rule: "must have a query string that can be read"})
	}
	blank := len(bytes.TrimLeft(body, " \t\r\n")) == 0
	switch {
	case blank && (in.rule == nil || in.lenient):
		return nil
	case in.rule == nil:
		return errs.Validation(errs.Field{Pointer: "", Rule: "must have no body"})
	}
	if x.seen = checkJSON(body, in.rule, ""); x.seen.broken {
		return Malformed()
	}
	x.raw.body = x.seen.respelled(body)
	return nil
}

// limitedBody reads a body of at most limit bytes (T.8); of one that is longer
// no more than that is read.
func limitedBody(r *http.Request, limit int) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	if limit == 0 {
		limit = routes.Body64K // takes none: what comes is only looked at
	}
	if r.ContentLength > int64(limit) {
		return nil, tooLarge()
	}
	buffer := bytes.NewBuffer(make([]byte, 0, max(r.ContentLength, 0)+bytes.MinRead))
	if _, err := buffer.ReadFrom(io.LimitReader(r.Body, int64(limit)+1)); err != nil {
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			return nil, err
		}
		return nil, errs.Wrap(errs.Invalid, "VALIDATION_FAILED", "The body could not be read.", err)
	}
	if buffer.Len() > limit {
		return nil, tooLarge()
	}
	return buffer.Bytes(), nil
}

func tooLarge() error {
	return errs.New(errs.TooLarge, "BODY_TOO_LARGE", "The body is over the limit of this call.")
}

// validate answers everything that is wrong with the request at once, and reads
// the headers that all calls share.
func (x *exchange) validate(_ context.Context, in *input) error {
	fields := append(in.check(&x.raw), x.seen.fields...)
	fields = x.conditions(fields)
	text, fields := x.idempotencyKey(fields)
	if err := faults(fields); err != nil {
		return err
	}
	if text != "" {
		key := idem.NewKey(x.call.Principal.KeyID, x.route.Method, x.r.URL.Path, text, x.request(), -1)
		x.call.Key = &key
	}
	return nil
}

// conditions reads If-Match and If-None-Match (T.16). Repeated lines are one list.
func (x *exchange) conditions(fields []errs.Field) []errs.Field {
	for _, c := range []struct {
		name string
		to   *string
	}{{"If-Match", &x.call.IfMatch}, {"If-None-Match", &x.call.IfNoneMatch}} {
		values := x.r.Header[c.name]
		if len(values) == 0 {
			continue
		}
		*c.to = strings.Join(values, ", ")
		if _, ok := ParseTags(*c.to); !ok {
			fields = append(fields, errs.Field{Pointer: c.name, Rule: "must be * or a list of entity tags in quotes"})
		}
	}
	return fields
}

// idempotencyKey reads the header of T.15: 1 to 255 printable ASCII characters.
func (x *exchange) idempotencyKey(fields []errs.Field) (string, []errs.Field) {
	values := x.r.Header[headerKey]
	if len(values) == 0 || x.route.Idempotency == routes.NoIdempotency {
		return "", fields
	}
	if len(values) > 1 || !printable(values[0]) {
		return "", append(fields, errs.Field{Pointer: headerKey, Rule: "must be one text of 1 to 255 printable characters"})
	}
	return values[0], fields
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= 255
}

// request is what a key's second use must repeat: the body, or on a call without
// one the query in the order of its names.
func (x *exchange) request() []byte {
	if x.route.BodyLimit == 0 {
		return []byte(x.raw.query.Encode())
	}
	return x.call.Body
}
