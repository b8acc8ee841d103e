// Package httpapi is the endpoint layer: everything between an HTTP request and
// one call of a service method, and back.
//
// A family's endpoint is Handle(route, fn): fn gets decoded, validated input and
// a Call (who calls, where, under which idempotency key), calls one service
// method and returns a Reply. Rules of fields are stated once, as schema tags of
// the input's types (github.com/danielgtaylor/huma/v2): the schema validates and
// becomes the OpenAPI operation. A Gate serves endpoints as http.Handlers; each
// request passes, in this order: request id and traceparent (T.11), the route's
// deadline, authentication (T.2), rate limits (T.14), capability (T.4), body
// limit and JSON hygiene (T.8), workspace (T.7), validation (T.9),
// Idempotency-Key (T.15), the endpoint. Only here is a tenant.Scope granted for
// a call. Lines that are logged with a call's context carry its request id, route,
// tenant, workspace and key.
//
// Bodies are checked by our own walker over the schema instead of huma.Validate:
// that one repeats values in some messages, gives dotted paths that member names
// with dots make ambiguous, compares names without case and rounds large whole
// numbers. A fuzz test holds that both accept the same values otherwise.
//
// It may import the kernel, ports, routes, obs, net/http, huma (schemas only) and chi
// (the router). Families are sub-packages; it never imports them.
//
// Invariants: no answer and no log line holds a value that the caller sent
// (names of members may be repeated, shortened); an unknown error is a 500 with
// nothing in it; every answer has a Request-Id of its own.
package httpapi
