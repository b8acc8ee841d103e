package bedrock

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"holdfast/internal/awsconf/signtest"
	"holdfast/internal/llm"
	"holdfast/internal/llm/llmtest"
)

const testModel = "eu.maker.model-v1:0"

// asked is a request as the model gets it.
type asked struct {
	Model  string
	System []struct{ Text string }
	Chat   []struct {
		Role    string
		Content []struct{ Text string }
	} `json:"messages"`
	Limits struct {
		MaxTokens   *int
		Temperature *float64
	} `json:"inferenceConfig"`
	Tools struct {
		Tools []struct {
			Spec struct {
				Name, Description string
				InputSchema       struct{ JSON json.RawMessage }
			} `json:"toolSpec"`
		}
		Choice struct{ Tool struct{ Name string } } `json:"toolChoice"`
	} `json:"toolConfig"`
}

func (a asked) data() string { return a.Chat[0].Content[0].Text }

// reaction answers one call.
type reaction func(w http.ResponseWriter, r *http.Request, a asked)

// double is the model's service on loopback. Each call is answered by the next of its
// replies, and soundly when they are used up. Calls that are not signed as they should
// be fail the test.
type double struct {
	*httptest.Server
	t       *testing.T
	mu      sync.Mutex
	replies []reaction
	calls   []asked
}

func newDouble(t *testing.T, replies ...reaction) *double {
	t.Helper()
	d := &double{t: t, replies: replies}
	d.Server = httptest.NewServer(d)
	t.Cleanup(d.Close)
	return d
}

func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := signtest.Check(r, "bedrock"); err != nil {
		d.t.Errorf("%s: %v", r.URL, err)
	}
	raw, err := io.ReadAll(r.Body)
	var a asked
	model, found := strings.CutPrefix(strings.TrimSuffix(r.URL.EscapedPath(), "/converse"), "/model/")
	a.Model, _ = url.PathUnescape(model)
	if err != nil || json.Unmarshal(raw, &a) != nil || !found || r.Method != http.MethodPost || len(a.System) != 1 || len(a.Chat) != 1 || len(a.Chat[0].Content) != 1 || len(a.Tools.Tools) != 1 {
		d.t.Errorf("%s %s: not the protocol", r.Method, r.URL)
		panic(http.ErrAbortHandler)
	}
	d.take(a)(w, r, a)
}

func (d *double) take(a asked) reaction {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls = append(d.calls, a)
	if len(d.replies) == 0 {
		return as(llmtest.Sound)
	}
	next := d.replies[0]
	d.replies = d.replies[1:]
	return next
}

// seen answers the calls so far.
func (d *double) seen() []asked {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.calls)
}

// provider is the double as the suite drives it.
func (d *double) provider() llmtest.Provider {
	return llmtest.Provider{Model: d.model(), Next: func(r llmtest.Reply) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.replies = append(d.replies, as(r))
	}, Seen: func() (out []llmtest.Request) {
		for _, a := range d.seen() {
			out = append(out, llmtest.Request{Instructions: a.System[0].Text, Data: a.data()})
		}
		return out
	}}
}

// as reacts as the suite says. What is not JSON cannot be the input of a tool, so the
// model says it without one.
func as(r llmtest.Reply) reaction {
	return func(w http.ResponseWriter, call *http.Request, a asked) {
		if r.Reached != nil {
			r.Reached()
		}
		content := []object{{"text": r.Text}}
		if json.Valid([]byte(r.Text)) {
			content = []object{{"toolUse": object{"toolUseId": "x", "name": a.Tools.Choice.Tool.Name, "input": json.RawMessage(r.Text)}}}
		}
		switch r.Kind {
		case llmtest.Says:
			stops(w, "tool_use", content...)
		case llmtest.Cut:
			stops(w, "max_tokens", content...)
		case llmtest.Refuses:
			stops(w, "content_filtered", content...)
		case llmtest.Status:
			refuses(r.Code, codes[r.Code])(w, call, a)
		case llmtest.HangsUp:
			panic(http.ErrAbortHandler)
		case llmtest.Half:
			w.Header().Set("Content-Length", "5000")
			_, _ = io.WriteString(w, `{"output":{"message":{"role":"assistant","content":[{"text":"marzipan`)
			panic(http.ErrAbortHandler)
		case llmtest.Waits:
			<-call.Context().Done()
		}
	}
}

// codes are AWS's by the status.
var codes = map[int]string{400: validation, 401: "UnrecognizedClientException", 403: "AccessDeniedException", 404: "ResourceNotFoundException",
	413: "RequestEntityTooLargeException", 429: "ThrottlingException", 500: "InternalServerException", 503: "ServiceUnavailableException"}

type object = map[string]any

// stops answers a message of the model.
func stops(w http.ResponseWriter, reason string, content ...object) {
	write(w, 200, object{"output": object{"message": object{"role": "assistant", "content": content}}, "stopReason": reason, "metrics": object{"latencyMs": 3},
		"usage": object{"inputTokens": llmtest.InputTokens, "outputTokens": llmtest.OutputTokens, "totalTokens": llmtest.InputTokens + llmtest.OutputTokens}})
}

func write(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// refuses answers an error as Bedrock does, repeating the data.
func refuses(status int, code string) reaction {
	return func(w http.ResponseWriter, _ *http.Request, a asked) {
		if code != "" {
			w.Header().Set("X-Amzn-ErrorType", code+":http://internal.amazon.com/coral/")
		}
		write(w, status, object{"message": "marzipan " + a.data()})
	}
}

// complains answers an error with these words.
func complains(message string) reaction {
	return func(w http.ResponseWriter, _ *http.Request, _ asked) {
		w.Header().Set("X-Amzn-ErrorType", validation)
		write(w, 400, object{"message": message})
	}
}

func raw(body string) reaction {
	return func(w http.ResponseWriter, _ *http.Request, _ asked) { _, _ = io.WriteString(w, body) }
}

// model asks the double with the client that New makes.
func (d *double) model() *Model {
	d.t.Helper()
	cfg := signtest.Config(d.URL, nil)
	cfg.HTTPClient = nil
	m, err := New(cfg, Options{Model: testModel})
	if err != nil {
		d.t.Fatal(err)
	}
	return m
}

// testTask holds the word marzipan, which no error may hold.
var testTask = llm.Task{Name: "run_extract", Instructions: "Keep what is stated.", Input: "marzipan", MaxTokens: 99,
	Schema: json.RawMessage(`{"type":"object","properties":{"kept":{"type":"string","maxLength":9}},"required":["kept"],"additionalProperties":false}`)}
