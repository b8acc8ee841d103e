package memory

import (
	"context"
	"strconv"

	"holdfast/internal/commit"
	"holdfast/internal/erasure"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Removal asks for the end of a memory.
type Removal struct {
	ID      string
	Subject Subject
	Cascade bool                     // what is derived from it alone goes too (R0.44)
	Allows  func(version int64) bool // If-Match; nil: none
}

// ArgCascade is the erase job's switch: "true" takes what is derived along.
const ArgCascade = "cascade"

// Delete makes a memory a tombstone and leaves the job that erases its copies
// (S0.48 to S0.50, R0.43). Where that job is dead, deleting again resumes it
// (R0.84).
func (s *Service) Delete(ctx context.Context, t Target, r Removal) (commit.Outcome, error) {
	return s.Commit.Do(ctx, commit.Write{Scope: t.Scope, Actor: t.Caller.Actor, Key: t.Key,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			c, m, err := s.open(ctx, t, op, r.ID, r.Subject, r.Allows)
			if err == nil {
				c.edited(m)
				return c.bury(ctx, m, r.Cascade, nil)
			}
			if m != nil && m.IsDeleted() {
				return c.resume(ctx, m, r)
			}
			return commit.Plan{}, err
		}})
}

// Forget is Delete by the service itself: erasures use it for what they take
// along. What is not there or deleted already is left alone.
func (s *Service) Forget(ctx context.Context, scope tenant.Scope, id string, cascade bool) (commit.Outcome, error) {
	t := Target{Scope: scope, Caller: Caller{Actor: ledger.Service()}}
	return s.Commit.Do(ctx, commit.Write{Scope: scope, Actor: t.Caller.Actor,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			c, m, err := s.serve(ctx, t, op, id)
			if err != nil || m == nil {
				return commit.Plan{}, err
			}
			c.edited(m)
			return c.bury(ctx, m, cascade, nil)
		}})
}

// serve begins a change of a memory by the service; nil when there is none.
func (s *Service) serve(ctx context.Context, t Target, op commit.Operation, id string) (*change, *Memory, error) {
	c, err := s.change(ctx, t, op)
	if err != nil {
		return nil, nil, err
	}
	m, err := Head(ctx, s.Store, t.Scope, id)
	if err != nil || m == nil || m.IsDeleted() {
		return c, nil, errs.Unread(err)
	}
	c.after(m)
	return c, m, nil
}

// bury plans a tombstone: content, salt and look-up rows go at once; versions,
// vectors and edges are the job's.
func (c *change) bury(ctx context.Context, m *Memory, cascade bool, review *Review) (commit.Plan, error) {
	stone := c.tombstone(m, cascade, review)
	if err := c.lay(ctx, m, stone); err != nil {
		return commit.Plan{}, err
	}
	c.erase(stone, c.lookUps(m))
	return c.done(receipt{MemoryID: m.ID, Version: m.Version})
}

// lay puts a tombstone in m's place.
func (c *change) lay(ctx context.Context, m, stone *Memory) error {
	if err := c.head("head", stone, m.Revision); err != nil {
		return err
	}
	if err := c.unlist(ctx, m); err != nil {
		return err
	}
	c.plan.Items--
	c.plan.Bytes -= m.Bytes
	return c.log(ledger.Delete, stone, m.Indexed())
}

// BuryAgain makes a tombstone of what is there again under an id whose erasure is
// complete: a record that is complete never changes again, and stays as it is. with are
// actions that go into the commit.
func (s *Service) BuryAgain(ctx context.Context, scope tenant.Scope, id string, with ...store.Action) error {
	t := ServiceTarget(scope, tenant.Workspace{})
	_, err := s.Commit.Do(ctx, commit.Write{Scope: scope, Actor: t.Caller.Actor,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			c, m, err := s.serve(ctx, t, op, id)
			if err != nil || m == nil {
				return commit.Plan{}, err
			}
			c.edited(m)
			if err := c.lay(ctx, m, c.tombstone(m, false, nil)); err != nil {
				return commit.Plan{}, err
			}
			c.plan.Actions = append(c.plan.Actions, with...)
			return c.done(receipt{MemoryID: m.ID, Version: m.Version})
		}})
	return err
}

// lookUps are the look-up rows that m stood in.
func (c *change) lookUps(m *Memory) []store.Key {
	var out []store.Key
	for _, row := range c.dups {
		out = append(out, row.key)
	}
	if m.Attribute != "" {
		out = append(out, keys.Attribute(c.Scope, c.hash.attribute(m)))
	}
	return out
}

// erase leaves the erasure's record and its job.
func (c *change) erase(stone *Memory, rows []store.Key) {
	record := Erasure{Status: ErasurePending, RequestedAt: c.at, JobID: c.op.ID, Rows: rows}
	c.put("erasure", record.Item(c.Scope, stone.ID), nil)
	c.plan.Jobs = append(c.plan.Jobs, outbox.Job{ID: record.JobID, Kind: outbox.Erase, ItemID: stone.ID,
		Args: map[string]string{ArgCascade: strconv.FormatBool(stone.Deletion.Cascade)}})
}

// resume plans another run of an erasure whose tries were used up.
func (c *change) resume(ctx context.Context, stone *Memory, r Removal) (commit.Plan, error) {
	if !c.knew(stone, r.Subject) {
		return commit.Plan{}, errs.Missing()
	}
	e, found, err := erasure.Read(ctx, c.store, c.Scope, stone.ID)
	if err != nil {
		return commit.Plan{}, errs.Unread(err)
	}
	if !found || e.Status != ErasureDead {
		return commit.Plan{}, errs.Missing()
	}
	if err := c.mayChange(stone, r.Allows); err != nil {
		return commit.Plan{}, err
	}
	next := *stone
	deletion := *stone.Deletion
	deletion.Cascade = deletion.Cascade || r.Cascade
	next.Deletion = &deletion
	if err := c.head("head", &next, stone.Revision); err != nil {
		return commit.Plan{}, err
	}
	c.erase(&next, e.Rows)
	if e.JobID != "" {
		c.remove("dead", keys.Job(c.Scope, e.JobID)) // the new job takes its place
	}
	if err := c.log(ledger.Delete, &next, false); err != nil {
		return commit.Plan{}, err
	}
	return c.done(receipt{MemoryID: stone.ID, Version: stone.Version})
}
