package lambdahttp

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/lambda"

	"holdfast/internal/routes"
)

// Front calls a Lambda handler as API Gateway would for a route; the zero route
// stands for $default. A call that has begun is finished even when its caller is
// gone, as on AWS.
func Front(route routes.Route, h lambda.Handler) http.Handler {
	f := front{key: defaultKey, limit: max(route.BodyLimit, routes.Body64K) + 1, function: h,
		badInput: cmp.Or(route.BadInput, http.StatusBadRequest)}
	if route.Path != "" {
		f.key, f.pattern = route.Method+" "+route.Path, strings.Split(route.Path, "/")
	}
	return f
}

type front struct {
	key      string
	pattern  []string
	limit    int // bytes of a body that are read: one more than the route takes
	badInput int // status of a body that cannot be read
	function lambda.Handler
}

// drained is how many bytes of a body that is too long are still taken off the
// connection.
const drained = 16 << 20

// ServeHTTP turns the request into an event and the answer back. Whatever fails on
// the way is answered as a problem, never as a success.
func (f front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, int64(f.limit)))
	if err != nil {
		f.unread(w, r, err)
		return
	}
	if len(body) == f.limit {
		_, _ = io.CopyN(io.Discard, r.Body, drained) // so that the caller gets to read its 413
	}
	payload, err := encode(f.event(r, body))
	if err != nil {
		broken(w)
		return
	}
	answered, err := f.function.Invoke(context.WithoutCancel(r.Context()), payload)
	if err != nil {
		broken(w)
		return
	}
	relay(w, answered)
}

func (f front) event(r *http.Request, body []byte) *event {
	e := &event{
		Version: "2.0", RouteKey: f.key, RawPath: f.rawPath(r.URL), RawQuery: ascii(r.URL.RawQuery), PathParameters: f.parameters(r),
		Headers: make(map[string]string, len(r.Header)+1),
		Context: requestContext{RouteKey: f.key, Stage: defaultKey, Domain: r.Host, HTTP: httpContext{
			Method: r.Method, Path: r.URL.Path, Protocol: r.Proto, SourceIP: sourceIP(r.RemoteAddr), UserAgent: r.UserAgent(),
		}},
	}
	for name, values := range r.Header {
		if name != "Cookie" {
			e.Headers[strings.ToLower(name)] = strings.Join(values, separator(name))
		}
	}
	for _, line := range r.Header["Cookie"] {
		e.Cookies = append(e.Cookies, strings.Split(line, "; ")...)
	}
	e.Headers["host"] = r.Host
	if utf8.Valid(body) {
		e.Body = string(body)
	} else {
		e.Body, e.Base64 = base64.StdEncoding.EncodeToString(body), true
	}
	return e
}

// rawPath is the path decoded, as API Gateway sends it. To $default it goes as it
// was sent, so that an encoded slash is still no separator where 404 and 405 are
// told apart.
func (f front) rawPath(u *url.URL) string {
	if f.key == defaultKey {
		return u.EscapedPath()
	}
	return u.Path
}

// separator joins the lines of one header. API Gateway takes a comma for all; of an
// Idempotency-Key, which may hold commas, two lines must not become one key, so
// they are joined by what no header can hold.
func separator(name string) string {
	if name == "Idempotency-Key" {
		return "\n"
	}
	return ","
}

// parameters reads the path's parameters, each decoded on its own.
func (f front) parameters(r *http.Request) map[string]string {
	var all map[string]string
	parts := strings.Split(r.URL.EscapedPath(), "/")
	for i, part := range f.pattern {
		if !strings.HasPrefix(part, "{") || i >= len(parts) {
			continue
		}
		value, err := url.PathUnescape(parts[i])
		if err != nil {
			value = parts[i]
		}
		if all == nil {
			all = make(map[string]string, 2)
		}
		all[strings.Trim(part, "{}")] = value
	}
	return all
}

// ascii encodes what a query should have encoded, so that bytes which are no UTF-8
// arrive as they were sent.
func ascii(query string) string {
	if strings.IndexFunc(query, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return query
	}
	var b strings.Builder
	for i := range len(query) {
		if c := query[i]; c < utf8.RuneSelf {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func sourceIP(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}

// relay sends the function's answer.
func relay(w http.ResponseWriter, payload []byte) {
	var answer response
	if err := json.Unmarshal(payload, &answer); err != nil || answer.Status < 200 || answer.Status > 999 {
		broken(w)
		return
	}
	body := answer.Body
	if answer.Base64 {
		decoded, err := base64.StdEncoding.DecodeString(answer.Body)
		if err != nil {
			broken(w)
			return
		}
		body = string(decoded)
	}
	header := w.Header()
	for name, value := range answer.Headers {
		header.Set(name, value)
	}
	for _, cookie := range answer.Cookies {
		header.Add("Set-Cookie", cookie)
	}
	w.WriteHeader(answer.Status)
	_, _ = io.WriteString(w, body) // fails only when the caller is gone, or the status has no body
}
