// Package llmtest is the conformance suite of the language model port: one subtest
// for each sentence of the port's contract. It imports the port and testing.
package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"holdfast/internal/llm"
)

// Provider is a model with the service behind it, made anew for each subtest.
type Provider struct {
	Model llm.Model
	// Task is one that the model answers. The zero Task: the suite's own.
	Task llm.Task
	// Next says how the service answers its next request; further ones are answered
	// by Sound. Nil where there is no service: see NoService.
	Next func(Reply)
	// Seen are the requests that reached the service, in order.
	Seen func() []Request
}

// Request is what a service was asked.
type Request struct{ Instructions, Data string }

// Kind is a way in which a service behaves.
type Kind int

// The kinds. Services repeat what they were sent wherever they can, as careless ones
// do, and always tell the usage InputTokens and OutputTokens where their protocol
// does.
const (
	Says    Kind = iota // the model answers Text and is done
	Cut                 // the model's answer ends with Text, at its limit
	Refuses             // the model refuses, with Text as its words
	Status              // the service answers the status Code
	HangsUp             // the connection ends without an answer
	Half                // the connection ends within the answer
	Waits               // no answer comes until the caller is gone
)

// Reply is how a service answers one request.
type Reply struct {
	Kind    Kind
	Text    string
	Code    int
	Reached func() // called when the request is there; may be nil
}

// What every service answers beside the text.
const (
	InputTokens  = 7
	OutputTokens = 5
)

// Sound is an answer that follows the schema of the suite's task.
var Sound = Reply{Kind: Says, Text: `{"kept":["one lamp"]}`}

// Exceptions names subtests that an adapter cannot pass, each with the reason.
// They are reported as passed over; a name that no subtest has fails.
type Exceptions map[string]string

// NoService are the exceptions of a model that asks nobody.
func NoService() Exceptions {
	out := Exceptions{}
	for _, c := range cases {
		if c.service {
			out[c.name] = "no service is asked"
		}
	}
	return out
}

// Run runs the suite; fresh is called once a subtest.
func Run(t *testing.T, fresh func(t *testing.T) Provider, except Exceptions) {
	for name := range except {
		if !known(name) {
			t.Errorf("exception %q names no subtest", name)
		}
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if why, ok := except[c.name]; ok {
				t.Skipf("declared exception: %s", why)
			}
			c.run(newWorld(t, fresh(t)))
		})
	}
}

func known(name string) bool {
	for _, c := range cases {
		if c.name == name {
			return true
		}
	}
	return false
}

var cases = []struct {
	name    string
	service bool // needs a service that is told what to answer
	run     func(*world)
}{
	{"a name names provider and model and stays the same", false, names},
	{"an answer is one JSON value", false, oneValue},
	{"a task that is not whole is ErrRefused", false, notWhole},
	{"an ended context answers ErrUnavailable and its own error", false, endedContext},
	{"nothing is logged", false, silent},
	{"an answer belongs to the caller", false, ownAnswer},
	{"calls do not disturb each other", false, concurrent},

	{"instructions and data are put apart", true, apart},
	{"data cannot close its fence", true, fenced},
	{"a repair comes after the instructions", true, repair},
	{"JSON that breaks the schema is answered", true, otherShape},
	{"usage is the provider's", true, usage},
	{"what is not JSON is ErrAnswer", true, notJSON},
	{"an empty answer is ErrAnswer", true, empty},
	{"an answer that was cut off is ErrAnswer", true, cutOff},
	{"an answer over MaxAnswer is ErrAnswer", true, tooLong},
	{"a refusal of the model is ErrRefused", true, refusal},
	{"a task that the provider calls wrong is ErrRefused", true, calledWrong},
	{"429 and 5xx are ErrUnavailable", true, busy},
	{"a broken connection is ErrUnavailable", true, brokenConnection},
	{"a key or an address that is not right is ErrUnavailable", true, notLetIn},
	{"a context that ends within a call answers ErrUnavailable and its own error", true, endsWithin},
	{"errors hold no text of task or answer", true, discreet},
}

// canary stands in tasks and answers, and must not stand in an error or log line.
const canary = "marzipan"

// ownTask is the suite's task.
var ownTask = llm.Task{
	Name: "suite_keep", Instructions: "Keep what is stated.", MaxTokens: 400,
	Input: map[string]string{"text": "One lamp and some " + canary + "."},
	Schema: json.RawMessage(`{"type":"object","properties":{"kept":{"type":"array","maxItems":9,"items":{"type":"string"}}},` +
		`"required":["kept"],"additionalProperties":false}`),
}

// world is a subtest with its provider.
type world struct {
	testing.TB
	Provider
}

func newWorld(t testing.TB, p Provider) *world {
	if p.Task.Name == "" {
		p.Task = ownTask
	}
	return &world{TB: t, Provider: p}
}

// answer asks the task and fails the test without an answer.
func (w *world) answer(t llm.Task) llm.Answer {
	w.Helper()
	a, err := w.Model.Complete(context.Background(), t)
	if err != nil {
		w.Fatalf("complete: %v", err)
	}
	return a
}

// fails asks the task and expects an error and no JSON.
func (w *world) fails(t llm.Task, want error) llm.Answer {
	w.Helper()
	a, err := w.Model.Complete(context.Background(), t)
	w.judge(a, err, want)
	return a
}

// judge tests what holds for every error: its kind and no other, no JSON, and no text.
func (w *world) judge(a llm.Answer, err, want error) {
	w.Helper()
	for _, kind := range []error{llm.ErrAnswer, llm.ErrRefused, llm.ErrUnavailable} {
		if errors.Is(err, kind) != (kind == want) {
			w.Errorf("error %v, want %v", err, want)
		}
	}
	if a.JSON != nil {
		w.Errorf("%d bytes of JSON with an error", len(a.JSON))
	}
	if err != nil && strings.Contains(strings.ToLower(err.Error()), canary) {
		w.Errorf("the error holds text: %v", err)
	}
}

// failsOnce is fails after a reply, and expects that nothing was asked again.
func (w *world) failsOnce(r Reply, want error) llm.Answer {
	w.Helper()
	before := len(w.Seen())
	w.Next(r)
	a := w.fails(w.Task, want)
	if n := len(w.Seen()) - before; n != 1 {
		w.Errorf("asked %d times", n)
	}
	return a
}
