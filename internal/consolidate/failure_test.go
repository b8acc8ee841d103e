package consolidate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/consolidate"
	"holdfast/internal/errs"
	"holdfast/internal/extract"
	"holdfast/internal/llm"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/run"
	"holdfast/internal/store/keys"
)

func TestAModelThatDoesNotAnswerDelaysTheConsolidation(t *testing.T) {
	w := newWorld(t)
	said := w.talk("run-1")
	w.model.fail = fmt.Errorf("batch: %w", llm.ErrUnavailable)
	_, err := w.consolidate(consolidate.Ask{RunID: "run-1"})
	wantCode(t, err, "MODEL_UNAVAILABLE")
	if e := errs.As(err); e.Kind != errs.Unavailable || e.RetryAfter == 0 {
		t.Errorf("%+v", e)
	}
	for _, id := range said {
		w.there(id)
	}
	if len(w.queue.all) != 1 || len(w.jobs()) != 1 || w.jobs()[0].LastError != "MODEL_UNAVAILABLE" {
		t.Fatalf("sent %v, jobs %+v", w.queue.all, w.jobs())
	}
	w.model.fail = nil
	w.work()
	w.gone(said[0])
	if len(w.derived()) != 4 || len(w.episodes()) != 1 {
		t.Errorf("derived %v", texts(w.derived()))
	}
}

func TestBrokenAnswersEndDeadAndAskingAgainTakesItUp(t *testing.T) {
	w := newWorld(t)
	said := w.talk("run-1")
	w.model.fail = errors.New("the answer is not of the schema")
	_, err := w.consolidate(consolidate.Ask{RunID: "run-1"})
	wantCode(t, err, "MODEL_ANSWER_BROKEN")
	w.work() // to the end of its tries
	if s := w.stretch("run-1", 1); s.State != run.Dead {
		t.Fatalf("%+v", s)
	}
	w.there(said[0])
	w.say("run-1", "The kiln is fired with gas.")
	_, err = w.consolidate(consolidate.Ask{RunID: "run-1"})
	wantCode(t, err, "MODEL_ANSWER_BROKEN")
	w.model.fail = nil
	if _, err := w.consolidate(consolidate.Ask{RunID: "run-1"}); err != nil {
		t.Fatal(err)
	}
	if r := w.run("run-1"); r.Cleared != 2 || len(w.derived()) != 5 || len(w.episodes()) != 2 {
		t.Errorf("%+v, derived %v", r, texts(w.derived()))
	}
}

