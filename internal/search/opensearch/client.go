package opensearch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/opensearch-project/opensearch-go/v4"
	"github.com/opensearch-project/opensearch-go/v4/signer"
	"github.com/opensearch-project/opensearch-go/v4/signer/awsv2"

	"holdfast/internal/search"
)

// maxAnswer is the most bytes that are read of an answer.
const maxAnswer = 64 << 20

func newClient(c Config) (*opensearch.Client, error) {
	sign, err := newSigner(c)
	if err != nil {
		return nil, err
	}
	transport := c.Transport
	if transport == nil {
		transport = newTransport()
	}
	discover := false
	beside, end := context.WithCancel(context.Background())
	end()
	return opensearch.NewClient(opensearch.Config{
		Addresses: []string{c.URL}, Signer: sign, Transport: limited{transport, cmp.Or(c.most, maxAnswer)}, DiscoverNodesOnStart: &discover,
		// The callers retry: a worker its message, a retrieval not at all. Health is what
		// requests show, so no probe runs beside them: the client would ask for the nodes'
		// statistics every five seconds, which a function's role need not be allowed.
		DisableRetry: true, HealthCheckMaxRetries: -1, Context: beside,
	})
}

// newSigner answers the signer for AWS (service "es"), nil where there are no
// credentials.
func newSigner(c Config) (signer.Signer, error) {
	if c.Credentials == nil {
		return nil, nil
	}
	if c.Region == "" {
		return nil, errors.New("search/opensearch: credentials without a region")
	}
	return awsv2.NewSigner(aws.Config{Region: c.Region, Credentials: c.Credentials})
}

func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 3 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   3 * time.Second,
		MaxIdleConns:          64,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       50 * time.Second, // below the 60 s of AWS's balancers
		ExpectContinueTimeout: time.Second,
		ForceAttemptHTTP2:     true,
	}
}

// limited keeps an answer from filling the memory: the client reads all of it.
type limited struct {
	http.RoundTripper
	most int64
}

// RoundTrip cuts a body after most bytes, so that it cannot be parsed.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := l.RoundTripper.RoundTrip(r)
	if err == nil && response.Body != nil {
		response.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(response.Body, l.most), response.Body}
	}
	return response, err
}

// request is one call of the engine's HTTP interface.
type request struct {
	method string
	path   string // begins with a slash and needs no escapes: ids travel in bodies
	query  url.Values
	body   []byte
	lines  bool // the body is a sequence of JSON lines
}

// GetRequest makes the HTTP request; the client adds the address.
func (r request) GetRequest(method string) (*http.Request, error) {
	u := url.URL{Path: r.path, RawQuery: r.query.Encode()}
	if r.body == nil {
		return http.NewRequest(method, u.String(), nil)
	}
	out, err := http.NewRequest(method, u.String(), bytes.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	out.Header.Set("Content-Type", "application/json")
	if r.lines {
		out.Header.Set("Content-Type", "application/x-ndjson")
	}
	return out, nil
}

// nothing is where an answer goes that nobody reads.
var nothing *opensearch.NoBody

// do asks the engine and reads its answer into out.
func do[T any](ctx context.Context, x *engine, r request, out *T) error {
	ctx, cancel := context.WithTimeout(ctx, x.timeout)
	defer cancel()
	response, err := opensearch.Do(ctx, x.client, r.method, r, out)
	if response != nil && response.IsError() {
		return refused(response)
	}
	if err != nil {
		return unanswered(ctx, err)
	}
	return nil
}

// unanswered tells why there is no answer to read. The client's own error may hold
// what the engine said, so it is not passed on.
func unanswered(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return context.Canceled
	case ctx.Err() != nil, isTimeout(err):
		return fmt.Errorf("%w: no answer in time", search.ErrUnavailable)
	case errors.Is(err, opensearch.ErrJSONUnmarshalBody), errors.Is(err, opensearch.ErrReadBody):
		return fmt.Errorf("%w: the answer cannot be read", search.ErrUnavailable)
	}
	return fmt.Errorf("%w: no connection", search.ErrUnavailable)
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// problem is what the engine says of a failure. Only the type is safe to repeat.
type problem struct {
	Type string `json:"type"`
}

// refused reads an answer whose status says that nothing was done.
func refused(response *opensearch.Response) error {
	var answer struct {
		Error problem `json:"error"`
	}
	body, err := io.ReadAll(response.Body)
	if err != nil || json.Unmarshal(body, &answer) != nil {
		answer.Error = problem{} // a proxy's page, a string: the status says enough
	}
	return failure(response.StatusCode, answer.Error)
}

// Refusal is an answer that the same request would get again.
type Refusal struct {
	Status int
	Type   string // the engine's exception, such as mapper_parsing_exception
}

// Error names the status and the exception.
func (r *Refusal) Error() string {
	return fmt.Sprintf("search/opensearch: refused with status %d %s", r.Status, r.Type)
}

// failure tells passing failures, among them a lack of rights or of the index,
// which people mend, from those that stay.
func failure(status int, p problem) error {
	refusal := &Refusal{Status: status, Type: exception(p.Type)}
	switch {
	case status >= 500, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout,
		status == http.StatusUnauthorized, status == http.StatusForbidden, p.Type == "index_not_found_exception":
		return fmt.Errorf("%w: %w", search.ErrUnavailable, refusal)
	}
	return fmt.Errorf("%w: %w", search.ErrRefused, refusal)
}

// exception answers a type only if it looks like one.
func exception(name string) string {
	if len(name) > 100 {
		return ""
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && r != '_' {
			return ""
		}
	}
	return name
}

// encode is json.Marshal of what always can be: numbers were checked before.
func encode(value any) []byte {
	out, err := json.Marshal(value)
	if err != nil {
		panic("search/opensearch: " + err.Error())
	}
	return out
}
