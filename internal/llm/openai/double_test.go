package openai

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"holdfast/internal/llm"
	"holdfast/internal/llm/llmtest"
)

const (
	testKey   = "sk-opensesame"
	testModel = "maker/model-1"
)

// double speaks the protocol on loopback. Each call is answered by the next of its
// replies, and soundly when they are used up.
type double struct {
	*httptest.Server
	mu      sync.Mutex
	replies []reaction
	asked   []request     // bodies, in order of arrival
	headers []http.Header // of the same calls
}

// reaction answers one call.
type reaction func(w http.ResponseWriter, r *http.Request, asked request)

func newDouble(t *testing.T, replies ...reaction) *double {
	t.Helper()
	d := &double{replies: replies}
	d.Server = httptest.NewServer(d)
	t.Cleanup(d.Close)
	return d
}

func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var asked request
	if err != nil || json.Unmarshal(body, &asked) != nil || r.URL.Path != "/v1/chat/completions" || r.Method != http.MethodPost || len(asked.Messages) != 2 {
		http.Error(w, "not the protocol", http.StatusTeapot)
		return
	}
	d.take(asked, r.Header)(w, r, asked)
}

func (d *double) take(asked request, header http.Header) reaction {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked, d.headers = append(d.asked, asked), append(d.headers, header)
	if len(d.replies) == 0 {
		return as(llmtest.Sound)
	}
	next := d.replies[0]
	d.replies = d.replies[1:]
	return next
}

// seen answers the bodies so far.
func (d *double) seen() []request {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.asked)
}

// provider is the double as the suite drives it.
func (d *double) provider(t *testing.T) llmtest.Provider {
	return llmtest.Provider{Model: modelFor(t, d), Next: func(r llmtest.Reply) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.replies = append(d.replies, as(r))
	}, Seen: func() (out []llmtest.Request) {
		for _, r := range d.seen() {
			out = append(out, llmtest.Request{Instructions: r.Messages[0].Content, Data: r.Messages[1].Content})
		}
		return out
	}}
}

// as reacts as the suite says.
func as(r llmtest.Reply) reaction {
	return func(w http.ResponseWriter, call *http.Request, asked request) {
		if r.Reached != nil {
			r.Reached()
		}
		switch r.Kind {
		case llmtest.Says:
			choice(w, "stop", object{"role": "assistant", "content": r.Text})
		case llmtest.Cut:
			choice(w, "length", object{"role": "assistant", "content": r.Text})
		case llmtest.Refuses:
			choice(w, "stop", object{"role": "assistant", "content": nil, "refusal": r.Text})
		case llmtest.Status:
			status(r.Code)(w, call, asked)
		case llmtest.HangsUp:
			panic(http.ErrAbortHandler)
		case llmtest.Half:
			w.Header().Set("Content-Length", "5000")
			_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"marzipan`)
			panic(http.ErrAbortHandler)
		case llmtest.Waits:
			<-call.Context().Done()
		}
	}
}

type object = map[string]any

func choice(w http.ResponseWriter, reason string, message object) {
	write(w, object{"id": "x", "object": "chat.completion", "choices": []object{{"index": 0, "finish_reason": reason, "message": message}},
		"usage": object{"prompt_tokens": llmtest.InputTokens, "completion_tokens": llmtest.OutputTokens}})
}

func write(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// status answers a status, repeating task and key as a careless server might.
func status(code int, header ...string) reaction {
	return func(w http.ResponseWriter, r *http.Request, asked request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, asked.Messages[1].Content+r.Header.Get("Authorization"))
	}
}

// complains answers an error of the protocol.
func complains(code int, message string) reaction {
	return func(w http.ResponseWriter, _ *http.Request, _ request) {
		w.WriteHeader(code)
		write(w, object{"error": object{"message": message, "type": "invalid_request_error"}})
	}
}

// raw answers 200 with a body as it is.
func raw(body string) reaction {
	return func(w http.ResponseWriter, _ *http.Request, _ request) { _, _ = io.WriteString(w, body) }
}

func modelFor(t *testing.T, d *double, change ...func(*Options)) *Model {
	t.Helper()
	o := Options{URL: d.URL + "/v1", Key: testKey, Model: testModel}
	for _, c := range change {
		c(&o)
	}
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// testTask holds the word marzipan, which no error may hold.
var testTask = llm.Task{Name: "run_extract", Instructions: "Keep what is stated.", Input: "marzipan", MaxTokens: 99,
	Schema: json.RawMessage(`{"type":"object","properties":{"kept":{"type":"string","maxLength":9}},"required":["kept"],"additionalProperties":false}`)}

func quiet(t *testing.T, err error) {
	t.Helper()
	for _, secret := range []string{"marzipan", testKey, "127.0.0.1", "html"} {
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("the error holds %q: %v", secret, err)
		}
	}
}
