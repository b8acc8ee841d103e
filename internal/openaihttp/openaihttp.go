// Package openaihttp posts JSON to an address that speaks like OpenAI's, for the
// adapters of embedding and language models. It checks the address and the key, follows
// no redirects, which would carry texts to addresses that nobody configured, and tells of
// a failed connection nothing but the step that failed.
//
// It imports the standard library only.
package openaihttp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ErrOption: an option makes no sense; the text says which, without its value.
var ErrOption = errors.New("openai: wrong option")

// Options say whom to ask.
type Options struct {
	URL    string // http or https, up to and without Path, such as https://host/v1
	Path   string // below URL
	Key    string // sent as bearer token; empty: none is sent
	Client *http.Client
}

// Client makes requests that take at most so long, and follows no redirects.
func Client(limit time.Duration) *http.Client {
	return &http.Client{Timeout: limit, CheckRedirect: stay}
}

// Address is asked by Post. It is safe for concurrent use.
type Address struct {
	endpoint  string
	client    *http.Client
	authorize func(http.Header) // holds the key, so that printing an Address cannot
}

// New checks the options. It does not ask the address.
func New(o Options) (*Address, error) {
	endpoint, err := o.endpoint()
	if err != nil {
		return nil, err
	}
	key := o.Key
	return &Address{endpoint: endpoint, client: o.Client, authorize: func(header http.Header) {
		if key != "" {
			header.Set("Authorization", "Bearer "+key)
		}
	}}, nil
}

func (o *Options) endpoint() (string, error) {
	address, err := url.Parse(o.URL)
	switch {
	case err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https":
		return "", fmt.Errorf("%w: URL must be an http or https address", ErrOption)
	case address.RawQuery != "" || address.Fragment != "" || address.User != nil:
		return "", fmt.Errorf("%w: URL must have no user, query or fragment", ErrOption)
	case strings.ContainsAny(o.Key, "\r\n\x00"):
		return "", fmt.Errorf("%w: Key has control characters", ErrOption)
	}
	return address.JoinPath(o.Path).String(), nil
}

// stay answers the redirect itself instead of following it.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Endpoint is what Post asks.
func (a *Address) Endpoint() string { return a.endpoint }

// Post makes one request. Whoever gets an answer ends it with Close. The error says what
// failed, as Broken does.
func (a *Address) Post(ctx context.Context, body []byte) (*http.Response, error) {
	message, err := http.NewRequestWithContext(ctx, http.MethodPost, a.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the request cannot be made")
	}
	message.Header.Set("Content-Type", "application/json")
	message.Header.Set("Accept", "application/json")
	a.authorize(message.Header)
	response, err := a.client.Do(message)
	if err != nil {
		return nil, Broken(err)
	}
	return response, nil
}

// Broken tells of a connection that failed only the step that did: the rest may hold the
// address or what the other side wrote.
func Broken(cause error) error {
	step := "answer"
	if operation := (*net.OpError)(nil); errors.As(cause, &operation) {
		step = operation.Op
	}
	if timeout := net.Error(nil); errors.As(cause, &timeout) && timeout.Timeout() {
		step += " timeout"
	}
	return fmt.Errorf("connection failed (%s)", step)
}

// ErrTooLarge: a body is longer than the limit.
var ErrTooLarge = errors.New("the answer is too large")

// Read reads a whole body of at most limit bytes. The error is ErrTooLarge, or what Broken
// says.
func Read(body io.Reader, limit int64) ([]byte, error) {
	read, err := io.ReadAll(io.LimitReader(body, limit+1))
	switch {
	case err != nil:
		return nil, Broken(err)
	case int64(len(read)) > limit:
		return nil, ErrTooLarge
	}
	return read, nil
}

// rest is how much of an answer is read to use the connection again.
const rest = 64 << 10

// Close reads the small rest of a body, so that the connection can be used again.
func Close(body io.ReadCloser) {
	_, drained := io.Copy(io.Discard, io.LimitReader(body, rest))
	_ = errors.Join(drained, body.Close()) // the answer is already judged
}
