package bedrock

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"

	"holdfast/internal/awsconf"
	"holdfast/internal/awsconf/signtest"
	"holdfast/internal/llm"
	"holdfast/internal/llm/llmtest"
)

func TestPort(t *testing.T) {
	llmtest.Run(t, func(t *testing.T) llmtest.Provider { return newDouble(t).provider() }, nil)
}

func mustComplete(t *testing.T, m *Model) llm.Answer {
	t.Helper()
	a, err := m.Complete(t.Context(), testTask)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestTheModelIsMadeToUseTheToolOfTheTask(t *testing.T) {
	d := newDouble(t)
	m := d.model()
	mustComplete(t, m)
	prompt, err := llm.Render(testTask)
	if err != nil {
		t.Fatal(err)
	}
	got := d.seen()[0]
	if got.Model != testModel || m.Name() != "bedrock/"+testModel || got.System[0].Text != prompt.System || got.Chat[0].Role != "user" || got.data() != prompt.User {
		t.Errorf("asked %+v", got)
	}
	tool := got.Tools.Tools[0].Spec
	if tool.Name != "run_extract" || tool.Description == "" || got.Tools.Choice.Tool.Name != tool.Name || !same(t, tool.InputSchema.JSON, prompt.Schema) {
		t.Errorf("tools %+v", got.Tools)
	}
	if got.Limits.MaxTokens == nil || *got.Limits.MaxTokens != 99 || got.Limits.Temperature == nil || *got.Limits.Temperature != 0 {
		t.Errorf("limits %+v", got.Limits)
	}
	unbounded := testTask
	unbounded.MaxTokens = 0
	if _, err := m.Complete(t.Context(), unbounded); err != nil || d.seen()[1].Limits.MaxTokens != nil {
		t.Errorf("without a limit: %v, %v", d.seen()[1].Limits.MaxTokens, err)
	}
}

// same tells whether two texts are the same JSON.
func same(t *testing.T, a, b json.RawMessage) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}

func TestTheToolsInputIsTheAnswer(t *testing.T) {
	const input = `{"a":[1,2.50,9007199254740993,-0.1e3],"b":{"c":null,"d":true,"e":"<ü>\u2028"},"f":[],"g":{}}`
	d := newDouble(t, as(llmtest.Reply{Text: input}))
	if a := mustComplete(t, d.model()); !same(t, a.JSON, json.RawMessage(input)) || !strings.Contains(string(a.JSON), "9007199254740993") {
		t.Errorf("%s", a.JSON)
	}
	for _, reason := range []string{"tool_use", "end_turn", "stop_sequence"} {
		use := object{"toolUse": object{"toolUseId": "x", "name": "run_extract", "input": object{}}}
		d := newDouble(t, func(w http.ResponseWriter, _ *http.Request, _ asked) { stops(w, reason, object{"text": "Well:"}, use) })
		if a := mustComplete(t, d.model()); string(a.JSON) != "{}" {
			t.Errorf("%s: %s", reason, a.JSON)
		}
	}
}

// answers is a table of replies to one request each.
func answers(t *testing.T, want error, table map[string]reaction) {
	t.Helper()
	for name, r := range table {
		d := newDouble(t, r)
		a, err := d.model().Complete(t.Context(), testTask)
		if !errors.Is(err, want) || a.JSON != nil || len(d.seen()) != 1 || strings.Contains(err.Error(), "marzipan") || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%s: %s, %v, asked %d times", name, a.JSON, err, len(d.seen()))
		}
	}
}

// stopping is a sound use of the tool that ends for a reason.
func stopping(reason string) reaction {
	return func(w http.ResponseWriter, _ *http.Request, _ asked) {
		stops(w, reason, object{"toolUse": object{"toolUseId": "x", "name": "run_extract", "input": object{"kept": "a"}}})
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	use := func(name string) object {
		return object{"toolUse": object{"toolUseId": "x", "name": name, "input": object{}}}
	}
	with := func(content ...object) reaction {
		return func(w http.ResponseWriter, _ *http.Request, _ asked) { stops(w, "tool_use", content...) }
	}
	answers(t, llm.ErrAnswer, map[string]reaction{
		"a page": raw("<html>marzipan</html>"), "another object": raw(`{"marzipan":1}`), "no output": raw(`{}`), "no content": with(),
		"text alone": with(object{"text": "marzipan"}), "text that is JSON": with(object{"text": "{}"}),
		"another tool": with(use("marzipan")), "two uses": with(use("run_extract"), use("run_extract")),
		"no input":   with(object{"toolUse": object{"toolUseId": "x", "name": "run_extract"}}),
		"max_tokens": stopping("max_tokens"), "model_context_window_exceeded": stopping("model_context_window_exceeded"),
		"malformed_model_output": stopping("malformed_model_output"), "malformed_tool_use": stopping("malformed_tool_use"),
		"white space": raw(strings.Repeat(" ", llm.MaxAnswer+1)),
	})
}

func TestRefusals(t *testing.T) {
	answers(t, llm.ErrRefused, map[string]reaction{
		"the guardrail's": stopping("guardrail_intervened"), "the filter's": stopping("content_filtered"), "the model's": stopping("refusal"),
		"400": refuses(400, validation), "400 of a proxy": refuses(400, ""), "413": refuses(413, ""), "too long": complains("marzipan is too long"),
	})
}

func TestWhatIsNotTheTasksFaultIsUnavailable(t *testing.T) {
	table := map[string]reaction{
		"408": refuses(408, "ModelTimeoutException"), "424": refuses(424, "ModelErrorException"), "not ready": refuses(429, "ModelNotReadyException"),
		"quota": refuses(400, "ServiceQuotaExceededException"), "expired": refuses(403, "ExpiredTokenException"), "a code that is none": refuses(503, "marzipan 7"),
		"502": refuses(502, ""), "half": as(llmtest.Reply{Kind: llmtest.Half}), "hangs up": as(llmtest.Reply{Kind: llmtest.HangsUp}),
		"302": func(w http.ResponseWriter, _ *http.Request, _ asked) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(302)
		},
	}
	for _, status := range []int{401, 403, 404, 429, 500, 503} {
		table[codes[status]] = refuses(status, codes[status])
	}
	answers(t, llm.ErrUnavailable, table)
}

func TestASlowAnswerEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	_, err := newDouble(t, as(llmtest.Reply{Kind: llmtest.Waits})).model().Complete(ctx, testTask)
	if !errors.Is(err, llm.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// TestTemperatureIsLeftOutWhereItIsNotTaken, at the next try and in later tasks, if
// that helped.
func TestTemperatureIsLeftOutWhereItIsNotTaken(t *testing.T) {
	const complaint = "The model returned the following errors: `temperature` is deprecated for this model."
	d := newDouble(t, complains(complaint))
	m := d.model()
	mustComplete(t, m)
	mustComplete(t, m)
	if seen := d.seen(); len(seen) != 3 || seen[0].Limits.Temperature == nil || seen[1].Limits.Temperature != nil || seen[2].Limits.Temperature != nil {
		t.Errorf("asked %+v", seen)
	}
	d = newDouble(t, complains(complaint), complains(complaint))
	m = d.model()
	if _, err := m.Complete(t.Context(), testTask); !errors.Is(err, llm.ErrRefused) || len(d.seen()) != 2 {
		t.Errorf("%v, asked %d times", err, len(d.seen()))
	}
	if mustComplete(t, m); d.seen()[2].Limits.Temperature == nil {
		t.Error("left out although that did not help")
	}
}

// TestARetryerOfTheConfigurationIsNotUsed: whoever asks decides about trying again.
func TestARetryerOfTheConfigurationIsNotUsed(t *testing.T) {
	d := newDouble(t, refuses(503, codes[503]))
	cfg := signtest.Config(d.URL, awsconf.NewClient())
	cfg.Retryer = func() aws.Retryer {
		return retry.NewStandard(func(o *retry.StandardOptions) { o.MaxBackoff = time.Microsecond })
	}
	m, err := New(cfg, Options{Model: testModel})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Complete(t.Context(), testTask); !errors.Is(err, llm.ErrUnavailable) || len(d.seen()) != 1 {
		t.Errorf("%v, asked %d times", err, len(d.seen()))
	}
}

func TestAModelMustBeNamed(t *testing.T) {
	for _, model := range []string{"", " ", "a marzipan", "a\n"} {
		if _, err := New(signtest.Config("http://127.0.0.1:1", nil), Options{Model: model}); !errors.Is(err, errOptions) || strings.Contains(err.Error(), "marzipan") {
			t.Errorf("%q: %v", model, err)
		}
	}
}

func TestRepliesAreBounded(t *testing.T) {
	for size, want := range map[int]error{llm.MaxAnswer - 1: nil, llm.MaxAnswer: nil, llm.MaxAnswer + 1: errTooLarge} {
		body := &limited{ReadCloser: io.NopCloser(strings.NewReader(strings.Repeat("x", size))), left: llm.MaxAnswer}
		read, err := io.ReadAll(body)
		if !errors.Is(err, want) || err == nil && len(read) != size {
			t.Errorf("%d: %d bytes, %v", size, len(read), err)
		}
	}
}

// client answers every request with the same body.
type client struct{ body []byte }

// Do implements aws.HTTPClient.
func (c client) Do(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Request: r, Body: io.NopCloser(bytes.NewReader(c.body))}, nil
}

// FuzzReply: whatever the other side writes is an error of the port or JSON.
func FuzzReply(f *testing.F) {
	for _, seed := range []string{"", "null", "{}", `{"stopReason":"tool_use","output":{"message":{"content":[{"toolUse":{"name":"run_extract","input":{"a":1e400}}}]}}}`,
		`{"output":{"message":{"content":[{"toolUse":{"name":"run_extract","input":null}}]}},"usage":{"inputTokens":-1}}`, `{"output":{"other":1}}`, `{"stopReason":"max_tokens"}`, `{"stopReason":`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		cfg := signtest.Config("http://127.0.0.1:1", nil)
		cfg.HTTPClient = client{body}
		m, err := New(cfg, Options{Model: testModel})
		if err != nil {
			t.Fatal(err)
		}
		a, err := m.Complete(t.Context(), testTask)
		if (err == nil) != json.Valid(a.JSON) || err != nil && !errors.Is(err, llm.ErrAnswer) && !errors.Is(err, llm.ErrRefused) && !errors.Is(err, llm.ErrUnavailable) || a.Usage.Input < 0 {
			t.Fatalf("%q: %+v, %v", body, a, err)
		}
	})
}
