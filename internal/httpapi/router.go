package httpapi

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"holdfast/internal/errs"
	"holdfast/internal/routes"
)

// Router sends requests to the handler of their route; literal segments win over
// parameters (T.55). What no route serves goes to fallback.
func Router(table []routes.Route, handler func(routes.Route) http.Handler, fallback http.Handler) http.Handler {
	mux := chi.NewRouter()
	for _, r := range table {
		mux.Method(r.Method, r.Path, handler(r))
	}
	mux.NotFound(fallback.ServeHTTP)
	mux.MethodNotAllowed(fallback.ServeHTTP)
	return mux
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
		x.v0 = strings.HasPrefix(r.URL.Path, "/v0/")
		methods := []string{}
		for i, p := range patterns {
			if _, ok := p.match(r.URL.EscapedPath()); ok && !slices.Contains(methods, served[i].Method) {
				methods = append(methods, served[i].Method)
			}
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

// v0Error is the error object of the facts family (R3.1).
type v0Error struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func v0Problem(e *errs.Error) v0Error {
	var body v0Error
	body.Error.Code, body.Error.Message = strings.ToLower(e.Code), e.Public
	return body
}
