package work_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	facts "holdfast/internal/fact"
	"holdfast/internal/outbox"
	"holdfast/internal/search"
	wordindex "holdfast/internal/search/words"
	"holdfast/internal/search/words/memwords"
	"holdfast/internal/work"
)

// choosy is an index that does not take some items.
type choosy struct {
	search.Index
	items []string
}

func (x *choosy) Apply(ctx context.Context, ops []search.Op) []error {
	out := make([]error, len(ops))
	for i, op := range ops {
		if out[i] = search.ErrRefused; op.Delete || !slices.Contains(x.items, op.Document.ItemID()) {
			out[i] = x.Index.Apply(ctx, ops[i:i+1])[0]
		}
	}
	return out
}

// refuse makes the index refuse items.
func (w *world) refuse(items ...string) *choosy {
	x := &choosy{w.indexer.Index, items}
	w.indexer.Index = x
	return x
}

func (w *world) refused(job string) {
	w.t.Helper()
	r := work.Refused{Runner: w.runner, Indexer: w.indexer}
	if err := r.Run(w.t.Context(), scope, job); err != nil {
		w.t.Fatal(err)
	}
}

func TestT20WhatTheIndexRefusesHoldsUpNothing(t *testing.T) {
	w := newWorld(t)
	poison := w.add(fact("The ferry is green."))
	w.sync(scope)
	w.update(poison, "The ferry is blue.")
	after := w.add(fact("The harbour wall is granite."))
	x := w.refuse(poison)
	w.sync(scope)
	if w.hits("harbour")[after].ID == "" || w.marked() || w.cursor(scope) != w.head(scope).Sequence {
		t.Fatalf("cursor %d of %d, marked %v", w.cursor(scope), w.head(scope).Sequence, w.marked())
	}
	job := w.job()
	if job.Kind != outbox.Index || job.ItemID != poison || job.DueAt.After(w.clock.Now()) {
		t.Fatalf("job %+v", job)
	}
	w.refused(job.ID)
	if job = w.job(); job.State != outbox.Failed || job.LastError != "INDEX_REFUSED" {
		t.Fatalf("job %+v", job)
	}
	x.items = nil
	w.refused(job.ID)
	if len(w.jobs()) != 0 || w.hits("blue")[poison].Version != 2 {
		t.Errorf("jobs %+v, hits %v", w.jobs(), w.hits("blue"))
	}
	if past := w.found("green", search.Filter{}, scope.Past()); len(past) != 1 {
		t.Errorf("earlier texts %v", past)
	}
}

// What stays refused is dead after its tries, and can be driven again.
func TestT20WhatStaysRefusedIsDeadAndCanBeDrivenAgain(t *testing.T) {
	w := newWorld(t)
	poison := w.add(fact("The ferry is green."))
	x := w.refuse(poison)
	w.sync(scope)
	for range outbox.Tries {
		w.clock.Advance(time.Hour)
		w.refused(w.job().ID)
	}
	job := w.job()
	if job.State != outbox.Dead || job.Attempts != outbox.Tries {
		t.Fatalf("job %+v", job)
	}
	x.items = nil
	w.redrive(job)
	w.refused(job.ID)
	if len(w.jobs()) != 0 || w.hits("ferry")[poison].ID == "" {
		t.Errorf("jobs %+v", w.jobs())
	}
}

func TestT20WhatWasRefusedAndIsDeletedLeavesNothing(t *testing.T) {
	w := newWorld(t)
	poison := w.add(fact("The ferry is green."))
	w.refuse(poison)
	w.sync(scope)
	job := w.job()
	w.delete(poison, false)
	w.sync(scope)
	w.refused(job.ID)
	if jobs := w.jobs(); slices.ContainsFunc(jobs, func(j outbox.Job) bool { return j.Kind == outbox.Index }) {
		t.Errorf("jobs %+v", jobs)
	}
	w.unindexed(poison)
}

// Where something else failed all is tried again, and no job is made.
func TestT20AnIndexThatIsAwayRefusesNothing(t *testing.T) {
	for name, away := range map[string]error{"unavailable": search.ErrUnavailable, "both": errors.Join(search.ErrUnavailable, search.ErrRefused), "other": errAway} {
		w := newWorld(t)
		poison, fine := w.add(fact("The ferry is green.")), w.add(fact("The harbour wall is granite."))
		w.refuse(poison)
		w.indexer.Index = failingFor{w.indexer.Index, fine, away}
		if err := w.indexer.Sync(t.Context(), scope); !errors.Is(err, away) || len(w.jobs()) != 0 || w.cursor(scope) != 0 {
			t.Errorf("%s: %v, jobs %+v, cursor %d", name, err, w.jobs(), w.cursor(scope))
		}
	}
}

// failingFor is an index that fails for one item.
type failingFor struct {
	search.Index
	item string
	err  error
}

func (x failingFor) Apply(ctx context.Context, ops []search.Op) []error {
	out := x.Index.Apply(ctx, ops)
	for i, op := range ops {
		if op.Document.ItemID() == x.item {
			out[i] = x.err
		}
	}
	return out
}

func TestT20AFaultAtEveryStoreCallLosesNothingThatWasRefused(t *testing.T) {
	for at := 1; ; at++ {
		w, faults := newFaultyWorld(t)
		poison := w.add(fact("The ferry is green."))
		after := w.add(fact("The harbour wall is granite."))
		x := w.refuse(poison)
		came := faults.armed(at, func() { _ = w.indexer.Sync(t.Context(), scope) })
		w.sync(scope)
		job := w.job()
		if job.ItemID != poison || w.hits("harbour")[after].ID == "" || w.marked() {
			t.Fatalf("call %d: job %+v, marked %v", at, job, w.marked())
		}
		x.items = nil
		r := work.Refused{Runner: w.runner, Indexer: w.indexer}
		came = faults.armed(at, func() { _ = r.Run(t.Context(), scope, job.ID) }) || came
		w.clock.Advance(time.Hour)
		for _, job := range w.jobs() {
			w.refused(job.ID)
		}
		if len(w.jobs()) != 0 || w.hits("ferry")[poison].ID == "" {
			t.Errorf("call %d: jobs %+v", at, w.jobs())
		}
		if !came {
			break
		}
	}
}

// choosyWords is an index of words that takes nothing.
type choosyWords struct{ wordindex.Index }

func (choosyWords) Apply(_ context.Context, ops []wordindex.Op) []error {
	return slices.Repeat([]error{search.ErrRefused}, len(ops))
}

func TestT20AFactThatTheIndexRefusesHoldsUpNothing(t *testing.T) {
	d := deskOver(newWorld(t))
	saved := d.save(d.panel(), "harbour", "The ferries are green.", "")
	after := d.add(fact("The harbour wall is granite."))
	x := memwords.New(d.clock)
	d.indexer.Words, d.indexer.Facts = choosyWords{x}, facts.Projector{Facts: d.served}
	d.sync(scope)
	job := d.job()
	if job.ItemID != saved || job.Args["family"] != facts.Family || d.hits("harbour")[after].ID == "" {
		t.Fatalf("job %+v", job)
	}
	d.indexer.Words = x
	d.refused(job.ID)
	if n, err := x.Count(t.Context(), scope); n != 1 || err != nil || len(d.jobs()) != 0 {
		t.Errorf("%d documents, %v, jobs %+v", n, err, d.jobs())
	}
}
