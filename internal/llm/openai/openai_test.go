package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"holdfast/internal/llm"
	"holdfast/internal/llm/llmtest"
	"holdfast/internal/openaihttp"
)

func TestPort(t *testing.T) {
	llmtest.Run(t, func(t *testing.T) llmtest.Provider { return newDouble(t).provider(t) }, nil)
}

// TestPortInThePlainestForm is the suite over an address that has refused all that
// can be left out.
func TestPortInThePlainestForm(t *testing.T) {
	llmtest.Run(t, func(t *testing.T) llmtest.Provider {
		p := newDouble(t).provider(t)
		p.Model.(*Model).form.Store(&form{noSchema: true, noMaxTokens: true, noTemperature: true})
		return p
	}, nil)
}

func mustComplete(t *testing.T, m *Model) llm.Answer {
	t.Helper()
	a, err := m.Complete(t.Context(), testTask)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestRequestIsTheProtocols(t *testing.T) {
	d := newDouble(t)
	m := modelFor(t, d)
	mustComplete(t, m)
	prompt, err := llm.Render(testTask)
	if err != nil {
		t.Fatal(err)
	}
	want := request{Model: testModel, Messages: []message{{"system", prompt.System}, {"user", prompt.User}}, Temperature: new(int), MaxTokens: 99,
		Format: format{Type: "json_schema", Schema: &formSchema{Name: "run_extract", Strict: true, Schema: prompt.Schema}}}
	if got := d.seen()[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("asked %+v", got)
	}
	if h := d.headers[0]; h.Get("Authorization") != "Bearer "+testKey || h.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v", h)
	}
	if m.Name() != "openai/"+testModel {
		t.Errorf("name %q", m.Name())
	}
}

func TestNoKeyNoAuthorization(t *testing.T) {
	d := newDouble(t)
	mustComplete(t, modelFor(t, d, func(o *Options) { o.Key = "" }))
	if _, sent := d.headers[0]["Authorization"]; sent {
		t.Error("an Authorization header without a key")
	}
}

