package localapp

import (
	"net/http"
	"slices"

	"github.com/aws/aws-lambda-go/lambda"

	"holdfast/internal/app"
	"holdfast/internal/httpapi"
	"holdfast/internal/httpapi/all"
	"holdfast/internal/lambdahttp"
	"holdfast/internal/lambdawork"
	"holdfast/internal/localserver"
	"holdfast/internal/openapi"
	"holdfast/internal/routes"
)

// handler mounts every route behind its own function.
func (s *server) handler() (http.Handler, error) {
	gate, err := httpapi.NewGate(s.Deps(routes.Healthz))
	if err != nil {
		return nil, err
	}
	functions := map[string]lambda.Handler{}
	table := s.table()
	for _, e := range s.endpoints(table) {
		functions[e.Route().ID] = lambdahttp.Wrap(gate.Handler(e))
	}
	document, err := openapi.Endpoint(s.endpoints(table[:len(table)-1]))
	if err != nil {
		return nil, err
	}
	functions[routes.OpenAPI.ID] = lambdahttp.Wrap(gate.Handler(document))
	return localserver.Handler(table, functions, lambdahttp.Wrap(gate.Fallback(table)))
}

// table lists the routes that are served: the test clock only where there is one,
// the document last.
func (s *server) table() []routes.Route {
	var table []routes.Route
	for _, r := range routes.All() {
		if r.ID != routes.OpenAPI.ID && (!r.LocalOnly || s.shifted != nil) {
			table = append(table, r)
		}
	}
	return append(table, routes.OpenAPI)
}

func (s *server) endpoints(table []routes.Route) []httpapi.Endpoint {
	constructors := all.Constructors()
	var out []httpapi.Endpoint
	for _, r := range table {
		build := constructors[r.ID]
		if build == nil {
			continue // the document's own endpoint
		}
		d := s.Deps(r)
		if s.shifted != nil {
			d.Advance = s.advance
		}
		out = append(out, build(d))
	}
	return out
}

// ownWorkers are those of one process: no stream, since commits relay themselves.
func ownWorkers() []routes.Worker {
	return slices.DeleteFunc(routes.Workers(), func(w routes.Worker) bool { return w.Trigger == routes.OnStream })
}

func workerFunctions(a *app.App) map[string]lambda.Handler {
	out := map[string]lambda.Handler{}
	for _, w := range ownWorkers() {
		if handle := a.OnMessage(w); handle != nil {
			out[w.ID] = lambdawork.Queue(w, handle, a.Log)
		} else if handle := a.OnSchedule(w); handle != nil {
			out[w.ID] = lambdawork.Schedule(w, handle, a.Log)
		}
	}
	return out
}
