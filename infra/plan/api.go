package plan

import (
	"regexp"
	"slices"

	"holdfast/internal/routes"
)

// API is the HTTP API in front of the routes.
type API struct {
	Name      string
	LogGroup  string
	Rate      int // calls a second
	Burst     int // calls at once
	CORS      *CORS
	AccessLog map[string]string // members of a line of the access log
}

// CORS says which web pages may call.
type CORS struct {
	Origins, Methods, Headers, Exposed []string
	MaxAgeSeconds                      int
}

// RouteTrigger makes a function answer a route.
type RouteTrigger struct {
	Key       string // of the HTTP API
	Source    string // ARN pattern of the calls that may start the function
	Reason    string // why it has a wildcard
	TimeoutMS int    // of the gateway: a little more than the function's
}

// defaultKey is the route key of what no route takes.
const defaultKey = "$default"

// accessLog names what a line holds: ids, codes and times. Addresses of callers
// and queries are left out (T.29).
var accessLog = map[string]string{
	"requestId": "$context.requestId", "routeKey": "$context.routeKey", "status": "$context.status",
	"responseMs": "$context.responseLatency", "functionMs": "$context.integrationLatency",
	"functionStatus": "$context.integrationStatus", "bytes": "$context.responseLength", "at": "$context.requestTimeEpoch",
}

func (p Plan) api(s Settings, table []routes.Route) API {
	a := API{Name: p.Prefix, LogGroup: "/aws/vendedlogs/" + p.Prefix + "-api", Rate: s.ThrottleRate, Burst: s.ThrottleBurst, AccessLog: accessLog}
	if len(s.CORS) > 0 {
		a.CORS = &CORS{Origins: s.CORS, Methods: methods(table), Headers: requestHeaders, Exposed: answerHeaders, MaxAgeSeconds: 600}
	}
	return a
}

// The headers that a page may send, and those of answers that it may read beside
// the ones that every page may.
var (
	requestHeaders = []string{"authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "request-id", "traceparent"}
	answerHeaders  = []string{"allow", "etag", "idempotency-replayed", "memory-sequence", "request-id", "retry-after"}
)

func methods(table []routes.Route) []string {
	var out []string
	for _, r := range table {
		if !r.LocalOnly && !slices.Contains(out, r.Method) {
			out = append(out, r.Method)
		}
	}
	slices.Sort(out)
	return out
}

// gatewayGrace is how much longer than its function the gateway waits, so that a
// function's own answer to its deadline gets through.
const gatewayGrace = 1000 // milliseconds

var parameter = regexp.MustCompile(`\{[^/]+\}`)

func routeTrigger(r routes.Route) *RouteTrigger {
	t := &RouteTrigger{
		Key: r.Method + " " + r.Path, TimeoutMS: int(r.Timeout.Milliseconds()) + gatewayGrace,
		Source: arn("execute-api", APIID.String()+"/*/"+r.Method+parameter.ReplaceAllString(r.Path, "*")),
		Reason: "the API's one stage, and the ids in the path",
	}
	return t
}
