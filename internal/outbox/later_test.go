package outbox_test

import (
	"context"
	"testing"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

func TestT20WorkThatIsPutOffKeepsItsTries(t *testing.T) {
	for _, c := range []struct {
		name  string
		later outbox.Later
		says  string
		sent  int
	}{
		{"on its way", outbox.Later{}, "", 1},
		{"waits", outbox.Later{Delay: time.Minute, Cause: errs.New(errs.Exhausted, "BUDGET_EXHAUSTED", "")}, "BUDGET_EXHAUSTED", 1},
		{"waits for long", outbox.Later{Delay: time.Hour}, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, outbox.Job{ID: "j", Kind: outbox.Consolidate})
			for range 2 * outbox.Tries {
				w.queue.all, w.queue.delay = nil, nil
				if err := w.r.Run(t.Context(), scope, "j", func(context.Context, outbox.Job) error { return &c.later }); err != nil {
					t.Fatal(err)
				}
			}
			job, found := w.job(t, "j")
			if !found || job.State != outbox.Pending || job.Attempts != 0 || job.LastError != c.says {
				t.Errorf("%+v", job)
			}
			if !job.DueAt.Equal(w.clock.Now().Add(c.later.Delay)) || len(w.queue.all) != c.sent {
				t.Errorf("due %v, sent %v", job.DueAt, w.queue.all)
			}
			if c.sent == 1 && w.queue.delay[0] != c.later.Delay {
				t.Errorf("held back %v", w.queue.delay)
			}
		})
	}
}

func TestT20WhatAnotherWorkerTookIsNotPutOff(t *testing.T) {
	w := newWorld(t, outbox.Job{ID: "j", Kind: outbox.Consolidate})
	err := w.r.Run(t.Context(), scope, "j", func(ctx context.Context, _ outbox.Job) error {
		w.clock.Advance(2 * time.Minute) // the lease is over
		err := w.r.Run(ctx, scope, "j", func(context.Context, outbox.Job) error {
			w.do(t, store.DeleteItem("job", keys.Job(scope, "j"), nil))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return &outbox.Later{}
	})
	if _, found := w.job(t, "j"); err != nil || found || len(w.queue.all) != 0 {
		t.Errorf("%v, there: %v, sent %v", err, found, w.queue.all)
	}
}

func TestRowsWithSchedulesOfTheirOwnAreNotTheSweeps(t *testing.T) {
	w := newWorld(t)
	row := store.Item{Key: keys.RunHead(scope, "hash"), Attrs: store.Attrs{"n": store.N(1)},
		Due: &store.Due{Shard: outbox.Shard(scope), At: w.clock.Now().Add(time.Hour)}}
	w.do(t, store.PutItem("run", row, nil))
	if err := w.r.Restarted(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(2 * time.Hour)
	n, err := w.r.Sweep(t.Context())
	if err != nil || n != 0 || len(w.queue.all) != 0 {
		t.Errorf("swept %d, sent %v, %v", n, w.queue.all, err)
	}
	item, found, err := w.store.Get(t.Context(), row.Key)
	if err != nil || !found || !item.Due.At.Equal(row.Due.At) {
		t.Errorf("%+v, %v", item.Due, err)
	}
}
