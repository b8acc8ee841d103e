package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"holdfast/internal/llm"
)

// toy is a model with its service in one: enough of both to be spoilt.
type toy struct {
	mu      sync.Mutex
	next    []Reply
	seen    []Request
	names   int
	changed bool                                                                   // name
	ask     func(t *llm.Task)                                                      // before the task is told
	tell    func(p *llm.Prompt)                                                    // before it reaches the service
	after   func(t llm.Task, r Reply, a llm.Answer, err error) (llm.Answer, error) // before the caller sees it
	again   func(err error) bool                                                   // asks again
	deaf    bool                                                                   // to contexts
}

func (m *toy) provider() Provider {
	return Provider{Model: m, Next: func(r Reply) { m.next = append(m.next, r) }, Seen: func() []Request {
		m.mu.Lock()
		defer m.mu.Unlock()
		return slices.Clone(m.seen)
	}}
}

func (m *toy) Name() string {
	if m.names++; m.changed {
		return fmt.Sprint("toy/", m.names)
	}
	return "toy/1"
}

func (m *toy) Complete(ctx context.Context, t llm.Task) (llm.Answer, error) {
	if m.ask != nil {
		m.ask(&t)
	}
	if ctx.Err() != nil && !m.deaf {
		return m.end(t, Reply{}, llm.Answer{}, llm.Ended(ctx.Err()))
	}
	p, err := llm.Render(t)
	if err != nil {
		return m.end(t, Reply{}, llm.Answer{}, err)
	}
	r := m.reach(p)
	a, err := r.answer(ctx)
	if err != nil && m.again != nil && m.again(err) {
		a, err = m.reach(p).answer(ctx)
	}
	return m.end(t, r, a, err)
}

func (m *toy) end(t llm.Task, r Reply, a llm.Answer, err error) (llm.Answer, error) {
	if m.after != nil {
		return m.after(t, r, a, err)
	}
	return a, err
}

// reach is one request.
func (m *toy) reach(p llm.Prompt) Reply {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tell != nil {
		m.tell(&p)
	}
	m.seen = append(m.seen, Request{p.System, p.User})
	r := Sound
	if len(m.next) > 0 {
		r, m.next = m.next[0], m.next[1:]
	}
	if r.Reached != nil {
		r.Reached()
	}
	return r
}

func (r Reply) answer(ctx context.Context) (llm.Answer, error) {
	switch r.Kind {
	case HangsUp, Half, Waits:
		if r.Kind == Waits && ctx.Err() != nil {
			return llm.Answer{}, llm.Ended(ctx.Err())
		}
		return llm.Answer{}, llm.ErrUnavailable
	case Status:
		if r.Code == 400 || r.Code == 413 {
			return llm.Answer{}, llm.ErrRefused
		}
		return llm.Answer{}, llm.ErrUnavailable
	case Refuses:
		return llm.Answer{}, llm.ErrRefused
	case Cut:
		return llm.Answer{Usage: told}, llm.ErrAnswer
	case Says:
	}
	value, err := llm.Value(r.Text)
	if len(r.Text) > llm.MaxAnswer {
		value, err = nil, llm.ErrAnswer
	}
	return llm.Answer{JSON: value, Usage: told}, err
}

func TestASoundModelPasses(t *testing.T) {
	if failed := failures(&toy{}); len(failed) > 0 {
		t.Errorf("fails %q", failed)
	}
}

func TestASoundModelWithoutAServicePasses(t *testing.T) {
	fresh := func(*testing.T) Provider { return Provider{Model: &toy{}} }
	Run(t, fresh, NoService())
}

// always turns what is answered into something else.
func always(change func(t llm.Task, r Reply, a *llm.Answer, err *error)) *toy {
	return &toy{after: func(t llm.Task, r Reply, a llm.Answer, err error) (llm.Answer, error) {
		change(t, r, &a, &err)
		return a, err
	}}
}

// renamed turns errors of one kind into another.
func renamed(from, to error) *toy {
	return always(func(_ llm.Task, _ Reply, _ *llm.Answer, err *error) {
		if errors.Is(*err, from) {
			*err = to
		}
	})
}

// when turns the answers to some replies into an error, or into none.
func when(is func(Reply) bool, to error) *toy {
	return always(func(_ llm.Task, r Reply, a *llm.Answer, err *error) {
		if is(r) {
			*a, *err = llm.Answer{}, to
		}
	})
}

func kind(k Kind) func(Reply) bool { return func(r Reply) bool { return r.Kind == k } }

// shared answers every caller the same bytes.
func shared() *toy {
	kept := json.RawMessage(Sound.Text)
	return always(func(_ llm.Task, _ Reply, a *llm.Answer, err *error) {
		if *err == nil {
			a.JSON = kept
		}
	})
}

// drifting counts its calls into its answers.
func drifting() *toy {
	var calls atomic.Int64
	return always(func(_ llm.Task, _ Reply, a *llm.Answer, err *error) {
		if *err == nil {
			a.JSON = fmt.Appendf(nil, `{"kept":["%d"]}`, calls.Add(1))
		}
	})
}

