package httpapi

import (
	"context"
	"net/http"
	"strings"

	"holdfast/internal/apikey"
	"holdfast/internal/capability"
	"holdfast/internal/errs"
	"holdfast/internal/routes"
)

// unauthenticated is the one answer to every credential that is none (T.2).
func unauthenticated() error {
	return errs.New(errs.Unauthenticated, "UNAUTHENTICATED", "A valid bearer key is needed.")
}

// Lacks is the error of a key without a capability; the answer names it (T.4).
func Lacks(name capability.Name) *errs.Error {
	e := errs.New(errs.Forbidden, "CAPABILITY_MISSING", "This key lacks the capability that the call needs.")
	e.Extra = map[string]any{"capability": string(name)}
	return e
}

// bearer takes the key's text out of the one Authorization header.
func bearer(header http.Header) (string, bool) {
	values := header["Authorization"]
	if len(values) != 1 {
		return "", false
	}
	scheme, text, ok := strings.Cut(values[0], " ")
	text = strings.Trim(text, " ")
	return text, ok && text != "" && strings.EqualFold(scheme, "Bearer")
}

// authenticate finds out who calls.
func (g *Gate) authenticate(ctx context.Context, header http.Header) (apikey.Principal, error) {
	text, ok := bearer(header)
	if !ok {
		return apikey.Principal{}, unauthenticated()
	}
	p, err := g.auth.Authenticate(ctx, text)
	if errs.Is(err, errs.Unauthenticated) {
		return apikey.Principal{}, unauthenticated()
	}
	return p, err
}

// permit holds the principal against what the route asks for.
func permit(route routes.Route, p apikey.Principal) error {
	need := route.Capability
	if route.Access == routes.RootAccess {
		need = capability.Root
	}
	if p.Can(need) {
		return nil
	}
	return Lacks(need)
}

// limited asks the limiter, which the root key does not know (T.14).
func (g *Gate) limited(p apikey.Principal) error {
	if g.deps.Limiter == nil || p.Kind == apikey.Root {
		return nil
	}
	after, ok := g.deps.Limiter.Allow(p)
	if ok {
		return nil
	}
	e := errs.New(errs.RateLimited, "RATE_LIMITED", "Too many calls; try again later.")
	e.RetryAfter = after
	return e
}
