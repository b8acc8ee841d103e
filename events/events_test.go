// Package events holds one sample event a route and worker, in the form in which
// AWS hands it to the function, and tests that each is what it says.
package events

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	lambda "github.com/aws/aws-lambda-go/events"

	"holdfast/internal/outbox"
	"holdfast/internal/routes"
)

// deployed lists the routes that have a function: the test clock is local only.
func deployed() []routes.Route {
	return slices.DeleteFunc(routes.All(), func(r routes.Route) bool { return r.LocalOnly })
}

// known maps the ids of all routes and workers to themselves.
func known() map[string]bool {
	out := make(map[string]bool)
	for _, r := range deployed() {
		out[r.ID] = true
	}
	for _, w := range routes.Workers() {
		out[w.ID] = true
	}
	return out
}

// read decodes an event strictly: a member that AWS does not send is an error.
func read(t *testing.T, id string, into any) {
	t.Helper()
	f, err := os.Open(id + ".json")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s.json: %v", id, err)
	}
}

func TestEveryEventHasItsRouteOrWorker(t *testing.T) {
	files, err := filepath.Glob("*.json")
	if err != nil {
		t.Fatal(err)
	}
	have := known()
	for _, f := range files {
		if id := strings.TrimSuffix(f, ".json"); !have[id] {
			t.Errorf("%s names no route and no worker", f)
		}
	}
	if len(files) != len(have) {
		t.Errorf("%d events for %d routes and workers", len(files), len(have))
	}
}

func TestEveryRouteHasItsEvent(t *testing.T) {
	for _, r := range deployed() {
		t.Run(r.ID, func(t *testing.T) {
			var e lambda.APIGatewayV2HTTPRequest
			read(t, r.ID, &e)
			key := r.Method + " " + r.Path
			if e.Version != "2.0" || e.RouteKey != key || e.RequestContext.RouteKey != key {
				t.Errorf("version %q, route keys %q and %q; want 2.0 and %q", e.Version, e.RouteKey, e.RequestContext.RouteKey, key)
			}
			if e.RequestContext.HTTP.Method != r.Method || e.RequestContext.HTTP.Path != e.RawPath {
				t.Errorf("context says %s %s", e.RequestContext.HTTP.Method, e.RequestContext.HTTP.Path)
			}
			if err := agrees(r, e); err != nil {
				t.Error(err)
			}
		})
	}
}

var parameter = regexp.MustCompile(`\{([A-Za-z]+)\}`)

// agrees checks path, query, key and body against the table.
func agrees(r routes.Route, e lambda.APIGatewayV2HTTPRequest) error {
	path := parameter.ReplaceAllStringFunc(r.Path, func(p string) string { return e.PathParameters[strings.Trim(p, "{}")] })
	if path != e.RawPath || strings.Count(r.Path, "{") != len(e.PathParameters) {
		return fmt.Errorf("path %q does not follow from its parameters", e.RawPath)
	}
	query, err := url.ParseQuery(e.RawQueryString)
	if err != nil || len(query) != len(e.QueryStringParameters) {
		return fmt.Errorf("query %q: %v", e.RawQueryString, err)
	}
	for name, value := range e.QueryStringParameters {
		if query.Get(name) != value {
			return fmt.Errorf("query parameter %s differs", name)
		}
	}
	if r.Scope == routes.WorkspaceQuery && query.Get("workspaceId") == "" {
		return fmt.Errorf("no workspaceId in the query")
	}
	if (e.Headers["authorization"] == "") != (r.Access == routes.Open || r.Access == routes.RunAccess) ||
		(e.Headers["x-agentos-run-token"] == "") != (r.Access != routes.RunAccess) {
		return fmt.Errorf("authorization does not fit the access")
	}
	return body(r, e)
}

func body(r routes.Route, e lambda.APIGatewayV2HTTPRequest) error {
	if e.Body != "" && r.BodyLimit == 0 {
		return fmt.Errorf("a body where none is taken")
	}
	var members map[string]any
	if e.Body != "" {
		if err := json.Unmarshal([]byte(e.Body), &members); err != nil {
			return fmt.Errorf("body: %w", err)
		}
	}
	if r.Scope == routes.WorkspaceBody && members["workspaceId"] == nil {
		return fmt.Errorf("no workspaceId in the body")
	}
	return nil
}

func TestEveryWorkerHasItsEvent(t *testing.T) {
	for _, w := range routes.Workers() {
		t.Run(w.ID, func(t *testing.T) {
			if w.Trigger == routes.OnSchedule {
				var e lambda.EventBridgeEvent
				read(t, w.ID, &e)
				if e.Source != "aws.events" || !strings.HasSuffix(e.Resources[0], "/"+w.ID) {
					t.Errorf("event %+v", e)
				}
				return
			}
			if w.Trigger == routes.OnStream {
				var e lambda.DynamoDBEvent
				read(t, w.ID, &e)
				if len(e.Records) == 0 || e.Records[0].Change.NewImage["kind"].String() == "" || e.Records[0].Change.SequenceNumber == "" {
					t.Errorf("event %+v", e)
				}
				return
			}
			var e lambda.SQSEvent
			read(t, w.ID, &e)
			for _, m := range e.Records {
				sum := md5.Sum([]byte(m.Body))
				if m.Md5OfBody != hex.EncodeToString(sum[:]) || !strings.HasSuffix(m.EventSourceARN, "-"+w.Queue) {
					t.Errorf("message %+v", m)
				}
				if _, err := outbox.ParseMessage(m.Body); err != nil {
					t.Error(err)
				}
			}
			if len(e.Records) == 0 {
				t.Error("no messages")
			}
		})
	}
}
