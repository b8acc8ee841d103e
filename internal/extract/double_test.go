package extract

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"holdfast/internal/llm"
)

// scripted is a model that gives its answers in order, the last one for ever, and
// keeps what it was asked.
type scripted struct {
	answers []reply
	tasks   []llm.Task
}

type reply struct {
	json string
	err  error
}

func (*scripted) Name() string { return "scripted" }

func (m *scripted) Complete(_ context.Context, t llm.Task) (llm.Answer, error) {
	m.tasks = append(m.tasks, t)
	r := m.answers[min(len(m.tasks), len(m.answers))-1]
	return llm.Answer{JSON: json.RawMessage(r.json), Usage: llm.Usage{Input: 10, Output: 2}}, r.err
}

// saying is a model that says the same always.
func saying(v any) *scripted {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return &scripted{answers: []reply{{json: string(raw)}}}
}

// stating is a model that states texts, each a fact of the first entry.
func stating(texts ...string) *scripted {
	out := Output{Statements: []OutputStatement{}, Sentences: []OutputSentence{}}
	for _, text := range texts {
		out.Statements = append(out.Statements, OutputStatement{Type: Fact, Text: text, Entries: []int{1}})
	}
	return saying(out)
}

func harmless(text string) bool { return !strings.Contains(strings.ToLower(text), "ignore all") }

var monday = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

func entry(id, speaker, text string) Entry {
	return Entry{ID: id, Type: Fact, Speaker: speaker, Text: text, At: monday}
}

func batch(t *testing.T, m llm.Model, entries ...Entry) Result {
	t.Helper()
	r, err := New(m, harmless).Batch(context.Background(), Request{Entries: entries})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// at answers the piece of a text in code points.
func at(text string, start, end int) string { return string([]rune(text)[start:end]) }
