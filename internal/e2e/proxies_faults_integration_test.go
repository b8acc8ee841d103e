//go:build integration

package e2e

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// wire forwards TCP connections to an engine, so that a test can stop the engine for
// one service and let it come back at the same address.
type wire struct {
	t    *testing.T
	to   string
	addr string

	mu       sync.Mutex
	listener net.Listener
	open     map[net.Conn]bool
	all      sync.WaitGroup
	silent   chan struct{} // until it is closed answers wait; nil: they pass
}

// silence holds all answers back, or lets them pass again.
func (w *wire) silence(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if on && w.silent == nil {
		w.silent = make(chan struct{})
	} else if !on && w.silent != nil {
		close(w.silent)
		w.silent = nil
	}
}

// heard writes answers when they may pass.
type heard struct {
	w  *wire
	to io.Writer
}

func (h heard) Write(p []byte) (int, error) {
	h.w.mu.Lock()
	silent := h.w.silent
	h.w.mu.Unlock()
	if silent != nil {
		<-silent
	}
	return h.to.Write(p)
}

// wireTo makes a wire to an address like http://host:port and joins it.
func wireTo(t *testing.T, address string) *wire {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{t: t, to: u.Host, addr: "127.0.0.1:0", open: map[net.Conn]bool{}}
	w.join()
	t.Cleanup(func() { w.silence(false); w.cut(); w.all.Wait() })
	return w
}

func (w *wire) base() string { return "http://" + w.addr }

// join listens, after a cut at the same address.
func (w *wire) join() {
	w.t.Helper()
	l, err := net.Listen("tcp", w.addr)
	if err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	w.listener, w.addr = l, l.Addr().String()
	w.mu.Unlock()
	w.all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return // cut
			}
			w.all.Go(func() { w.forward(conn) })
		}
	})
}

// cut ends all connections, requests under way included, and refuses new ones.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.listener == nil {
		return
	}
	if err := w.listener.Close(); err != nil {
		w.t.Error(err)
	}
	w.listener = nil
	for conn := range w.open {
		_ = conn.Close() // it may have ended by itself
	}
}

func (w *wire) forward(near net.Conn) {
	defer w.forget(near)
	far, err := net.Dial("tcp", w.to)
	if err != nil {
		w.t.Errorf("the engine itself is gone: %v", err)
		return
	}
	defer w.forget(far)
	if !w.note(near, far) {
		return
	}
	back := make(chan struct{})
	go func() {
		defer close(back)
		_, _ = io.Copy(heard{w, near}, far) // ends with either connection
		_ = near.Close()
	}()
	_, _ = io.Copy(far, near)
	_ = far.Close()
	<-back
}

// note keeps connections for a cut; false when there was one meanwhile.
func (w *wire) note(conns ...net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range conns {
		w.open[c] = true
	}
	return w.listener != nil
}

func (w *wire) forget(c net.Conn) {
	w.mu.Lock()
	delete(w.open, c)
	w.mu.Unlock()
	_ = c.Close() // at the latest now
}

// gate forwards calls of DynamoDB and may answer one itself or hold its answer back.
type gate struct {
	*httptest.Server
	refuse atomic.Pointer[func() bool] // answers throttled while it says so
	hold   atomic.Pointer[func(call string)]

	refused atomic.Int64
}

// operation is the name of a call that a request makes.
func operation(r *http.Request) string {
	_, name, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	return name
}

func gateTo(t *testing.T, address string) *gate {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{}
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host },
		ModifyResponse: func(answer *http.Response) error {
			if hold := g.hold.Load(); hold != nil && answer.StatusCode == http.StatusOK {
				(*hold)(operation(answer.Request))
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() == nil && !errors.Is(err, net.ErrClosed) {
				t.Errorf("%s was not passed on: %v", operation(r), err)
			}
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuse := g.refuse.Load(); refuse != nil && (*refuse)() {
			g.throttle(w, r)
			return
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(g.Close)
	return g
}

// throttle answers as DynamoDB does when a table has no capacity left.
func (g *gate) throttle(w http.ResponseWriter, r *http.Request) {
	g.refused.Add(1)
	_, _ = io.Copy(io.Discard, r.Body) // so that the connection can be used again
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = io.WriteString(w, `{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"The table has no capacity left."}`)
}
