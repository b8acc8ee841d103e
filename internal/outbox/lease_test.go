package outbox_test

import (
	"context"
	"testing"
	"time"

	"holdfast/internal/outbox"
)

// A worker that is slower than its lease fails while another has the job: the
// other's lease and count stand.
func TestT20ALostLeaseEndsNoOthers(t *testing.T) {
	w := newWorld(t, outbox.Job{ID: "j1", Kind: outbox.Embed})
	gaveUp := false
	w.r.OnDead = func(context.Context, outbox.Job) error { gaveUp = true; return nil }
	slow := func(ctx context.Context, job outbox.Job) error {
		w.clock.Advance(2 * time.Minute)
		for range 2 { // the second finds the first at work
			err := w.r.Run(ctx, scope, "j1", func(ctx context.Context, job outbox.Job) error {
				if job.Attempts != 2 {
					t.Errorf("attempt %d", job.Attempts)
				}
				return nil // and goes on for a while
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		return broken(ctx, job)
	}
	if err := w.r.Run(t.Context(), scope, "j1", slow); err != nil {
		t.Fatal(err)
	}
	job, found := w.job(t, "j1")
	if !found || job.State != outbox.Running || job.Attempts != 2 || job.LastError != "" || gaveUp || len(w.queue.all) != 0 {
		t.Fatalf("%+v, given up %v, sent %v", job, gaveUp, w.queue.all)
	}
}
