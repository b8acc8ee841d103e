package httpapi

import (
	"context"
	"net/http"
	"reflect"
	"strconv"

	"holdfast/internal/commit"
	"holdfast/internal/routes"
)

// Endpoint is one route with the code that answers it. Its Gate serves it.
type Endpoint struct {
	route  routes.Route
	input  *input
	output reflect.Type
	serve  func(ctx context.Context, c *Call, raw *rawInput) (answer, error)
}

// Route is the route that the endpoint answers.
func (e Endpoint) Route() routes.Route { return e.route }

// Handle makes the endpoint of a route. I is a struct whose fields carry the
// tags path:"id", query:"limit" or header:"X", and, where the route takes a
// body, one field Body; schema tags state the rules of each. Body's members are
// strict: unknown ones are refused. It panics on an input that cannot be served,
// which is found when the process starts.
func Handle[I, O any](route routes.Route, fn func(context.Context, *Call, *I) (Reply[O], error)) Endpoint {
	plan := newInput(route, reflect.TypeFor[I]())
	return Endpoint{
		route:  route,
		input:  plan,
		output: reflect.TypeFor[O](),
		serve: func(ctx context.Context, c *Call, raw *rawInput) (answer, error) {
			in := new(I)
			if err := plan.fill(reflect.ValueOf(in).Elem(), raw); err != nil {
				return answer{}, err
			}
			reply, err := fn(ctx, c, in)
			if err != nil {
				return answer{}, err
			}
			return answer{status: reply.Status, header: reply.Header, body: reply.Body, empty: reply.NoBody}, nil
		},
	}
}

// Reply is an endpoint's answer.
type Reply[O any] struct {
	Status int // 0: the route's success status
	Header http.Header
	Body   O
	NoBody bool // true: Body is not sent (304); a 204 never has one
}

// answer is a Reply without its type.
type answer struct {
	status int
	header http.Header
	body   any
	empty  bool
}

// OK answers a body with the route's success status.
func OK[O any](body O) Reply[O] { return Reply[O]{Body: body} }

// Empty answers a status without a body, such as 304 (R0.60).
func Empty[O any](status int) Reply[O] { return Reply[O]{Status: status, NoBody: true} }

// With adds a header.
func (r Reply[O]) With(name, value string) Reply[O] {
	if r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header.Set(name, value)
	return r
}

// Wrote tells what a commit did: its sequence for reads that must see it
// (R0.62), and whether this is a replay (T.15). Sequences begin at 1: 0 is a call
// that wrote nothing, and has no sequence to tell.
func (r Reply[O]) Wrote(o commit.Outcome) Reply[O] {
	if o.Sequence > 0 {
		r = r.With(headerSequence, strconv.FormatInt(o.Sequence, 10))
	}
	if o.Replayed {
		r = r.With(headerReplayed, "true")
	}
	return r
}

// ETag names the version that the body shows (T.16).
func (r Reply[O]) ETag(version int64) Reply[O] { return r.With("Etag", VersionTag(version)) }

// The names of our own headers, in canonical form.
const (
	headerRequestID = "Request-Id"
	headerTrace     = "Traceparent"
	headerSequence  = "Memory-Sequence"
	headerReplayed  = "Idempotency-Replayed"
	headerKey       = "Idempotency-Key"
)