// Each spoilt model must fail the subtests named beside it: a suite that lets them
// pass would prove nothing.
func TestTheSuiteBites(t *testing.T) {
	var told sync.Map
	for _, c := range []struct {
		model *toy
		fails []string
	}{
		{&toy{changed: true}, []string{"a name names provider and model and stays the same"}},
		{&toy{deaf: true}, []string{"an ended context answers ErrUnavailable and its own error"}},
		{&toy{ask: func(t *llm.Task) { t.Name = "x" }}, []string{"a task that is not whole is ErrRefused"}},
		{&toy{ask: func(t *llm.Task) { t.Schema = ownTask.Schema }}, []string{"a task that is not whole is ErrRefused"}},
		{&toy{ask: func(t *llm.Task) { t.Repair = "" }}, []string{"a repair comes after the instructions"}},
		{&toy{ask: func(t *llm.Task) {
			if t.Repair != "" {
				told.Store("repair", t.Repair)
			}
			if r, ok := told.Load("repair"); ok {
				t.Repair = r.(string)
			}
		}}, []string{"a repair comes after the instructions"}},
		{&toy{tell: func(p *llm.Prompt) { p.System += p.User }}, []string{"instructions and data are put apart"}},
		{&toy{tell: func(p *llm.Prompt) { p.User = p.System + p.User }}, []string{"instructions and data are put apart"}},
		{&toy{tell: func(p *llm.Prompt) { p.User = strings.ReplaceAll(p.User, `\u003c`, "<") }}, []string{"data cannot close its fence"}},
		{&toy{tell: func(p *llm.Prompt) { p.User = strings.ReplaceAll(p.User, `\uff1c`, "\uff1c") }}, []string{"data cannot close its fence"}},
		{&toy{tell: func(p *llm.Prompt) { _, p.User, _ = strings.Cut(p.User, "\n") }}, []string{"data cannot close its fence"}},
		{&toy{again: func(error) bool { return true }}, []string{"429 and 5xx are ErrUnavailable", "a broken connection is ErrUnavailable", "what is not JSON is ErrAnswer"}},
		{always(func(_ llm.Task, _ Reply, a *llm.Answer, _ *error) { a.JSON = []byte("x") }), []string{"an answer is one JSON value", "an ended context answers ErrUnavailable and its own error"}},
		{always(func(_ llm.Task, r Reply, a *llm.Answer, err *error) {
			if *err == nil && llm.Check(ownTask.Schema, a.JSON) != nil {
				*a, *err = llm.Answer{}, llm.ErrAnswer
			}
		}), []string{"JSON that breaks the schema is answered"}},
		{always(func(_ llm.Task, _ Reply, a *llm.Answer, _ *error) { a.Usage = llm.Usage{} }), []string{"usage is the provider's", "an empty answer is ErrAnswer", "what is not JSON is ErrAnswer", "an answer that was cut off is ErrAnswer"}},
		{always(func(t llm.Task, _ Reply, _ *llm.Answer, err *error) {
			if *err != nil {
				*err = fmt.Errorf("%w: %v", *err, t.Input)
			}
		}), []string{"errors hold no text of task or answer", "an ended context answers ErrUnavailable and its own error"}},
		{always(func(_ llm.Task, r Reply, _ *llm.Answer, err *error) {
			if *err != nil {
				*err = fmt.Errorf("%w: %s", *err, r.Text)
			}
		}), []string{"errors hold no text of task or answer", "a refusal of the model is ErrRefused"}},
		{always(func(_ llm.Task, r Reply, _ *llm.Answer, _ *error) { slog.Debug(r.Text) }), []string{"nothing is logged"}},
		{shared(), []string{"an answer belongs to the caller"}},
		{drifting(), []string{"calls do not disturb each other", "an answer belongs to the caller"}},
		{renamed(llm.ErrAnswer, llm.ErrUnavailable), []string{"what is not JSON is ErrAnswer", "an empty answer is ErrAnswer", "an answer that was cut off is ErrAnswer", "an answer over MaxAnswer is ErrAnswer"}},
		{renamed(llm.ErrRefused, llm.ErrAnswer), []string{"a refusal of the model is ErrRefused", "a task that the provider calls wrong is ErrRefused", "a task that is not whole is ErrRefused"}},
		{renamed(llm.ErrUnavailable, errors.New("no")), []string{"429 and 5xx are ErrUnavailable", "a broken connection is ErrUnavailable", "a key or an address that is not right is ErrUnavailable"}},
		{renamed(context.Canceled, llm.ErrUnavailable), []string{"an ended context answers ErrUnavailable and its own error", "a context that ends within a call answers ErrUnavailable and its own error"}},
		{when(kind(Cut), nil), []string{"an answer that was cut off is ErrAnswer"}},
		{when(func(r Reply) bool { return len(r.Text) > llm.MaxAnswer }, nil), []string{"an answer over MaxAnswer is ErrAnswer"}},
		{when(func(r Reply) bool { return r.Kind == Says && r.Text == "" }, llm.ErrRefused), []string{"an empty answer is ErrAnswer"}},
		{when(func(r Reply) bool { return r.Code == 404 }, llm.ErrRefused), []string{"a key or an address that is not right is ErrUnavailable"}},
		{when(func(r Reply) bool { return r.Code == 529 }, llm.ErrRefused), []string{"429 and 5xx are ErrUnavailable"}},
		{when(kind(Half), llm.ErrAnswer), []string{"a broken connection is ErrUnavailable"}},
	} {
		failed := failures(c.model)
		for _, want := range c.fails {
			if !known(want) {
				t.Errorf("no subtest %q", want)
			}
			if !slices.Contains(failed, want) {
				t.Errorf("%s: passes; fails %q", want, failed)
			}
		}
	}
}

// failures runs every subtest on the model and names those that fail.
func failures(m *toy) []string {
	var failed []string
	for _, c := range cases {
		m.seen, m.next = nil, nil
		record := &recorder{}
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.run(newWorld(record, m.provider()))
		}()
		<-done
		if record.failed.Load() {
			failed = append(failed, c.name)
		}
	}
	return failed
}

// recorder stands in for a test and keeps whether it failed.
type recorder struct {
	testing.TB
	failed atomic.Bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Error(...any)          { r.failed.Store(true) }
func (r *recorder) Errorf(string, ...any) { r.failed.Store(true) }
func (r *recorder) Fatalf(string, ...any) { r.failed.Store(true); runtime.Goexit() }
