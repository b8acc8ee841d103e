package deliver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// receiver is a webhook's target, over plain http.
func receiver(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s.URL
}

func TestT22APostBringsTheAnswersStatus(t *testing.T) {
	for status, code := range map[int]string{200: "", 204: "", 299: "", 301: "HTTP_301", 302: "HTTP_302", 304: "HTTP_304", 307: "HTTP_307", 400: "HTTP_400", 410: "HTTP_410", 500: "HTTP_500", 503: "HTTP_503"} {
		var paths []string
		at := receiver(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			paths = append(paths, r.Method+" "+r.URL.Path+" "+string(body)+" "+r.Header.Get("Webhook-Id"))
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
		})
		got, gotCode := New(Options{Allow: loopback}).Send(t.Context(), at+"/hook", http.Header{"Webhook-Id": {"d"}}, []byte("{}"))
		if got != status || gotCode != code || !slices.Equal(paths, []string{"POST /hook {} d"}) {
			t.Errorf("%d: %d %q after %v", status, got, gotCode, paths)
		}
	}
}

// A host is looked up once a call, and what was checked is what is dialled.
func TestT22TheCheckedAddressIsTheOneThatIsDialled(t *testing.T) {
	var mu sync.Mutex
	answers := []string{"93.184.215.14", "93.184.215.15"} // another one at each look-up
	var dialled []string
	looked := 0
	c := New(Options{
		Resolve: func(context.Context, string) ([]netip.Addr, error) {
			looked++
			return []netip.Addr{netip.MustParseAddr(answers[looked-1])}, nil
		},
		Dial: func(_ context.Context, _, address string) (net.Conn, error) {
			mu.Lock()
			defer mu.Unlock()
			dialled = append(dialled, address)
			return nil, errors.New("away")
		},
	})
	if status, code := c.Send(t.Context(), "https://hooks.example/h", nil, nil); status != 0 || code != CodeConnect {
		t.Errorf("%d %s", status, code)
	}
	if looked != 1 || !slices.Equal(dialled, []string{"93.184.215.14:443"}) {
		t.Errorf("%d look-ups, dialled %v", looked, dialled)
	}
}

func TestT22ADeliveryIsCheckedAgainWhenItIsSent(t *testing.T) {
	now := "93.184.215.14"
	c := New(Options{
		Resolve: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr(now)}, nil
		},
		Dial: func(context.Context, string, string) (net.Conn, error) {
			t.Error("dialled")
			return nil, errors.New("away")
		},
	})
	if rule := c.Check(t.Context(), "https://hooks.example/"); rule != "" {
		t.Fatal(rule)
	}
	for _, now = range []string{"127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1"} {
		if status, code := c.Send(t.Context(), "https://hooks.example/", nil, nil); status != 0 || code != CodeRefused {
			t.Errorf("%s: %d %s", now, status, code)
		}
	}
	if _, code := c.Send(t.Context(), "http://93.184.215.14/", nil, nil); code != CodeRefused {
		t.Errorf("http: %s", code)
	}
	if _, code := c.Send(t.Context(), "https://u@93.184.215.14/", nil, nil); code != CodeRefused {
		t.Errorf("a user: %s", code)
	}
}

func TestHostsThatCannotBeLookedUpFail(t *testing.T) {
	for _, resolve := range []func(context.Context, string) ([]netip.Addr, error){
		func(context.Context, string) ([]netip.Addr, error) { return nil, errors.New("no such host") },
		func(context.Context, string) ([]netip.Addr, error) { return nil, nil },
	} {
		if _, code := New(Options{Resolve: resolve}).Send(t.Context(), "https://hooks.example/", nil, nil); code != CodeLookup {
			t.Errorf("code %s", code)
		}
	}
}

func TestAnotherAddressOfTheHostIsTried(t *testing.T) {
	at := receiver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(200) })
	port := at[strings.LastIndex(at, ":"):]
	var dialled []string
	c := New(Options{Allow: loopback,
		Resolve: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("127.0.0.9"), netip.MustParseAddr("127.0.0.1")}, nil
		},
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			dialled = append(dialled, address)
			if strings.HasPrefix(address, "127.0.0.9") {
				return nil, errors.New("away")
			}
			return (&net.Dialer{}).DialContext(ctx, network, address)
		}})
	if status, code := c.Send(t.Context(), "http://hooks.example"+port, nil, nil); status != 200 || code != "" || len(dialled) != 2 {
		t.Errorf("%d %s after %v", status, code, dialled)
	}
}

func TestACallEndsWithItsTime(t *testing.T) {
	held := make(chan struct{})
	at := receiver(t, func(http.ResponseWriter, *http.Request) { <-held })
	t.Cleanup(func() { close(held) }) // before the receiver is closed
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if status, code := New(Options{Allow: loopback}).Send(ctx, at, nil, nil); status != 0 || code != CodeTimeout {
		t.Errorf("%d %s", status, code)
	}
	slow := New(Options{Resolve: func(ctx context.Context, _ string) ([]netip.Addr, error) { <-ctx.Done(); return nil, ctx.Err() }})
	if _, code := slow.Send(ctx, "https://hooks.example", nil, nil); code != CodeTimeout {
		t.Errorf("look-up: %s", code)
	}
}

// What an answer says beside its status is neither waited for nor read.
func TestAnEndlessBodyIsLeftAlone(t *testing.T) {
	held := make(chan struct{})
	at := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(200)
		_ = http.NewResponseController(w).Flush() // the caller may be gone
		<-held
	})
	t.Cleanup(func() { close(held) }) // before the receiver is closed
	if status, code := New(Options{Allow: loopback}).Send(t.Context(), at, nil, nil); status != 200 || code != "" {
		t.Errorf("%d %s", status, code)
	}
	huge := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		for range 64 {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	})
	if status, code := New(Options{Allow: loopback}).Send(t.Context(), huge, nil, nil); status != 200 || code != "" {
		t.Errorf("huge: %d %s", status, code)
	}
	header := receiver(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 1<<20)) })
	if status, code := New(Options{Allow: loopback}).Send(t.Context(), header, nil, nil); status != 0 || code != CodeConnect {
		t.Errorf("header: %d %s", status, code)
	}
}

func TestCertificatesAreCheckedForTheHostsName(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "example.com" && !strings.HasPrefix(r.Host, "example.com:") {
			w.WriteHeader(400)
		}
	}))
	s.Config.ErrorLog = nil
	t.Cleanup(s.Close)
	port := s.URL[strings.LastIndex(s.URL, ":"):]
	here := func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	for _, c := range []struct {
		host   string
		roots  *x509.CertPool
		status int
		code   string
	}{{"example.com", roots, 200, ""}, {"other.example", roots, 0, CodeTLS}, {"example.com", nil, 0, CodeTLS}} {
		caller := New(Options{Allow: loopback, Resolve: here, TLS: &tls.Config{RootCAs: c.roots}})
		if status, code := caller.Send(t.Context(), "https://"+c.host+port+"/", nil, nil); status != c.status || code != c.code {
			t.Errorf("%s: %d %s", c.host, status, code)
		}
	}
	plain := receiver(t, func(http.ResponseWriter, *http.Request) {})
	caller := New(Options{Allow: loopback})
	if _, code := caller.Send(t.Context(), strings.Replace(plain, "http:", "https:", 1), nil, nil); code != CodeTLS {
		t.Errorf("no TLS: %s", code)
	}
}
