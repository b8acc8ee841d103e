package fact

import (
	"context"

	"holdfast/internal/commit"
	"holdfast/internal/erasure"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
)

// Delete takes a fact with its whole history (S3.29): from the commit on nothing
// answers it, and a job erases its copies.
func (s *Service) Delete(ctx context.Context, t Target, id string) (commit.Outcome, error) {
	if err := t.mayWrite(); err != nil {
		return commit.Outcome{}, err
	}
	return s.Commit.Do(ctx, commit.Write{Scope: t.Scope, Actor: t.Actor, Key: t.Key,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			c, f, err := s.open(ctx, t, op, id)
			if err != nil {
				return commit.Plan{}, err
			}
			return c.bury(ctx, op, f)
		}})
}

func (c *change) bury(ctx context.Context, op commit.Operation, f *Fact) (commit.Plan, error) {
	if err := c.grow(ctx, f, -1, -f.Bytes); err != nil {
		return commit.Plan{}, err
	}
	c.counted(part(f.ID), -1, nil)
	if err := c.lay(f); err != nil {
		return commit.Plan{}, err
	}
	c.erase(op, f.ID, nil, sortedKeys(f.places(c.Scope))...)
	return c.done(f)
}

// lay puts a tombstone in f's place, and takes it out of its lists.
func (c *change) lay(f *Fact) error {
	c.list(f, nil)
	stone := f.tombstone()
	if err := c.head(stone, f.Revision); err != nil {
		return err
	}
	return c.log(ledger.Delete, stone, f.Searched())
}

// tombstone is what is left of a fact.
func (f *Fact) tombstone() *Fact {
	return &Fact{ID: f.ID, Space: f.Space, Deleted: true, Edition: Edition{Version: f.Version, UpdatedAt: f.UpdatedAt}}
}

// erase leaves the record of an erasure and its job. rows are those that listed the item.
func (c *change) erase(op commit.Operation, itemID string, args map[string]string, rows ...store.Key) {
	job := outbox.Job{ID: op.ID, Kind: outbox.Erase, ItemID: itemID, Args: map[string]string{erasure.ArgFamily: Family}}
	for name, value := range args {
		job.Args[name] = value
	}
	record := erasure.Record{Status: erasure.Pending, RequestedAt: c.at, JobID: job.ID, Rows: rows}
	c.put("erasure", record.Item(c.Scope, itemID), nil)
	c.plan.Jobs = append(c.plan.Jobs, job)
}