// An operator's retry of the job takes it up as well.
func TestT53ADeadConsolidationIsRedriven(t *testing.T) {
	w := newWorld(t)
	w.talk("run-1")
	w.model.fail = llm.ErrRefused
	_, err := w.consolidate(consolidate.Ask{RunID: "run-1"})
	wantCode(t, err, "MODEL_REFUSED")
	w.work()
	job, found, err := w.Runner.Find(t.Context(), scope, w.stretch("run-1", 1).JobID)
	if err != nil || !found || job.State != outbox.Dead {
		t.Fatalf("%+v, %v", job, err)
	}
	action, err := job.Again(w.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	w.model.fail = nil
	w.commit(action)
	w.work()
	if s := w.stretch("run-1", 1); s.State != run.Done || len(w.derived()) != 4 {
		t.Errorf("%+v", s)
	}
}

func TestOneConsolidationOfARunAtATime(t *testing.T) {
	w := newWorld(t)
	w.talk("run-1")
	var second error
	w.model.before = func(extract.Request) {
		other := worldOver(t, w.Store, w.clock) // another process
		_, second = other.Consolidate(context.Background(), other.as(agent), consolidate.Ask{RunID: "run-1"})
	}
	if _, err := w.consolidate(consolidate.Ask{RunID: "run-1"}); err != nil {
		t.Fatal(err)
	}
	wantCode(t, second, "CONSOLIDATION_RUNNING")
	if e := errs.As(second); e.Kind != errs.InProgress || e.RetryAfter == 0 {
		t.Errorf("%+v", e)
	}
	if len(w.episodes()) != 1 {
		t.Errorf("%d episodes", len(w.episodes()))
	}
}

func TestT14TheBudgetOfTheModelRefusesOpenly(t *testing.T) {
	w := newWorld(t)
	w.model.tokens = 40
	w.workspace.Settings.Budgets.ModelTokensPerMonth = ptr(int64(100))
	w.say("run-1", "The kiln is fired with gas.")
	w.end("run-1") // batch and conclusion: 80
	w.say("run-1", "The glaze is cobalt blue.")
	_, err := w.consolidate(consolidate.Ask{RunID: "run-1"})
	wantCode(t, err, "BUDGET_EXHAUSTED") // the batch was the last that could be paid
	if used, err := w.ModelTokens(t.Context(), scope); err != nil || used != 120 {
		t.Errorf("%d tokens, %v", used, err)
	}
	if r := w.run("run-1"); r.Busy != 2 || w.jobs()[0].Attempts != 0 {
		t.Errorf("%+v, %+v", r, w.jobs())
	}
	w.say("run-2", "The bus is late.")
	_, err = w.consolidate(consolidate.Ask{RunID: "run-2"})
	wantCode(t, err, "BUDGET_EXHAUSTED")
	if r := w.run("run-2"); r.Open != 1 {
		t.Errorf("sealed: %+v", r)
	}
	w.clock.Advance(31 * 24 * time.Hour) // another month
	w.work()
	if _, err := w.consolidate(consolidate.Ask{RunID: "run-2"}); err != nil || w.run("run-1").Cleared != 2 {
		t.Error(err)
	}
}

// Whatever a model says, what rests on nothing in the batch goes no further.
func TestAnswersThatCiteWhatIsNotThereStoreNothing(t *testing.T) {
	w := newWorld(t)
	elsewhere := w.say("run-2", "The vault's code is 4711.")
	w.say("run-1", "The kiln is fired with gas.")
	w.model.change = func(r *extract.Result) {
		good := r.Statements[0]
		for _, spans := range [][]extract.Span{
			nil, {{EntryID: elsewhere, End: 5}}, {{EntryID: "none", End: 5}}, {good.Spans[0], {EntryID: elsewhere, End: 5}},
			{{EntryID: good.Spans[0].EntryID, Start: 5, End: 5}}, {{EntryID: good.Spans[0].EntryID, Start: -1, End: 5}},
			{{EntryID: good.Spans[0].EntryID, End: 500}},
		} {
			r.Statements = append(r.Statements, extract.Statement{Type: "fact", Text: "The vault is open.", Spans: spans})
			r.Sentences = append(r.Sentences, extract.Sentence{Text: "The vault is open.", Spans: spans})
		}
		for _, kind := range []string{"policy", "episode", "", "artifact_ref"} {
			r.Statements = append(r.Statements, extract.Statement{Type: kind, Text: "The vault is a policy.", Spans: good.Spans})
		}
		for _, text := range []string{"", " ", "vault \x00", "vault \xff", strings.Repeat("vault", 4000)} {
			r.Statements = append(r.Statements, extract.Statement{Type: "fact", Text: text, Spans: good.Spans})
		}
	}
	w.model.concludes = func(c *extract.Conclusion) {
		spans := []extract.Span{{EntryID: elsewhere, End: 3}}
		c.Outcome = append(c.Outcome, extract.Sentence{Text: "The vault was opened.", Spans: spans}, extract.Sentence{Text: "vault"})
		c.Summary = append(c.Summary, extract.Sentence{Text: "The vault was opened.", Spans: spans})
	}
	w.end("run-1")
	for _, m := range w.list(memory.Filter{Layer: memory.Workspace}) {
		if strings.Contains(m.Content, "vault") {
			t.Errorf("%s: %q", m.Type, m.Content)
		}
	}
	if n := w.stretch("run-1", 1).Counts[run.CountUngrounded]; n != 16+3 {
		t.Errorf("%d ungrounded", n)
	}
}

// An answer of any size fits the staged row, and what does not is counted.
func TestOverlongAnswersAreCut(t *testing.T) {
	w := newWorld(t)
	w.say("run-1", "The kiln is fired with gas.")
	w.model.change = func(r *extract.Result) {
		good := r.Statements[0]
		for n := range 2000 {
			text := fmt.Sprintf("Number %d is %s.", n, strings.Repeat("\"\n", 100))
			r.Statements = append(r.Statements, extract.Statement{Type: "fact", Text: text, Spans: good.Spans})
			r.Sentences = append(r.Sentences, extract.Sentence{Text: text, Spans: good.Spans})
		}
	}
	w.end("run-1")
	kept := len(w.derived())
	if n := w.stretch("run-1", 1).Counts["overflow"]; kept < 100 || int(n)+kept != 2001 {
		t.Errorf("%d kept, %d over", kept, n)
	}
	if n := len([]rune(w.episodes()[0].Content)); n > 4000 {
		t.Errorf("an episode of %d characters", n)
	}
}

func TestADeleteWhileTheModelReadsMakesItReadAgain(t *testing.T) {
	w := newWorld(t)
	w.say("run-1", "The kiln is fired with gas.")
	id := w.say("run-1", "The glaze is cobalt blue.")
	w.model.change = once(func() {
		if _, err := w.Memories.Delete(context.Background(), w.as(agent), memory.Removal{ID: id, Cascade: true}); err != nil {
			t.Error(err)
		}
	})
	w.end("run-1")
	if w.model.batches != 2 || w.stretch("run-1", 1).Counts[run.CountRedone] != 1 {
		t.Errorf("read %d times", w.model.batches)
	}
	for _, m := range w.list(memory.Filter{Layer: memory.Workspace}) {
		if strings.Contains(m.Content, "cobalt") {
			t.Errorf("%s: %q", m.Type, m.Content)
		}
	}
	if strings.Contains(w.dump(), "E0000#") {
		t.Error("what was staged of the old text is there")
	}
	if n := len(w.derived()); n != 1 {
		t.Errorf("derived %v", texts(w.derived()))
	}
}

func once(do func()) func(*extract.Result) {
	var first sync.Once
	return func(*extract.Result) { first.Do(do) }
}

// Another text of an entry whose stretch is sealed would be cleared without a trace.
func TestT17ATextThatNobodyWouldReadIsRefused(t *testing.T) {
	for name, content := range map[string]string{"clean": "The glaze is red.", "dirty": hostile} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.say("run-1", "The glaze is cobalt blue.")
			put := func() error {
				_, err := w.Memories.Update(context.Background(), w.as(agent), memory.Revision{ID: id, Content: content})
				return err
			}
			w.model.change = once(func() { wantCode(t, put(), "CONSOLIDATION_RUNNING") })
			w.end("run-1")
			if derived := texts(w.derived()); len(derived) != 1 || derived[0] != "The glaze is cobalt blue." {
				t.Errorf("derived %v", derived)
			}
			if err := put(); errs.KindOf(err) != errs.NotFound {
				t.Errorf("after the end: %v", err)
			}
		})
	}
}

