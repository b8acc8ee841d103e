package openaihttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const secret = "sk-marzipan"

func addressOf(t *testing.T, handler http.HandlerFunc) *Address {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	a, err := New(Options{URL: server.URL + "/v1", Path: "things", Key: secret, Client: Client(time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestPostSendsTheBodyWithTheKey(t *testing.T) {
	a := addressOf(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, "%s %s %s %s %s", r.Method, r.URL.Path, r.Header.Get("Authorization"), r.Header.Get("Content-Type"), body)
	})
	response, err := a.Post(t.Context(), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer Close(response.Body)
	want := "POST /v1/things Bearer " + secret + " application/json {}"
	if got, err := Read(response.Body, 1000); err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	if text := fmt.Sprintf("%v %+v %#v", a, a, a); strings.Contains(text, secret) {
		t.Error("printing shows the key")
	}
}

// A redirect is an answer: following it would carry texts and key elsewhere.
func TestPostFollowsNoRedirect(t *testing.T) {
	a := addressOf(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://other.example/", http.StatusTemporaryRedirect)
	})
	response, err := a.Post(t.Context(), nil)
	if err != nil || response.StatusCode != http.StatusTemporaryRedirect {
		t.Fatalf("%v, %v", response, err)
	}
	Close(response.Body)
}

func TestFailuresNameTheirStepOnly(t *testing.T) {
	away, err := New(Options{URL: "http://127.0.0.1:1/" + secret, Client: Client(time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := away.Post(t.Context(), nil); err == nil || err.Error() != "connection failed (dial)" {
		t.Errorf("refused: %v", err)
	}
	ended, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	if _, err := away.Post(ended, nil); err == nil || err.Error() != "connection failed (answer timeout)" {
		t.Errorf("out of time: %v", err)
	}
	if _, err := Read(io.MultiReader(strings.NewReader("a"), broken{}), 10); err == nil || err.Error() != "connection failed (answer)" {
		t.Errorf("cut: %v", err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New(secret) }

func TestReadIsBounded(t *testing.T) {
	for limit, want := range map[int64]error{4: nil, 3: ErrTooLarge} {
		if got, err := Read(strings.NewReader("1234"), limit); !errors.Is(err, want) || err == nil && string(got) != "1234" {
			t.Errorf("%d: %q, %v", limit, got, err)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{
		{}, {URL: "ftp://models.example"}, {URL: "https:///v1"}, {URL: "https://models.example/%zz"}, {URL: "https://models.example?key=" + secret},
		{URL: "https://me:" + secret + "@models.example"}, {URL: "https://models.example#a"}, {URL: "https://models.example", Key: secret + "\n"},
	} {
		if _, err := New(o); !errors.Is(err, ErrOption) || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v", o.URL, err)
		}
	}
	if a, err := New(Options{URL: "https://models.example/v1/", Path: "chat/completions"}); err != nil || a.Endpoint() != "https://models.example/v1/chat/completions" {
		t.Errorf("%v, %v", a, err)
	}
}
