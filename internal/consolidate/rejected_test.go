package consolidate_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"holdfast/internal/clock"
	"holdfast/internal/consolidate"
	"holdfast/internal/extract"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
)

// porto is a world in which a run says in other words what a memory says wrongly; a
// model words it in its own way.
func porto(t testing.TB, s store.Store) (w *world, wrong string) {
	t.Helper()
	w = worldOver(t, s, clock.NewFixed(start))
	wrong = w.know("The archive is in Porto.")
	for _, text := range []string{"The archive has moved to Porto.", "The archive closes at six.", "The archive is in Porto.", "The ramp is red."} {
		w.say("run-1", text)
	}
	return w, wrong
}

func (w *world) wording() {
	w.model.concludes = func(c *extract.Conclusion) {
		for _, s := range c.Summary[:1] {
			s.Text = "The archive is now in Porto."
			c.Outcome, c.Summary = append(c.Outcome, s), append(c.Summary, s)
		}
	}
}

// correct rejects the wrong value, as a person of another process does.
func (w *world) correct(wrong string) memory.Changed {
	w.t.Helper()
	out, err := w.Memories.Update(context.Background(), w.as(reviewer), memory.Revision{ID: wrong, Content: "The archive is in Faro."})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// notBack holds that nothing stored after an operation says the value, and answers what
// was stored before it.
func (w *world) notBack(t *testing.T, at string, sequence int64) (before int) {
	t.Helper()
	for _, m := range w.list(memory.Filter{Layer: memory.Workspace}) {
		op, found, err := ledger.ReadOperation(t.Context(), w.Store, scope, m.Edition.OperationID)
		if err != nil || !found {
			t.Fatal(err)
		}
		switch says := strings.Contains(m.Content, "Porto"); {
		case says && op.Sequence > sequence:
			t.Errorf("%s: %s of %d brings back what %d rejected: %q", at, m.Type, op.Sequence, sequence, m.Content)
		case says:
			before++
		}
	}
	return before
}

func TestA05ARejectionAtEveryStepOfAConsolidation(t *testing.T) {
	t.Parallel()
	stages := map[int]bool{}
	for at := 1; ; at++ {
		raw := filled(t)
		person, wrong := porto(t, raw)
		m := faultstore.New(raw)
		sequence := int64(-1)
		m.Arm(faultstore.Fault{At: at, Then: func() { sequence = person.correct(wrong).Sequence }})
		w := worldOver(t, m, person.clock)
		w.wording()
		if err := w.ask(); err != nil {
			t.Fatalf("step %d: %v", at, err)
		}
		w.work()
		if sequence < 0 {
			break
		}
		m.Disarm()
		stages[person.notBack(t, fmt.Sprint("step ", at), sequence)] = true
		if st := person.stretch("run-1", 1); st.State != run.Done || len(st.Episodes) != 1 || len(st.Summaries) != 1 {
			t.Errorf("step %d: %+v", at, st)
		}
	}
	if len(stages) < 4 { // nothing, the episode, the summary, statements were stored before
		t.Errorf("only %v", stages)
	}
}

func TestA05ARejectedSentenceIsInNeitherEpisodeNorSummary(t *testing.T) {
	w, wrong := porto(t, filled(t))
	w.correct(wrong)
	w.wording()
	if _, err := w.consolidate(consolidate.Ask{RunID: "run-1", Goal: "The archive is now in Porto."}); err != nil {
		t.Fatal(err)
	}
	w.work()
	w.notBack(t, "at the end", 0)
	// Two statements, and what the model worded anew for outcome and summary.
	if c := w.stretch("run-1", 1).Counts; c[run.CountRejected] != 4 || c["kept.fact"] != 2 {
		t.Errorf("%v", c)
	}
	if e := w.episodes(); len(e) != 1 || !strings.Contains(e[0].Content, "closes at six") {
		t.Errorf("%q", texts(e))
	}
}

func TestA05ARejectionRacesAConsolidation(t *testing.T) {
	t.Parallel()
	for round := range 20 {
		raw := filled(t)
		person, wrong := porto(t, raw)
		w := worldOver(t, raw, person.clock)
		w.wording()
		var g sync.WaitGroup
		var rejected memory.Changed
		g.Go(func() {
			if err := w.ask(); err != nil {
				t.Log(err)
			}
		})
		g.Go(func() {
			var err error
			rejected, err = person.Memories.Update(context.Background(), person.as(reviewer),
				memory.Revision{ID: wrong, Content: "The archive is in Faro."})
			if err != nil {
				t.Error(err)
			}
		})
		g.Wait()
		w.work()
		person.notBack(t, fmt.Sprint("round ", round), rejected.Sequence)
	}
}
