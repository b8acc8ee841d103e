package awsconf

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// once is a body that is gone when it is closed, as the SDK's are.
type once struct {
	io.Reader
	closed bool
}

// Read reads while the body is open.
func (o *once) Read(p []byte) (int, error) {
	if o.closed {
		return 0, io.ErrClosedPipe
	}
	return o.Reader.Read(p)
}

// Close ends the body.
func (o *once) Close() error { o.closed = true; return nil }

func TestTheTransportGetsItsOwnBody(t *testing.T) {
	var got string
	c := http.Client{Transport: ownBody{transport(func(r *http.Request) (*http.Response, error) {
		for range 2 { // as a transport does that must send it again
			body, err := r.GetBody()
			if err != nil {
				return nil, err
			}
			if _, err := io.ReadAll(body); err != nil {
				return nil, err
			}
		}
		raw, err := io.ReadAll(r.Body)
		got = string(raw)
		return &http.Response{StatusCode: 200, Body: http.NoBody}, err
	})}}
	body := &once{Reader: strings.NewReader("what is sent")}
	r, err := http.NewRequest(http.MethodPost, "http://127.0.0.1:1/", body)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil {
		t.Fatal(err)
	}
	if got != "what is sent" || !body.closed {
		t.Fatalf("sent %q, the caller's body closed: %v", got, body.closed)
	}
}

type transport func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func TestABodyThatCannotBeReadIsNotSent(t *testing.T) {
	c := http.Client{Transport: ownBody{transport(func(*http.Request) (*http.Response, error) {
		t.Error("it was sent")
		return nil, io.EOF
	})}}
	r, err := http.NewRequest(http.MethodPost, "http://127.0.0.1:1/", &once{Reader: strings.NewReader("x"), closed: true})
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := c.Do(r); err == nil {
		t.Errorf("it was answered: %v, %v", answer.Status, answer.Body.Close())
	}
}

// TestTheClientDoesNotFollow: a signature is for one address.
func TestTheClientDoesNotFollow(t *testing.T) {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls++
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}))
	defer server.Close()
	answer, err := NewClient().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusFound || calls != 1 {
		t.Fatalf("status %d after %d calls", answer.StatusCode, calls)
	}
}