// answers is a table of replies to one request each.
func answers(t *testing.T, want error, table map[string]reaction) {
	t.Helper()
	for name, r := range table {
		d := newDouble(t, r)
		a, err := modelFor(t, d).Complete(t.Context(), testTask)
		if !errors.Is(err, want) || a.JSON != nil || len(d.seen()) != 1 {
			t.Errorf("%s: %s, %v, asked %d times", name, a.JSON, err, len(d.seen()))
		}
		quiet(t, err)
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	answers(t, llm.ErrAnswer, map[string]reaction{
		"a page":          raw("<html>marzipan</html>"),
		"no body":         raw(""),
		"another object":  raw(`{"error":{"message":"marzipan"}}`),
		"no choice":       raw(`{"choices":[]}`),
		"two choices":     raw(`{"choices":[{"message":{"content":"{}"}},{"message":{"content":"{}"}}]}`),
		"no message":      raw(`{"choices":[{"finish_reason":"stop"}]}`),
		"null content":    raw(`{"choices":[{"finish_reason":"stop","message":{"content":null}}]}`),
		"content in bits": raw(`{"choices":[{"finish_reason":"stop","message":{"content":[{"text":"{}"}]}}]}`),
		"prose":           as(llmtest.Reply{Kind: llmtest.Says, Text: "Here: marzipan"}),
		"cut":             as(llmtest.Reply{Kind: llmtest.Cut, Text: `{"kept":"a"}`}),
		"white space":     raw(strings.Repeat(" ", llm.MaxAnswer+1)),
	})
}

func TestRefusals(t *testing.T) {
	answers(t, llm.ErrRefused, map[string]reaction{
		"the model's":  as(llmtest.Reply{Kind: llmtest.Refuses, Text: "No marzipan."}),
		"the filter's": raw(`{"choices":[{"finish_reason":"content_filter","message":{"content":"{}"}}]}`),
		"400":          status(400), "413": status(413), "422": status(422),
		"another complaint": complains(400, "The marzipan is too long: 9 tokens of 8."),
	})
}

func TestWhatIsNotTheTasksFaultIsUnavailable(t *testing.T) {
	answers(t, llm.ErrUnavailable, map[string]reaction{
		"401": status(401), "402": status(402), "403": status(403), "404": status(404), "405": status(405), "408": status(408), "429": status(429),
		"500": status(500), "503": status(503), "529": status(529), "204": status(204), "301": status(301, "Location", "/elsewhere"),
		"307": status(307, "Location", "http://127.0.0.1/marzipan"), "308": status(308, "Location", "/v1/chat/completions"),
		"half": as(llmtest.Reply{Kind: llmtest.Half}), "hangs up": as(llmtest.Reply{Kind: llmtest.HangsUp}),
		"half a complaint": func(w http.ResponseWriter, _ *http.Request, _ request) {
			w.Header().Set("Content-Length", "5000")
			w.WriteHeader(400)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		},
	})
}

func TestAnAddressThatNobodyListensAtIsUnavailable(t *testing.T) {
	d := newDouble(t)
	d.Close()
	_, err := modelFor(t, d).Complete(t.Context(), testTask)
	if !errors.Is(err, llm.ErrUnavailable) || !strings.Contains(err.Error(), "dial") {
		t.Errorf("%v", err)
	}
	quiet(t, err)
}

func TestASlowAnswer(t *testing.T) {
	waits := as(llmtest.Reply{Kind: llmtest.Waits})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := modelFor(t, newDouble(t, waits)).Complete(ctx, testTask); !errors.Is(err, llm.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline: %v", err)
	}
	d := newDouble(t, waits)
	m := modelFor(t, d, func(o *Options) { o.Client = &http.Client{Timeout: 30 * time.Millisecond} })
	if _, err := m.Complete(t.Context(), testTask); !errors.Is(err, llm.ErrUnavailable) || !strings.Contains(err.Error(), "timeout") || len(d.seen()) > 1 {
		t.Errorf("limit: %v", err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	sound := Options{URL: "https://models.example/v1/", Model: "m", Key: testKey}
	m, err := New(sound)
	if err != nil {
		t.Fatal(err)
	}
	if m.address.Endpoint() != "https://models.example/v1/chat/completions" || m.options.Client.Timeout != timeLimit {
		t.Errorf("endpoint %q", m.address.Endpoint())
	}
	for name, change := range map[string]func(*Options){
		"no URL": func(o *Options) { o.URL = "" }, "scheme": func(o *Options) { o.URL = "ftp://models.example" }, "no host": func(o *Options) { o.URL = "https:///v1" },
		"not a URL": func(o *Options) { o.URL = "https://models.example/%zz" + testKey }, "query": func(o *Options) { o.URL += "?key=" + testKey },
		"user": func(o *Options) { o.URL = "https://me:" + testKey + "@models.example" }, "no model": func(o *Options) { o.Model = " " },
		"model": func(o *Options) { o.Model = "a b" }, "model's end": func(o *Options) { o.Model = "a\n" },
		"key": func(o *Options) { o.Key = testKey + "\r\nX-Other: 1" },
	} {
		options := sound
		change(&options)
		if _, err := New(options); !errors.Is(err, openaihttp.ErrOption) || strings.Contains(err.Error(), testKey) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestAPrintedModelDoesNotShowTheKey(t *testing.T) {
	m := modelFor(t, newDouble(t))
	for _, format := range []string{"%v", "%+v", "%#v"} {
		if strings.Contains(fmt.Sprintf(format, m), testKey) {
			t.Errorf("%s shows the key", format)
		}
	}
}

// FuzzReply: whatever the other side writes is an error of the port or JSON.
func FuzzReply(f *testing.F) {
	for _, seed := range []string{"", "null", "[]", `{"choices":[{"message":{"content":"{}"}}]}`, `{"choices":[{"finish_reason":"length"}],"usage":{"prompt_tokens":-1}}`,
		`{"choices":[{"message":{"refusal":"x"}}]}`, "{\"choices\":[{\"message\":{\"content\":\"```json\\n{}\\n```\"}}]}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		a, err := read(body)
		if (err == nil) != (len(a.JSON) > 0) || err != nil && !errors.Is(err, llm.ErrAnswer) && !errors.Is(err, llm.ErrRefused) || a.Usage.Input < 0 {
			t.Fatalf("%q: %+v, %v", body, a, err)
		}
	})
}
