package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"holdfast/internal/errs"
	"holdfast/internal/routes"
)

// Router sends requests to the handler of their route; literal segments win over
// parameters (T.55). What no route serves goes to fallback. Paths are compared
// segment by segment in one spelling: an escaped letter is the letter, an escaped
// slash is no separator (RFC 3986, section 6.2.2).
func Router(table []routes.Route, handler func(routes.Route) http.Handler, fallback http.Handler) http.Handler {
	mux := chi.NewRouter()
	for _, r := range table {
		mux.Method(r.Method, r.Path, handler(r))
	}
	mux.NotFound(fallback.ServeHTTP)
	mux.MethodNotAllowed(fallback.ServeHTTP)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mux.ServeHTTP(w, spelled(r))
	})
}

// spelled is the request with its path in the one spelling that routes are written
// in: every segment decoded and escaped anew.
func spelled(r *http.Request) *http.Request {
	if r.URL.RawPath == "" {
		return r // the usual spelling already
	}
	parts := strings.Split(r.URL.RawPath, "/")
	for i, part := range parts {
		if plain, err := url.PathUnescape(part); err == nil {
			parts[i] = url.PathEscape(plain)
		}
	}
	own, at := *r, *r.URL
	at.RawPath = strings.Join(parts, "/")
	own.URL = &at
	return &own
}

// Fallback answers what none of the served routes does: 404 for an unknown path,
// 405 with Allow for a known one with another method (T.54). On AWS it stands
// behind $default.
func (g *Gate) Fallback(served []routes.Route) http.Handler {
	patterns := make([]*input, len(served))
	for i, r := range served {
		patterns[i] = &input{path: pattern(r.Path)}
	}
	route := routes.Route{ID: "default", Family: routes.Platform, Access: routes.Open, Timeout: 5 * time.Second}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := g.begin(w, r, route)
		x.v0 = strings.HasPrefix(r.URL.Path, v0Path)
		methods, taken := []string{}, false
		for i, p := range patterns {
			if _, ok := p.match(r.URL.EscapedPath()); ok && !slices.Contains(methods, served[i].Method) {
				methods = append(methods, served[i].Method)
				taken = taken || served[i].Method == r.Method
			}
		}
		if taken {
			methods = nil // a route takes the method, and yet the call came here: the path was another one, spelled alike
		}
		x.finish(answer{}, unserved(w.Header(), methods))
	})
}

func unserved(header http.Header, methods []string) error {
	if len(methods) == 0 {
		return errs.Missing()
	}
	slices.Sort(methods)
	header.Set("Allow", strings.Join(methods, ", "))
	return errs.New(errs.MethodNotAllowed, "METHOD_NOT_ALLOWED", "This path takes other methods; see Allow.")
}
