package fact

import (
	"context"

	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// openJobs are the erase jobs that are open.
func (w *world) openJobs() ([]outbox.Job, error) {
	page, err := w.Store.Query(context.Background(), store.Query{PK: keys.JobPK(scope)})
	if err != nil {
		return nil, err
	}
	var out []outbox.Job
	for _, item := range page.Items {
		job, err := outbox.ReadJob(item)
		if err != nil {
			return nil, err
		}
		out = append(out, job)
	}
	return out, nil
}

func (w *world) jobs() []outbox.Job {
	w.t.Helper()
	jobs, err := w.openJobs()
	if err != nil {
		w.t.Fatal(err)
	}
	return jobs
}

// clearing is what a job that empties a list does.
func (w *world) clearing(job outbox.Job) Clearing {
	return Clearing{Facts: w.Service, Scope: job.Scope, Space: job.Args[ArgSpace], List: job.Args[ArgList],
		Whole: job.Args[ArgWhole] == "true", Drop: w.drop, Copies: func(context.Context, []string) error { return nil }}
}

// work does what the open jobs ask for, as internal/erase does, but for the index.
func (w *world) work() {
	w.t.Helper()
	for _, job := range w.jobs() {
		if err := w.do(job); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *world) do(job outbox.Job) error {
	ctx := context.Background()
	if job.Args[ArgList] == "" {
		gone, err := VersionKeys(ctx, w.Store, job.Scope, job.ItemID)
		if err == nil {
			err = w.drop(ctx, append(gone, keys.Job(job.Scope, job.ID)))
		}
		return err
	}
	c := w.clearing(job)
	if err := c.Run(ctx); err != nil {
		return err
	}
	gone := []store.Key{keys.Job(job.Scope, job.ID)}
	if c.Whole {
		left, err := SpaceRows(ctx, w.Store, job.Scope, c.Space)
		if err != nil {
			return err
		}
		gone = append(gone, left...)
	}
	return w.drop(ctx, gone)
}
