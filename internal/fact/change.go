package fact

import (
	"context"
	"time"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/runtoken"
	"holdfast/internal/store"
)

// change gathers what one write does, row by row, into a plan.
type change struct {
	Target
	*Service
	at   time.Time // of the write
	plan commit.Plan
}

// change begins a write. That of an experiment asks in its commit that the experiment
// goes on, so that nothing is written into a memory that is thrown away.
func (s *Service) change(ctx context.Context, t Target, op commit.Operation) (*change, error) {
	c := &change{Target: t, Service: s, at: utc(op.At)}
	c.plan.Budget = t.Workspace.Settings.Budgets.StoredBytes
	if t.Space.experiment == "" {
		return c, nil
	}
	running, err := runtoken.StillRuns(ctx, s.Store, t.Space.experiment)
	if err != nil {
		return nil, errs.Unread(err)
	}
	running.Label = "experiment"
	c.plan.Actions = append(c.plan.Actions, running)
	return c, nil
}

func (c *change) put(label string, item store.Item, cond *store.Cond) {
	c.plan.Actions = append(c.plan.Actions, store.PutItem(label, item, cond))
}

func (c *change) remove(label string, key store.Key) {
	c.plan.Actions = append(c.plan.Actions, store.DeleteItem(label, key, nil))
}

func (c *change) check(label string, key store.Key, cond *store.Cond) {
	c.plan.Actions = append(c.plan.Actions, store.CheckItem(label, key, cond))
}

// head writes f over a HEAD row of a revision; 0: there is none.
func (c *change) head(f *Fact, revision int64) error {
	f.Revision = revision + 1
	item, err := headItem(c.Scope, f)
	if err != nil {
		return err
	}
	cond := store.IfAbsent()
	if revision > 0 {
		cond = store.IfEqual(attrRevision, store.N(revision))
	}
	c.put("head", item, cond)
	return nil
}

// log adds f's log row; searched tells that the write changes what search can answer.
func (c *change) log(op ledger.Op, f *Fact, searched bool) error {
	entry, err := f.entry(op, searched)
	c.plan.Entries = append(c.plan.Entries, entry)
	return err
}

// grow counts in the workspace and, for what is in an end user's folder, there.
func (c *change) grow(ctx context.Context, f *Fact, facts, bytes int64) error {
	c.plan.Items += facts
	c.plan.Bytes += bytes
	user := f.User()
	if user == "" {
		return nil
	}
	folder, err := c.folder(ctx, c.Target, user)
	if err != nil {
		return err
	}
	if f.Generation == 0 {
		f.Generation = folder.current()
	}
	if folder.current() != f.Generation {
		return errs.Missing() // erased since it was read
	}
	c.plan.Actions = append(c.plan.Actions, folder.grow(facts, bytes))
	return nil
}

// open begins a change of a fact that exists for the caller; missing and stale are
// errors, in this order.
func (s *Service) open(ctx context.Context, t Target, op commit.Operation, id string) (*change, *Fact, error) {
	c, err := s.change(ctx, t, op)
	if err != nil {
		return nil, nil, err
	}
	f, err := s.read(ctx, s.sight(t), id)
	if err != nil {
		return nil, nil, err
	}
	if t.Allows != nil && !t.Allows(f.Version) {
		return nil, nil, errs.New(errs.Precondition, "VERSION_MISMATCH", "If-Match names another version.")
	}
	return c, f, nil
}

// done completes the plan.
func (c *change) done(f *Fact) (commit.Plan, error) {
	result, err := receipt{FactID: f.ID, Version: f.Version}.encode()
	c.plan.Result = result
	return c.plan, err
}
