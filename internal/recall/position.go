package recall

import (
	"context"
	"log/slog"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
)

// position reads where log and index stand.
func (p *pass) position(ctx context.Context) error {
	if p.req.Mode == Deterministic {
		p.catchUp(ctx)
	}
	if err := p.positions(ctx); err != nil {
		return err
	}
	if p.req.AtLeast > p.head.Sequence {
		return errs.Validation(errs.Field{Pointer: "/consistency/atLeast",
			Rule: "must be a Memory-Sequence that this workspace has answered"})
	}
	if p.req.AtLeast > p.cursor && p.head.Recall-p.cursor > overlayRows {
		p.catchUp(ctx)
		if err := p.positions(ctx); err != nil {
			return err
		}
	}
	if p.req.Mode == Deterministic { // no clock: now is the anchor, else the time of the newest change (R0.82)
		p.now = or(p.req.Anchor, p.head.RecallAt)
	}
	return nil
}

func (p *pass) positions(ctx context.Context) (err error) {
	if p.cursor, err = p.Cursors.Cursor(ctx, p.req.Scope); err != nil {
		return err
	}
	p.head, err = ledger.ReadHead(ctx, p.Store, p.req.Scope)
	return err
}

// catchUpTime bounds how long an index of this process is waited for.
const catchUpTime = 10 * time.Second

// catchUp waits for an index of this process; where it fails the overlay does what
// it can, and says so.
func (p *pass) catchUp(ctx context.Context) {
	if p.CatchUp == nil {
		return
	}
	ctx, cancel := clock.Within(ctx, catchUpTime)
	defer cancel()
	if err := p.CatchUp(ctx, p.req.Scope); err != nil {
		p.Log.LogAttrs(ctx, slog.LevelWarn, "index could not catch up")
	}
}

// indexSequence is the index's place, counted in rows that change recall (R0.77).
func (p *pass) indexSequence() int64 { return min(p.cursor, p.head.Recall) }
