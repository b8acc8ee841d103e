package llmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"holdfast/internal/llm"
)

func names(w *world) {
	name := w.Model.Name()
	if name == "" || len(strings.Fields(name)) != 1 {
		w.Errorf("name %q", name)
	}
	w.answer(w.Task)
	if again := w.Model.Name(); again != name {
		w.Errorf("name was %q, is %q", name, again)
	}
}

func oneValue(w *world) {
	if a := w.answer(w.Task); !json.Valid(a.JSON) {
		w.Errorf("not JSON: %d bytes", len(a.JSON))
	}
}

// unwritable is an input whose error repeats it.
type unwritable struct{}

// MarshalJSON fails.
func (unwritable) MarshalJSON() ([]byte, error) { return nil, errors.New(canary) }

func notWhole(w *world) {
	for _, change := range []func(*llm.Task){
		func(t *llm.Task) { t.Name = "" },
		func(t *llm.Task) { t.Name = canary + " with spaces" },
		func(t *llm.Task) { t.Instructions = " " },
		func(t *llm.Task) { t.Input = unwritable{} },
		func(t *llm.Task) { t.Schema = nil },
		func(t *llm.Task) { t.Schema = json.RawMessage(`{"type":"` + canary + `"}`) },
		func(t *llm.Task) { t.MaxTokens = -1 },
	} {
		task := w.Task
		change(&task)
		w.fails(task, llm.ErrRefused)
	}
	if w.Seen != nil && len(w.Seen()) > 0 {
		w.Errorf("asked %d times", len(w.Seen()))
	}
}

func endedContext(w *world) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	a, err := w.Model.Complete(ended, w.Task)
	w.judge(a, err, llm.ErrUnavailable)
	if !errors.Is(err, context.Canceled) {
		w.Errorf("error %v", err)
	}
	if w.Seen != nil && len(w.Seen()) > 0 {
		w.Errorf("asked %d times", len(w.Seen()))
	}
}

func silent(w *world) {
	var lines bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug})))
	defer slog.SetDefault(before)
	w.answer(w.Task)
	if w.Next != nil {
		w.Next(Reply{Kind: Says, Text: canary})
		w.fails(w.Task, llm.ErrAnswer)
	}
	if lines.Len() > 0 {
		w.Errorf("%d bytes of log", lines.Len())
	}
}

func ownAnswer(w *world) {
	first := w.answer(w.Task).JSON
	kept := slices.Clone(first)
	w.answer(w.Task)
	if !bytes.Equal(first, kept) {
		w.Error("a later call changed an answer")
	}
	clear(first)
	if !bytes.Equal(w.answer(w.Task).JSON, kept) {
		w.Error("a caller's change reached a later answer")
	}
}

func concurrent(w *world) {
	want := w.answer(w.Task).JSON
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			a, err := w.Model.Complete(context.Background(), w.Task)
			if err != nil || !bytes.Equal(a.JSON, want) {
				w.Errorf("another answer, error %v", err)
			}
		})
	}
	group.Wait()
}
