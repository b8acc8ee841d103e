package memory

import (
	"context"
	"strconv"

	"holdfast/internal/commit"
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
		return c, nil, unread(err)
	}
	return c, m, nil
}

// bury plans a tombstone: content, salt and look-up rows go at once; versions,
// vectors and edges are the job's.
func (c *change) bury(ctx context.Context, m *Memory, cascade bool, review *Review) (commit.Plan, error) {
	stone := c.tombstone(m, cascade, review)
	if err := c.head("head", stone, m.Revision); err != nil {
		return commit.Plan{}, err
	}
	if err := c.unlist(ctx, m); err != nil {
		return commit.Plan{}, err
	}
	c.plan.Items--
	c.plan.Bytes -= m.Bytes
	c.erase(stone)
	if err := c.log(ledger.Delete, stone, m.Indexed()); err != nil {
		return commit.Plan{}, err
	}
	return c.done(receipt{MemoryID: m.ID, Version: m.Version})
}

func (c *change) tombstone(m *Memory, cascade bool, review *Review) *Memory {
	if review == nil && m.Review != nil {
		review = &Review{Verdict: m.Review.Verdict, At: m.Review.At, KeyID: m.Review.KeyID}
	}
	return &Memory{
		ID: m.ID, WorkspaceID: m.WorkspaceID, Layer: m.Layer, Type: m.Type,
		Version: m.Version, Status: Deleted, CreatedAt: m.CreatedAt, UpdatedAt: c.at,
		Temporal:   Temporal{RecordedAt: m.Temporal.RecordedAt},
		Edition:    Edition{At: m.Edition.At, Actor: m.Edition.Actor, Reason: m.Edition.Reason, OperationID: m.Edition.OperationID},
		Provenance: Provenance{Origin: m.Provenance.Origin, KeyID: m.Provenance.KeyID, OperationID: m.Provenance.OperationID},
		Review:     review,
		Deletion: &Deletion{At: c.at, Subject: c.hash.Subject(m.Subject), WriterID: m.Provenance.KeyID,
			Held: m.Status == Quarantined, Cites: m.Cites(), Cascade: cascade},
	}
}

// unlist removes the rows by which a memory is found.
func (c *change) unlist(ctx context.Context, m *Memory) error {
	c.remove("list", listKey(c.Scope, m))
	for i, key := range c.subjectKeys(m) {
		c.remove("subject"+strconv.Itoa(i), key)
	}
	c.unshare(m)
	switch m.Status {
	case Quarantined:
		c.remove("quarantine", keys.Quarantined(c.Scope, m.ID))
		return nil
	case Active:
		if err := c.mergeable(ctx, m, false); err != nil {
			return err
		}
		return c.vacate(ctx, m)
	}
	return nil
}

// erase leaves the erasure's record and its job.
func (c *change) erase(stone *Memory) {
	c.put("erasure", ErasureItem(c.Scope, stone.ID, Erasure{Status: ErasurePending, RequestedAt: c.at}), nil)
	c.plan.Jobs = append(c.plan.Jobs, outbox.Job{Kind: outbox.Erase, ItemID: stone.ID,
		Args: map[string]string{ArgCascade: strconv.FormatBool(stone.Deletion.Cascade)}})
}

// resume plans another run of an erasure whose tries were used up.
func (c *change) resume(ctx context.Context, stone *Memory, r Removal) (commit.Plan, error) {
	if !c.knew(stone, r.Subject) {
		return commit.Plan{}, errs.Missing()
	}
	e, found, err := ReadErasure(ctx, c.store, c.Scope, stone.ID)
	if err != nil {
		return commit.Plan{}, unread(err)
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
	c.erase(&next)
	if err := c.log(ledger.Delete, &next, false); err != nil {
		return commit.Plan{}, err
	}
	return c.done(receipt{MemoryID: stone.ID, Version: stone.Version})
}

// knew tells whether the caller could see a memory before it was deleted (S0.54).
func (c *change) knew(stone *Memory, asked Subject) bool {
	return stone.knownTo(c.Caller, c.hash.Subject(asked))
}

func (m *Memory) knownTo(caller Caller, asked []string) bool {
	d := m.Deletion
	if d == nil || d.Held && !caller.Review && caller.Actor.KeyID != d.WriterID {
		return false
	}
	for _, member := range d.Subject {
		if !contains(asked, member) {
			return false
		}
	}
	return true
}

// Uncite takes a citation away from a memory that has other sources: what an
// erasure does to appended text that cites the erased (R0.67).
func (s *Service) Uncite(ctx context.Context, scope tenant.Scope, id, cited string) (commit.Outcome, error) {
	t := Target{Scope: scope, Caller: Caller{Actor: ledger.Service()}}
	return s.Commit.Do(ctx, commit.Write{Scope: scope, Actor: t.Caller.Actor,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			c, m, err := s.serve(ctx, t, op, id)
			if err != nil || m == nil || !contains(m.Cites(), cited) {
				return commit.Plan{}, err
			}
			return c.uncite(m, cited)
		}})
}

func (c *change) uncite(m *Memory, cited string) (commit.Plan, error) {
	next := m.clone()
	next.Provenance.Sources = next.Provenance.Sources[:0]
	for _, s := range m.Provenance.Sources {
		if !s.Derives() || s.ID != cited {
			next.Provenance.Sources = append(next.Provenance.Sources, s)
		}
	}
	c.grow(next, size(next)-size(m))
	next.UpdatedAt = c.at
	if err := c.head("head", next, m.Revision); err != nil {
		return commit.Plan{}, err
	}
	c.plan.Actions = append(c.plan.Actions,
		store.DeleteItem("edge", keys.Derived(c.Scope, cited, m.ID), nil))
	if err := c.log(ledger.Update, next, next.Indexed()); err != nil {
		return commit.Plan{}, err
	}
	return c.done(receipt{MemoryID: m.ID, Version: m.Version})
}

// CitesOnly tells whether a memory has no source beside citations of one id: a
// cascade from there takes it (R0.67).
func (m *Memory) CitesOnly(id string) bool {
	for _, s := range m.Provenance.Sources {
		if !s.Derives() || s.ID != id {
			return false
		}
	}
	return len(m.Provenance.Sources) > 0
}
