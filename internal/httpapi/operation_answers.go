package httpapi

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/routes"
)

// versioned are the routes whose answers show one version and so carry an entity tag.
var versioned = []string{
	routes.MemoryGet.ID, routes.MemoryUpdate.ID, routes.MemoryReview.ID, routes.MemoryShare.ID,
	routes.FactsSave.ID, routes.FactsGet.ID, routes.AgentsFactsEdit.ID,
	routes.AdminWorkspacesCreate.ID, routes.AdminWorkspacesGet.ID, routes.AdminWorkspacesSet.ID,
}

func (e Endpoint) tagged() bool { return slices.Contains(versioned, e.route.ID) }

// sends names the headers of a success.
func (e Endpoint) sends() []string {
	names := []string{headerRequestID}
	if e.tagged() {
		names = append(names, "Etag")
	}
	if e.route.Mutates {
		names = append(names, headerSequence)
	}
	if e.route.Idempotency != routes.NoIdempotency {
		names = append(names, headerReplayed)
	}
	if e.route.ID == routes.MemoryRetrieve.ID || e.route.ID == routes.MemoryEvaluate.ID {
		names = append(names, "Memory-Arms")
	}
	return names
}

// headerTexts says what the headers of answers mean. Request-Id alone is always there.
var headerTexts = map[string]string{
	headerRequestID:    "The id of this call, a UUID",
	"Etag":             "The version, in quotes",
	headerSequence:     "The sequence of the last row that was written, for consistency.atLeast; absent where nothing was",
	headerReplayed:     "true: this is the answer to an earlier call with the same Idempotency-Key",
	"Memory-Arms":      "Which arms of the search ran, as name=state",
	"Retry-After":      "Seconds until a new try makes sense",
	"Www-Authenticate": "The scheme that is asked for",
}

func headers(names ...string) map[string]*huma.Param {
	out := make(map[string]*huma.Param, len(names))
	for _, name := range names {
		shown := name
		if name == "Etag" {
			shown = "ETag"
		}
		out[shown] = &huma.Param{Description: headerTexts[name], Required: name == headerRequestID, Schema: &huma.Schema{Type: huma.TypeString}}
	}
	return out
}

// problemHeaders are those of a problem by its status.
func problemHeaders(status string) map[string]*huma.Param {
	switch status {
	case "401":
		return headers(headerRequestID, "Www-Authenticate")
	case "409", "429", "503", "default":
		return headers(headerRequestID, "Retry-After")
	}
	return headers(headerRequestID)
}

// responses lists the success, the shared problems and, under default, the codes
// of the route's own.
func (e Endpoint) responses(registry huma.Registry) map[string]*huma.Response {
	r := e.route
	out := map[string]*huma.Response{strconv.Itoa(r.Success): e.success(registry)}
	if e.tagged() && r.Method == http.MethodGet {
		out["304"] = &huma.Response{Description: http.StatusText(http.StatusNotModified), Headers: headers("Request-Id", "Etag")}
	}
	for _, shared := range sharedProblems(r, e.input.rule != nil) {
		e.add(out, registry, strconv.Itoa(shared.status), shared.code)
	}
	for _, code := range r.Codes {
		e.add(out, registry, "default", code)
	}
	if r.ID == routes.FactsSave.ID { // a repeated key answers what was written first (S3.24)
		out["200"] = e.success(registry)
		out["200"].Description = http.StatusText(http.StatusOK)
	}
	return out
}

func (e Endpoint) success(registry huma.Registry) *huma.Response {
	response := &huma.Response{Description: http.StatusText(e.route.Success), Headers: headers(e.sends()...)}
	if e.route.Success == http.StatusNoContent {
		return response
	}
	response.Content = map[string]*huma.MediaType{
		"application/json": {Schema: registry.Schema(e.output, true, e.route.ID+"Answer")},
	}
	return response
}

// add notes a code under a status.
func (e Endpoint) add(out map[string]*huma.Response, registry huma.Registry, status, code string) {
	v0 := strings.HasPrefix(e.route.Path, v0Path)
	if v0 {
		code = v0Code(code)
	}
	response := out[status]
	if response == nil {
		response = &huma.Response{Description: "Problem; code:", Headers: problemHeaders(status), Content: map[string]*huma.MediaType{
			problemType: {Schema: registry.Schema(reflect.TypeFor[Problem](), true, "Problem")},
		}}
		if v0 {
			response.Content = map[string]*huma.MediaType{
				"application/json": {Schema: registry.Schema(reflect.TypeFor[v0Error](), true, "Refusal")},
			}
		}
		out[status] = response
	}
	separator := ","
	if strings.HasSuffix(response.Description, ":") {
		separator = ""
	}
	response.Description += fmt.Sprintf("%s %s", separator, code)
}

type sharedProblem struct {
	status int
	code   string
}

// sharedProblems are those that the gate itself answers on a route.
func sharedProblems(r routes.Route, body bool) []sharedProblem {
	all := []sharedProblem{{r.BadInput, "VALIDATION_FAILED"}, {500, "INTERNAL"}, {503, "UNAVAILABLE"}}
	if body {
		all = append(all, sharedProblem{r.BadInput, "MALFORMED_JSON"}, sharedProblem{408, "REQUEST_TIMEOUT"}, sharedProblem{413, "BODY_TOO_LARGE"})
	}
	if r.Access != routes.Open {
		all = append(all, sharedProblem{401, "UNAUTHENTICATED"}, sharedProblem{429, "RATE_LIMITED"})
	}
	if r.Access == routes.KeyAccess || r.Access == routes.RootAccess {
		all = append(all, sharedProblem{403, "CAPABILITY_MISSING"})
	}
	if r.Access == routes.RunAccess && r.Needs.Has(routes.Write) {
		all = append(all, sharedProblem{401, "INVOCATION_ENDED"})
	}
	if r.Scope == routes.WorkspaceKey {
		all = append(all, sharedProblem{422, "WORKSPACE_REQUIRED"})
	}
	if r.Scope != routes.TenantScope || strings.Contains(r.Path, "{") {
		all = append(all, sharedProblem{404, "NOT_FOUND"})
	}
	if r.Idempotency != routes.NoIdempotency {
		all = append(all, sharedProblem{409, "IDEMPOTENCY_IN_PROGRESS"}, sharedProblem{422, "IDEMPOTENCY_KEY_REUSED"})
	}
	return all
}
