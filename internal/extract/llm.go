package extract

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"holdfast/internal/llm"
)

// LLM is the Extractor that asks a language model. It keeps no state between calls.
type LLM struct {
	model llm.Model
	clean func(text string) bool
}

// New makes an extractor; clean tells whether screening lets a text pass (T.27).
func New(model llm.Model, clean func(text string) bool) *LLM {
	return &LLM{model: model, clean: clean}
}

// maxPart is the most text of one task, in code points: what models read with care.
// One entry is never parted.
const maxPart = 24_000

// Batch implements Extractor.
func (x *LLM) Batch(ctx context.Context, r Request) (Result, error) {
	k := newKeeper(x.clean)
	for _, part := range parts(r.Entries) {
		sources := sourcesOf(part)
		out, err := x.extract(ctx, r, part, k)
		if err != nil {
			return Result{Counts: k.counts, Tokens: k.tokens}, err
		}
		k.counts.Narrowed += out.Narrowed
		k.keep(out, sources)
	}
	return Result{Statements: k.statements, Sentences: k.sentences, Counts: k.counts, Tokens: k.tokens}, nil
}

// parts cuts the entries to what fits one task.
func parts(entries []Entry) [][]Entry {
	var out [][]Entry
	start, size := 0, 0
	for i, e := range entries {
		n := utf8.RuneCountInString(e.Text)
		if i > start && (size+n > maxPart || i-start == MaxEntries) {
			out, start, size = append(out, entries[start:i]), i, 0
		}
		size += n
	}
	if start < len(entries) {
		out = append(out, entries[start:])
	}
	return out
}

func (x *LLM) extract(ctx context.Context, r Request, part []Entry, k *keeper) (Output, error) {
	input := Input{Goal: r.Goal, Instructions: r.Instructions}
	for i, e := range part {
		input.Entries = append(input.Entries, InputEntry{
			Number: i + 1, Type: e.Type, Speaker: e.Speaker, At: written(e.At), Weak: e.Weak, Text: e.Text,
		})
	}
	var out Output
	err := x.ask(ctx, llm.Task{
		Name: TaskExtract, Instructions: extractInstructions, Input: input, Schema: extractSchema, MaxTokens: extractTokens,
	}, k, &out)
	return out, err
}

func written(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// ask asks for an answer in form and reads it into out, a second time where the first is broken.
func (x *LLM) ask(ctx context.Context, task llm.Task, k *keeper, out any) error {
	for try := range 2 {
		answer, err := x.model.Complete(ctx, task)
		k.tokens += answer.Usage.Total()
		wrong := sayNotJSON
		switch {
		case err == nil:
			wrong = decode(task.Schema, answer.JSON, out)
		case !errors.Is(err, llm.ErrAnswer):
			return err
		}
		if wrong == "" {
			k.counts.Repaired += try
			return nil
		}
		task.Repair = wrong
	}
	return ErrBroken
}
