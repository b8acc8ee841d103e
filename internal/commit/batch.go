package commit

import (
	"log/slog"
	"strconv"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// batch is one transaction of a lane.
type batch struct {
	group    []*pending
	outcomes []Outcome
	actions  []store.Action
	head     ledger.Head       // after the commit
	moved    bool              // recall changes
	witness  string            // id of an operation whose row the commit writes
	checks   map[store.Key]int // index in actions of the rows that are only checked
}

// build composes the transaction that follows a head. A write that is over its
// budget is answered here and left out.
func build(before ledger.Head, group []*pending, scope tenant.Scope) batch {
	b := batch{head: before}
	var last time.Time
	for _, p := range group {
		if over(b.head, p.plan) {
			p.finish(Outcome{}, exhausted())
			continue
		}
		if p.empty() && p.write.Key == nil {
			p.finish(Outcome{OperationID: p.op.ID, Sequence: b.head.Sequence, At: p.op.At, Result: p.plan.Result}, nil)
			continue
		}
		if err := b.add(p); err != nil {
			p.finish(Outcome{}, err)
			continue
		}
		last = p.op.At
	}
	b.moved = b.head.Recall != before.Recall
	if len(b.group) == 0 {
		return b
	}
	b.actions = append(b.actions, before.Moved("head", scope, b.head))
	if b.moved {
		b.actions = append(b.actions, outbox.Mark("mark", scope, b.head.Recall, last.Add(markDelay)))
	}
	return b
}

func (b *batch) add(p *pending) error {
	head := b.head
	rows, out, err := p.rows(&head)
	if err != nil {
		return err
	}
	owner := strconv.Itoa(len(b.group))
	label := owner + ":"
	for _, a := range p.fixed {
		b.act(owner, a)
	}
	for _, a := range rows {
		if a.Label != "log" { // a log row that exists means that the head moved
			a.Label = label + a.Label
		}
		b.actions = append(b.actions, a)
	}
	b.head = head
	b.group, b.outcomes = append(b.group, p), append(b.outcomes, out)
	if b.witness == "" && !p.empty() {
		b.witness = p.op.ID
	}
	return nil
}

// act adds an action of a write. A check that an earlier write makes too is made
// once, for both: its label names all whose condition it is.
func (b *batch) act(owner string, a store.Action) {
	if at, made := b.checks[a.Item.Key]; made {
		b.actions[at].Label = owner + "," + b.actions[at].Label
		return
	}
	if a.Verb == store.Check {
		if b.checks == nil {
			b.checks = map[store.Key]int{}
		}
		b.checks[a.Item.Key] = len(b.actions)
	}
	a.Label = owner + ":" + a.Label
	b.actions = append(b.actions, a)
}

// over tells whether a plan would pass its budget of stored bytes.
func over(head ledger.Head, plan Plan) bool {
	return plan.Budget != nil && plan.Bytes > 0 && head.Bytes+plan.Bytes > *plan.Budget
}

func exhausted() error {
	return errs.New(errs.Exhausted, "BUDGET_EXHAUSTED",
		"The workspace's budget of stored bytes is used up; delete something or raise the budget.")
}

const slogLevel = slog.LevelError

func errAttr(err error) slog.Attr { return slog.String("error", errs.Describe(err)) }
