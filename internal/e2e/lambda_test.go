package e2e

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"holdfast/internal/e2e/process"
)

// lambdaRuntime is the part of the Lambda Runtime API that a function talks to:
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
type lambdaRuntime struct {
	*httptest.Server
	events  chan []byte
	answers chan []byte
	failed  chan string
}

const runtimePrefix = "/2018-06-01/runtime/"

func newLambdaRuntime(t *testing.T) *lambdaRuntime {
	t.Helper()
	r := &lambdaRuntime{events: make(chan []byte), answers: make(chan []byte, 1), failed: make(chan string, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+runtimePrefix+"invocation/next", r.next)
	mux.HandleFunc("POST "+runtimePrefix+"invocation/{id}/response", func(w http.ResponseWriter, q *http.Request) { r.take(w, q, r.answers) })
	mux.HandleFunc("POST "+runtimePrefix+"invocation/{id}/error", r.fail)
	mux.HandleFunc("POST "+runtimePrefix+"init/error", r.fail)
	r.Server = httptest.NewServer(mux)
	t.Cleanup(r.CloseClientConnections)
	return r
}

// next holds the function until there is an event.
func (r *lambdaRuntime) next(w http.ResponseWriter, q *http.Request) {
	select {
	case event := <-r.events:
		w.Header().Set("Lambda-Runtime-Aws-Request-Id", "sample-invocation")
		w.Header().Set("Lambda-Runtime-Deadline-Ms", "4102444800000")
		w.Header().Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:eu-central-1:000000000000:function:memory-append")
		w.Header().Set("Lambda-Runtime-Trace-Id", "Root=1-69a40d10-000000000000000000000000")
		_, _ = w.Write(event) // the test waits for the answer
	case <-q.Context().Done():
	}
}

func (r *lambdaRuntime) take(w http.ResponseWriter, q *http.Request, into chan []byte) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		r.failed <- err.Error()
		return
	}
	w.WriteHeader(http.StatusAccepted)
	into <- body
}

func (r *lambdaRuntime) fail(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body) // what there is
	w.WriteHeader(http.StatusAccepted)
	r.failed <- string(body)
}

// lambdaAnswer is a payload 2.0 answer.
type lambdaAnswer struct {
	StatusCode int
	Headers    map[string]string
	Body       string
}

func (r *lambdaRuntime) invoke(t *testing.T, p *process.Process, event []byte) lambdaAnswer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var raw []byte
	select {
	case r.events <- event:
	case <-p.Done():
		t.Fatalf("the function ended:\n%s", p.Output())
	case <-ctx.Done():
		t.Fatalf("the function asks for no event:\n%s", p.Output())
	}
	select {
	case raw = <-r.answers:
	case said := <-r.failed:
		t.Fatalf("the function failed: %s\n%s", said, p.Output())
	case <-ctx.Done():
		t.Fatalf("the function does not answer:\n%s", p.Output())
	}
	var a lambdaAnswer
	if err := json.Unmarshal(raw, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestAFunctionAnswersItsSampleEventBehindTheRuntimeAPI starts the compiled function
// of one route as Lambda would, over a data folder that the local server filled.
func TestAFunctionAnswersItsSampleEventBehindTheRuntimeAPI(t *testing.T) {
	data := folder(t)
	s := start(t, options(data))
	place := s.place(t)
	if code := s.stop(t); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	sample, err := os.ReadFile("../../events/memory-append.json")
	if err != nil {
		t.Fatal(err)
	}
	api := newLambdaRuntime(t)
	o := options(data, "AWS_LAMBDA_RUNTIME_API="+strings.TrimPrefix(api.URL, "http://"),
		"AWS_LAMBDA_FUNCTION_NAME=memory-append", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE=512", "AWS_REGION=eu-central-1")
	o.Binary = function
	p, err := process.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }() // it runs until it is killed

	if a := api.invoke(t, p, sample); a.StatusCode != http.StatusUnauthorized || !strings.Contains(a.Body, "UNAUTHENTICATED") {
		t.Errorf("the sample's key opens nothing: %+v", a)
	}
	a := api.invoke(t, p, theirs(t, sample, place))
	var made struct {
		ID     string
		Merged *bool
	}
	if err := json.Unmarshal([]byte(a.Body), &made); err != nil || a.StatusCode != http.StatusOK || made.ID == "" || made.Merged == nil {
		t.Fatalf("answer %+v, %v", a, err)
	}
	again := api.invoke(t, p, theirs(t, sample, place))
	if header(again, "Idempotency-Replayed") != "true" || again.Body != a.Body {
		t.Errorf("the same event again answers %+v", again)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	place = place.at(start(t, options(data)))
	if err := place.agent.Do(t.Context(), http.MethodGet, place.path(made.ID), nil, nil); err != nil {
		t.Error(err)
	}
}

// theirs is the sample with a key that works and a workspace that exists.
func theirs(t *testing.T, sample []byte, p place) []byte {
	t.Helper()
	var event map[string]any
	if err := json.Unmarshal(sample, &event); err != nil {
		t.Fatal(err)
	}
	headers, ok := event["headers"].(map[string]any)
	if !ok {
		t.Fatal("the sample has no headers")
	}
	headers["authorization"] = "Bearer " + p.agent.Key
	var body map[string]any
	text, ok := event["body"].(string)
	if !ok || json.Unmarshal([]byte(text), &body) != nil {
		t.Fatal("the sample has no body")
	}
	body["workspaceId"] = p.workspace
	changed, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	event["body"] = string(changed)
	out, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func header(a lambdaAnswer, name string) string {
	for n, v := range a.Headers {
		if strings.EqualFold(n, name) {
			return v
		}
	}
	return ""
}

// TestAFunctionStartsFast holds the start of a function to what a cold start may
// cost: the sample's first answer within two seconds of the process's start (tens of
// milliseconds are usual). Beside other work some starts are slow, but not all.
func TestAFunctionStartsFast(t *testing.T) {
	var took time.Duration
	for range 5 {
		if took = firstAnswer(t); took <= 2*time.Second {
			return
		}
	}
	t.Errorf("the first answer took %s", took)
}

// firstAnswer is how long a function takes from its process's start to an answer.
func firstAnswer(t *testing.T) time.Duration {
	t.Helper()
	api := newLambdaRuntime(t)
	o := options(folder(t), "AWS_LAMBDA_RUNTIME_API="+strings.TrimPrefix(api.URL, "http://"))
	o.Binary = function
	before := time.Now()
	p, err := process.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }() // it runs until it is killed
	sample, err := os.ReadFile("../../events/memory-append.json")
	if err != nil {
		t.Fatal(err)
	}
	api.invoke(t, p, sample)
	return time.Since(before)
}
