package awsconf

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"time"
)

// NewClient makes the HTTP client of SDK clients. It bounds what comes before an
// answer: connecting, and the handshake. How long an answer may take is the caller's
// to say, by its context.
//
// Idle connections are kept for less than the 60 seconds after which AWS's balancers
// close theirs, since a request that meets a closing connection fails after it may
// have been carried out.
func NewClient() *http.Client {
	dialer := net.Dialer{Timeout: 2 * time.Second, KeepAlive: 15 * time.Second}
	return &http.Client{
		Transport: ownBody{&http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           dialer.DialContext,
			TLSHandshakeTimeout:   3 * time.Second,
			ExpectContinueTimeout: time.Second,
			MaxIdleConnsPerHost:   64,
			IdleConnTimeout:       50 * time.Second,
			ForceAttemptHTTP2:     true,
			DisableCompression:    true, // clients say what they accept
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// ownBody gives the transport its own copy of each request's body, for two reasons.
//
// With a copy the transport can send a request again of which nothing was written,
// since its idle connection turned out to be closed, as after a function was frozen.
//
// The SDK closes a body when the answer has come. MiniStack may answer before the
// transport has seen the body's end; the transport then finds it closed and reports a
// request that was carried out as failed, about once in 1,600.
type ownBody struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t ownBody) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return t.next.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if cerr := r.Body.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.ContentLength = int64(len(body))
	if r.Body, err = r.GetBody(); err != nil {
		return nil, err
	}
	return t.next.RoundTrip(r)
}
