package adminapi

import (
	"context"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/httpapi"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/routes"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

type jobsInput struct {
	State  string `query:"state" enum:"pending,running,failed,dead" doc:"Only jobs in this state"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
	Cursor string `query:"cursor"`
}

// jobBody is a job as operators see it (T.53): ids, counts and codes.
type jobBody struct {
	JobID     string       `json:"jobId"`
	Kind      outbox.Kind  `json:"kind"`
	State     outbox.State `json:"state"`
	Attempts  int          `json:"attempts"`
	LastError *string      `json:"lastError" nullable:"true" doc:"A code"`
	CreatedAt httpapi.Time `json:"createdAt"`
	DueAt     httpapi.Time `json:"dueAt"`
}

type jobsPage struct {
	Jobs       []jobBody `json:"jobs"`
	NextCursor *string   `json:"nextCursor" nullable:"true"`
}

func jobOf(j outbox.Job) jobBody {
	out := jobBody{JobID: j.ID, Kind: j.Kind, State: j.State, Attempts: j.Attempts,
		CreatedAt: httpapi.At(j.CreatedAt), DueAt: httpapi.At(j.DueAt)}
	if j.LastError != "" {
		out.LastError = &j.LastError
	}
	return out
}

// JobsList lists the open and dead jobs of a workspace; a job that is done has no row.
func JobsList(d httpapi.Deps) httpapi.Endpoint {
	runner := &outbox.Runner{Store: d.Store, Clock: d.Clock, Log: d.Log}
	return httpapi.Handle(routes.AdminJobsList, func(ctx context.Context, c *httpapi.Call, in *jobsInput) (httpapi.Reply[jobsPage], error) {
		after, err := c.Cursors.Open(c.Route.ID, c.Scope, in.State, in.Cursor)
		if err != nil {
			return httpapi.Reply[jobsPage]{}, err
		}
		jobs, next, err := runner.List(ctx, c.Scope, outbox.State(in.State), in.Limit, after)
		if err != nil {
			return httpapi.Reply[jobsPage]{}, err
		}
		page := jobsPage{Jobs: make([]jobBody, 0, len(jobs))}
		for _, j := range jobs {
			page.Jobs = append(page.Jobs, jobOf(j))
		}
		if cursor := c.Cursors.Seal(c.Route.ID, c.Scope, in.State, next); cursor != "" {
			page.NextCursor = &cursor
		}
		return httpapi.OK(page), nil
	})
}

type jobInput struct {
	JobID string `path:"jobId"`
}

// JobsRetry makes a dead job due again, with all its tries (T.20). The call names
// no workspace, so the tenant's workspaces are asked one by one.
func JobsRetry(d httpapi.Deps) httpapi.Endpoint {
	runner := &outbox.Runner{Store: d.Store, Clock: d.Clock, Log: d.Log}
	return httpapi.Handle(routes.AdminJobsRetry, func(ctx context.Context, c *httpapi.Call, in *jobInput) (httpapi.Reply[jobBody], error) {
		job, err := findJob(ctx, d, runner, c, in.JobID)
		if err != nil {
			return httpapi.Reply[jobBody]{}, err
		}
		out, err := d.Commit.Do(ctx, again(runner, job, c))
		if err != nil {
			return httpapi.Reply[jobBody]{}, err
		}
		if now, found, err := runner.Find(ctx, job.Scope, job.ID); err == nil && found {
			job = now
		}
		return httpapi.OK(jobOf(job)).Wrote(out), nil
	})
}

func findJob(ctx context.Context, d httpapi.Deps, runner *outbox.Runner, c *httpapi.Call, id string) (outbox.Job, error) {
	var found outbox.Job
	err := d.Directory.Workspaces(ctx, c.Scope.TenantID(), func(w tenant.Workspace) error {
		if found.ID != "" || !c.Principal.May(w.ID) {
			return nil
		}
		job, ok, err := runner.Find(ctx, c.Scope.Sibling(w.ID), id)
		if ok {
			found = job
		}
		return err
	})
	if err == nil && found.ID == "" {
		err = errs.Missing()
	}
	return found, err
}

// again commits the retry in the tenant's own log; the job's workspace is not
// changed by it.
func again(runner *outbox.Runner, job outbox.Job, c *httpapi.Call) commit.Write {
	return commit.Write{
		Scope: c.Scope, Actor: c.Actor(), Kind: ledger.AdminReceipt, Key: c.Key,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			now, found, err := runner.Find(ctx, job.Scope, job.ID)
			if err != nil {
				return commit.Plan{}, err
			}
			if !found {
				return commit.Plan{}, errs.Missing()
			}
			action, err := now.Again(op.At)
			return commit.Plan{
				Actions: []store.Action{action},
				Entries: []ledger.Entry{{Op: ledger.Update, Family: "platform", ItemID: job.ID}},
			}, err
		},
	}
}
