package lambdahttp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/lambda"
)

// Wrap makes a Lambda handler of an http.Handler.
func Wrap(h http.Handler) lambda.Handler { return wrapped{h} }

type wrapped struct{ handler http.Handler }

// Invoke answers one event. Its errors are an event that is none of payload format
// 2.0 and a handler that wrote no answer; everything else is an HTTP answer.
func (w wrapped) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var e event
	if err := json.Unmarshal(payload, &e); err != nil || e.Context.HTTP.Method == "" {
		return nil, fmt.Errorf("lambdahttp: the event is not of payload format 2.0")
	}
	r, err := request(ctx, &e)
	if err != nil {
		return nil, err
	}
	out := &recorder{header: http.Header{}}
	w.handler.ServeHTTP(out, r)
	if out.status == 0 {
		return nil, fmt.Errorf("lambdahttp: the handler wrote no answer")
	}
	return encode(out.response())
}

// request makes the request that the event stands for.
func request(ctx context.Context, e *event) (*http.Request, error) {
	body := []byte(e.Body)
	if e.Base64 {
		decoded, err := base64.StdEncoding.DecodeString(e.Body)
		if err != nil {
			return nil, fmt.Errorf("lambdahttp: the event's body is not base64")
		}
		body = decoded
	}
	r := &http.Request{
		Method: e.Context.HTTP.Method, URL: target(e), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: headers(e), Host: e.Headers["host"], RemoteAddr: e.Context.HTTP.SourceIP,
		Body: http.NoBody, ContentLength: int64(len(body)),
	}
	if r.Host == "" {
		r.Host = e.Context.Domain
	}
	if len(body) > 0 {
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	r.RequestURI = r.URL.RequestURI()
	return r.WithContext(ctx), nil
}

// headers keeps every value whole: a comma may be part of it. Only the lines that
// Front told apart are parted again.
func headers(e *event) http.Header {
	header := make(http.Header, len(e.Headers)+1)
	for name, value := range e.Headers {
		name = http.CanonicalHeaderKey(name)
		if separator(name) == "\n" {
			header[name] = strings.Split(value, "\n")
		} else {
			header[name] = []string{value}
		}
	}
	if len(e.Cookies) > 0 {
		header["Cookie"] = []string{strings.Join(e.Cookies, "; ")}
	}
	return header
}

// target is the URL that was called.
func target(e *event) *url.URL {
	u := &url.URL{RawQuery: e.RawQuery}
	if encoded, ok := rebuilt(e); ok {
		u.Path, u.RawPath = decoded(encoded), encoded
		return u
	}
	// Decoded already on AWS, not by Front; only 404 or 405 depends on it.
	u.Path, u.RawPath = decoded(e.RawPath), e.RawPath
	if u.Path == "" {
		u.Path = "/"
	}
	return u
}

// rebuilt puts the path parameters into the pattern of the route key, encoded.
func rebuilt(e *event) (string, bool) {
	_, pattern, ok := strings.Cut(e.RouteKey, " ")
	if !ok || !strings.HasPrefix(pattern, "/") {
		return "", false
	}
	parts := strings.Split(pattern, "/")
	for i, part := range parts {
		if !strings.HasPrefix(part, "{") {
			continue
		}
		value, known := e.PathParameters[strings.Trim(part, "{}")]
		if !known {
			return "", false
		}
		parts[i] = url.PathEscape(value)
	}
	return strings.Join(parts, "/"), true
}

func decoded(path string) string {
	plain, err := url.PathUnescape(path)
	if err != nil {
		return path
	}
	return plain
}

// recorder collects an answer.
type recorder struct {
	header http.Header
	status int
	sent   http.Header // as they were when the status was written
	body   bytes.Buffer
}

// Header is the answer's header until the status is written.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader fixes status and header; only the first call counts.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status, r.sent = status, r.header.Clone()
	}
}

// Write adds to the body.
func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(p)
}

// response is the collected answer in the format's form.
func (r *recorder) response() response {
	out := response{Status: r.status, Headers: make(map[string]string, len(r.sent))}
	for name, values := range r.sent {
		if name == "Set-Cookie" {
			out.Cookies = values
		} else {
			out.Headers[name] = strings.Join(values, ", ")
		}
	}
	if utf8.Valid(r.body.Bytes()) {
		out.Body = r.body.String()
	} else {
		out.Body, out.Base64 = base64.StdEncoding.EncodeToString(r.body.Bytes()), true
	}
	return out
}

// encode writes JSON without escaping what HTML would.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("lambdahttp: %w", err)
	}
	return b.Bytes(), nil
}
