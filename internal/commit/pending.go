package commit

import (
	"context"
	"fmt"

	"holdfast/internal/errs"
	"holdfast/internal/idem"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
)

// pending is a planned write that waits in a lane.
type pending struct {
	ctx   context.Context
	write Write
	op    Operation
	plan  Plan
	jobs  []outbox.Job
	fixed []store.Action // plan's actions and jobs: known before the lane
	size  int            // bytes of fixed
	stale *idem.Record   // an expired record under the same key
	// of the lane alone:
	outdated bool // rows that the plan has read were changed since
	tries    int  // how often the lane planned it anew
	done     chan result
}

type result struct {
	out Outcome
	err error
}

func (p *pending) finish(out Outcome, err error) { p.done <- result{out, err} }

// wait answers the lane's result. When the caller's context ends first the
// outcome is unknown to it: the write may still happen.
func (p *pending) wait(ctx context.Context) (Outcome, error) {
	select {
	case r := <-p.done:
		return r.out, r.err
	case <-ctx.Done():
		return Outcome{}, unavailable(ctx.Err())
	}
}

// build prepares what does not depend on the head and refuses what can never be
// committed, so that it cannot take neighbours with it.
func (p *pending) build() error {
	p.fixed = append(p.fixed, p.plan.Actions...)
	for i, job := range p.plan.Jobs {
		job = p.fill(job, i)
		action, err := job.Put(fmt.Sprintf("job%d", i))
		if err != nil {
			return err
		}
		p.fixed, p.jobs = append(p.fixed, action), append(p.jobs, job)
	}
	for _, a := range p.fixed {
		p.size += store.Size(a.Item)
	}
	if len(p.fixed) == 0 {
		return nil
	}
	if err := (store.Tx{Actions: p.fixed}).Validate(); err != nil {
		return errs.Wrap(errs.Internal, "INTERNAL", "The write does not fit one commit.", err)
	}
	if p.actions()+shared > store.MaxActions {
		return errs.Wrap(errs.Internal, "INTERNAL", "The write does not fit one commit.", store.ErrTooLarge)
	}
	return nil
}

func (p *pending) fill(job outbox.Job, n int) outbox.Job {
	job.Scope = p.write.Scope
	if job.ID == "" {
		job.ID = p.op.ID
		if n > 0 {
			job.ID = fmt.Sprintf("%s-%d", p.op.ID, n)
		}
	}
	if job.State == "" {
		job.State = outbox.Pending
	}
	job.CreatedAt = p.op.At
	if job.DueAt.IsZero() {
		job.DueAt = p.op.At
	}
	return job
}

// due are the write's jobs but for those that are for later: the sweep, or whoever
// asked for the delay, sees to them.
func (p *pending) due() []outbox.Job {
	var out []outbox.Job
	for _, job := range p.jobs {
		if !job.DueAt.After(p.op.At) {
			out = append(out, job)
		}
	}
	return out
}

// actions counts what the write adds to a transaction: its own, a row an entry,
// the operation's row, and the idempotency record.
func (p *pending) actions() int {
	n := len(p.fixed) + len(p.plan.Entries)
	if !p.empty() {
		n++
	}
	if p.write.Key != nil {
		n++
	}
	return n
}

// empty tells a plan that changes nothing.
func (p *pending) empty() bool { return len(p.fixed) == 0 && len(p.plan.Entries) == 0 }

// rows answers the log rows, operation and idempotency record that follow head,
// and moves head past them.
func (p *pending) rows(head *ledger.Head) ([]store.Action, Outcome, error) {
	first := head.Sequence + 1
	var actions []store.Action
	for _, entry := range p.plan.Entries {
		action, err := head.Append(p.write.Scope, p.row(entry))
		if err != nil {
			return nil, Outcome{}, err
		}
		action.Label = "log"
		actions = append(actions, action)
	}
	head.Items += p.plan.Items
	head.Bytes += p.plan.Bytes
	out := Outcome{OperationID: p.op.ID, Sequence: head.Sequence, At: p.op.At, Result: p.plan.Result}
	if !p.empty() {
		actions = append(actions, p.operation(first).Put("operation", p.write.Scope))
	}
	if p.write.Key != nil {
		actions = append(actions, p.record(out))
	}
	return actions, out, nil
}

func (p *pending) row(entry ledger.Entry) ledger.Row {
	kind := p.write.Kind
	if kind == "" {
		kind = ledger.WriteReceipt
	}
	return ledger.Row{OperationID: p.op.ID, Kind: kind, Entry: entry, At: p.op.At, Actor: p.write.Actor}
}

func (p *pending) operation(first int64) ledger.Operation {
	op := ledger.Operation{ID: p.op.ID, Rows: len(p.plan.Entries), At: p.op.At, Result: p.plan.Result}
	if op.Rows > 0 {
		op.Sequence = first
	}
	if p.write.Key != nil {
		op.Key = p.write.Key.Hash
	}
	return op
}

// record is the idempotency record's action. An expired record of an earlier day
// may lie there still; it is replaced, and only that very one.
func (p *pending) record(out Outcome) store.Action {
	record := idem.Record{Request: p.write.Key.Request, OperationID: out.OperationID, Sequence: out.Sequence,
		Result: out.Result, Expires: p.op.At.Add(idem.Kept)}
	cond := store.IfAbsent()
	if p.stale != nil {
		cond = store.IfEqual(idem.AttrOperation, store.S(p.stale.OperationID))
	}
	return store.PutItem("idem", record.Item(p.write.Scope, *p.write.Key), cond)
}
