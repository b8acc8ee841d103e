package fact

import (
	"context"
	"strconv"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/runtoken"
	"holdfast/internal/store"
)

// Arguments of an erase job that empties a list. One without them erases the copies of
// one fact.
const (
	ArgList  = "list"  // hash of the list
	ArgSpace = "space" // hash of the memory that it is of
	ArgWhole = "whole" // "true": the memory goes too, and nothing was counted off yet
	// ArgVersion is that of the log rows: the generation of an end user's folder.
	ArgVersion = "version"
)

// EraseUser erases an end user's folder in one commit (R3.23): from then on it is empty
// to everybody, and stays so for the runs that follow until they write. Its rows go by
// a job. A user of whom nothing is there has a receipt as well.
func (s *Service) EraseUser(ctx context.Context, t Target, userID string) (commit.Outcome, error) {
	user, ok := LegalUser(userID)
	if !ok {
		return commit.Outcome{}, errs.Validation(errs.Field{Pointer: "user", Rule: "must be an end user's id"})
	}
	return s.Commit.Do(ctx, commit.Write{Scope: t.Scope, Actor: t.Actor, Key: t.Key, Kind: ledger.ErasureReceipt,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			c, err := s.change(ctx, t, op)
			if err != nil {
				return commit.Plan{}, err
			}
			f, err := s.folder(ctx, t, user)
			if err != nil {
				return commit.Plan{}, err
			}
			return c.eraseFolder(op, f)
		}})
}

func (c *change) eraseFolder(op commit.Operation, f folder) (commit.Plan, error) {
	item := f.erasure(c.Space)
	done := ledger.Entry{Op: ledger.Erase, Family: Family, ItemID: item, Version: f.generation}
	switch {
	case !f.found:
		c.check("folder", f.key, store.IfAbsent())
	case f.facts == 0:
		c.plan.Actions = append(c.plan.Actions, f.erased())
	default:
		done.Op = ledger.Delete // the job writes the end
		c.plan.Actions = append(c.plan.Actions, f.erased())
		c.counted(part(item), -f.facts, nil)
		c.plan.Items, c.plan.Bytes = -f.facts, -f.bytes
		c.erase(op, item, map[string]string{ArgSpace: c.Space.hash, ArgVersion: strconv.FormatInt(f.generation, 10),
			ArgList: listOf(c.Space.hash, userFolder(f.user), f.generation)})
	}
	c.plan.Entries = append(c.plan.Entries, done)
	return c.plan, nil
}

// Over is what a commit that ends an experiment leaves: the job that throws its memory
// away (R3.22). It is runtoken.Service's Over.
func (s *Service) Over(_ context.Context, op commit.Operation, r runtoken.Run) (commit.Plan, error) {
	space := SpaceOf(r)
	c := &change{Target: Target{Scope: r.Scope, Space: space}, Service: s, at: utc(op.At)}
	c.erase(op, r.ID, map[string]string{ArgSpace: space.hash, ArgList: listOfAll(space.hash), ArgWhole: "true"})
	c.plan.Entries = []ledger.Entry{{Op: ledger.Delete, Family: Family, ItemID: r.ID}}
	return c.plan, nil
}