func TestASessionThatIsEditedAgainAndAgainIsTriedLater(t *testing.T) {
	w := newWorld(t)
	var said []string
	for n := range 12 {
		said = append(said, w.say("run-1", fmt.Sprintf("The glaze of pot %d is blue.", n)))
	}
	n := 0
	w.model.change = func(*extract.Result) {
		n++
		if _, err := w.Memories.Delete(context.Background(), w.as(agent), memory.Removal{ID: said[n]}); err != nil {
			t.Error(err)
		}
	}
	_, err := w.consolidate(consolidate.Ask{RunID: "run-1"})
	wantCode(t, err, "SESSION_EDITED")
	if n > 10 {
		t.Errorf("read %d times", n)
	}
	w.model.change = nil
	w.work()
	if got := w.derived(); len(got) != len(said)-n {
		t.Errorf("derived %q", texts(got))
	}
}

// A statement whose entry was changed or deleted after the episode was stored, and
// before it is stored itself, is not stored: a cascade from the entry would not have
// found it.
func TestR044WhatRestsOnAnEntryThatIsGoneIsNotStored(t *testing.T) {
	h := &hooked{Store: filled(t)}
	w := worldOver(t, h, clock.NewFixed(start))
	w.say("run-1", "The kiln is fired with gas.")
	id := w.say("run-1", "The glaze is cobalt blue.")
	h.call = func() {
		if _, err := w.Memories.Delete(context.Background(), w.as(agent), memory.Removal{ID: id, Cascade: true}); err != nil {
			t.Error(err)
		}
	}
	w.end("run-1")
	if got := texts(w.derived()); !slices.Equal(got, []string{"The kiln is fired with gas."}) {
		t.Errorf("derived %q", got)
	}
	if n := w.stretch("run-1", 1).Counts[run.CountUngrounded]; n != 1 {
		t.Errorf("%d ungrounded", n)
	}
	edge := keys.Derived(scope, id, w.episodes()[0].ID)
	if _, found, err := w.Store.Get(t.Context(), edge); err != nil || !found {
		t.Errorf("the cascade does not find the episode: %v", err)
	}
}

func TestWhatIsOutOfTimeGoesOnWithoutLosingATry(t *testing.T) {
	w := newWorld(t)
	for n := range 250 {
		w.say("run-1", fmt.Sprintf("Lamp number %d is lit.", n))
	}
	w.Patience = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	w.model.before = func(extract.Request) {
		if w.model.batches == 2 {
			cancel()
		}
	}
	_, err := w.Consolidate(ctx, w.as(agent), consolidate.Ask{RunID: "run-1"})
	wantCode(t, err, "TIMEOUT")
	if job := w.jobs()[0]; job.Attempts != 0 || job.State != outbox.Pending {
		t.Errorf("%+v", job)
	}
	w.work()
	if w.model.batches > 4 || w.model.largest != 100 || len(w.derived()) != 250 {
		t.Errorf("%d batches of at most %d, derived %d", w.model.batches, w.model.largest, len(w.derived()))
	}
}
