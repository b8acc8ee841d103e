package deliver

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// The codes of calls that brought no answer, or not a good one: HTTP_ and the status.
const (
	CodeTimeout = "TIMEOUT"
	CodeLookup  = "DNS_FAILED"
	CodeRefused = "TARGET_REFUSED"
	CodeTLS     = "TLS_FAILED"
	CodeConnect = "CONNECT_FAILED"
)

// The bounds of a call.
const (
	Timeout     = 10 * time.Second // all of it: look-up, connection, answer
	checkTime   = 3 * time.Second  // a look-up while a caller waits
	maxHeader   = 16 << 10         // bytes of an answer's header
	maxDialled  = 4                // addresses of a host that are tried
	eachAddress = 3 * time.Second  // a connection to one of several addresses
)

// Options are what a Caller is made of.
type Options struct {
	// Allow are networks that may be called although they are private, also by http.
	Allow []netip.Prefix
	// Resolve looks a host up; nil: the system's resolver.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	// Dial connects to an address; nil: the system's.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// TLS is where certificates are looked up; nil: the system's.
	TLS *tls.Config
}

// Caller calls webhooks. It is safe for concurrent use.
type Caller struct{ Options }

// New makes a Caller.
func New(o Options) *Caller {
	if o.Resolve == nil {
		o.Resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{}).DialContext
	}
	return &Caller{Options: o}
}

// Check says which rule an address breaks; empty: none. A host that cannot be looked
// up just now breaks none: it is checked again with every call.
func (c *Caller) Check(ctx context.Context, address string) (rule string) {
	t, rule := parse(address)
	if rule != "" {
		return rule
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	found, err := c.lookUp(ctx, t)
	if err != nil {
		if t.plain {
			return ruleScheme
		}
		return ""
	}
	return c.refuses(t, found)
}

func (c *Caller) lookUp(ctx context.Context, t target) ([]netip.Addr, error) {
	if t.literal.IsValid() {
		return []netip.Addr{t.literal}, nil
	}
	found, err := c.Resolve(ctx, t.host)
	if err == nil && len(found) == 0 {
		err = errors.New("deliver: a host without addresses")
	}
	return found, err
}

// refuses says which rule is broken by where a target leads. One address that may not
// be called is enough: who answers several answers in any order.
func (c *Caller) refuses(t target, found []netip.Addr) (rule string) {
	for _, a := range found {
		switch {
		case within(c.Allow, a):
		case !public(a):
			return ruleTarget
		case t.plain:
			return ruleScheme
		}
	}
	return ""
}

// Send posts a body once. It answers the status, 0 where none came, and a code that
// is empty when the status is one of 200 to 299.
func (c *Caller) Send(ctx context.Context, address string, header http.Header, body []byte) (status int, code string) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	t, rule := parse(address)
	if rule != "" {
		return 0, CodeRefused
	}
	found, err := c.lookUp(ctx, t)
	if err != nil {
		return 0, timedOut(ctx, CodeLookup)
	}
	if c.refuses(t, found) != "" {
		return 0, CodeRefused
	}
	status, err = c.post(ctx, address, t, found, header, body)
	switch {
	case err != nil:
		return 0, codeOf(ctx, err)
	case status < 200 || status > 299:
		return status, fmt.Sprintf("HTTP_%d", status)
	}
	return status, ""
}

func (c *Caller) post(ctx context.Context, address string, t target, found []netip.Addr, header http.Header, body []byte) (int, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	maps.Copy(q.Header, header)
	transport := &http.Transport{
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return c.connect(ctx, t.port, found) },
		TLSClientConfig:   c.TLS.Clone(),
		DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: maxHeader,
	}
	answer, err := transport.RoundTrip(q) // one call: no redirects, no cookies
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, ignored(answer.Body.Close())
}

// ignored: the status came, and the rest of an answer means nothing.
func ignored(error) error { return nil }

// connect dials the addresses that were checked, one after the other.
func (c *Caller) connect(ctx context.Context, port string, found []netip.Addr) (net.Conn, error) {
	var last error
	for _, a := range found[:min(len(found), maxDialled)] {
		one, cancel := ctx, context.CancelFunc(func() {})
		if len(found) > 1 {
			one, cancel = context.WithTimeout(ctx, eachAddress)
		}
		conn, err := c.Dial(one, "tcp", net.JoinHostPort(a.Unmap().String(), port))
		cancel()
		if err == nil {
			return conn, nil
		}
		last = err
	}
	return nil, last
}

func timedOut(ctx context.Context, code string) string {
	if ctx.Err() != nil {
		return CodeTimeout
	}
	return code
}

func codeOf(ctx context.Context, err error) string {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	if errors.As(err, &certificate) || errors.As(err, &record) || errors.As(err, &alert) {
		return CodeTLS
	}
	return timedOut(ctx, CodeConnect)
}
