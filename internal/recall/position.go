package recall

import (
	"context"
	"log/slog"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
)

// position reads where log and index stand, and waits where that is too far apart.
func (p *pass) position(ctx context.Context) error {
	if err := p.positions(ctx); err != nil {
		return err
	}
	if p.req.AtLeast > p.head.Sequence {
		return errs.Validation(errs.Field{Pointer: "/consistency/atLeast",
			Rule: "must be a Memory-Sequence that this workspace has answered"})
	}
	if err := p.follow(ctx); err != nil {
		return err
	}
	if p.req.Mode == Deterministic { // no clock: now is the anchor, else the time of the newest change (R0.82)
		p.now = or(p.req.Anchor, p.head.RecallAt)
	}
	return nil
}

// near tells that the index has come as far as the request needs: in deterministic mode
// to the end of the log, since scores depend on what the index counts (R0.10); where a
// write is to be seen (A0.3), to it or to where the overlay goes on.
func (p *pass) near() bool {
	switch {
	case p.cursor >= p.head.Recall:
		return true
	case p.req.Mode == Deterministic:
		return false
	}
	return p.req.AtLeast <= p.cursor || p.head.Recall-p.cursor <= overlayRows
}

// unseen tells that the write which is to be seen is in neither index nor overlay. One
// in the overlay is answered, although the overlay may miss writes before it and says so.
func (p *pass) unseen() bool {
	return p.req.AtLeast > p.cursor && p.req.AtLeast <= p.head.Recall-overlayRows
}

// follow brings index and log near each other. In deterministic mode the overlay does
// what it can where that fails; a write that was to be seen is not silently left out.
func (p *pass) follow(ctx context.Context) error {
	if p.near() {
		return nil
	}
	wait := p.settle
	if p.CatchUp != nil {
		wait = p.catchUp
	}
	if err := wait(ctx); err != nil {
		return err
	}
	if p.unseen() {
		return errs.Later("The index is behind what was written; try again.", nil)
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

// catchUp waits for an index of this process; where it fails the log says so.
func (p *pass) catchUp(ctx context.Context) error {
	limited, cancel := clock.Within(ctx, catchUpTime)
	defer cancel()
	if err := p.CatchUp(limited, p.req.Scope); err != nil {
		p.Log.LogAttrs(ctx, slog.LevelWarn, "index could not catch up")
	}
	return p.positions(ctx)
}

// settleTime bounds how long an index is waited for that a worker of its own brings up
// to the log; between two looks at it are pauses from the first to the longest.
const (
	settleTime  = 3 * time.Second
	settleFirst = 25 * time.Millisecond
	settleMost  = 200 * time.Millisecond
)

// settle waits for such an index.
func (p *pass) settle(ctx context.Context) error {
	limited, cancel := clock.Within(ctx, settleTime)
	defer cancel()
	pause := settleFirst
	for waited := time.Duration(0); waited < settleTime && !p.near(); waited, pause = waited+pause, min(2*pause, settleMost) {
		if p.pause(limited, pause) != nil {
			return nil // time is up
		}
		var err error
		if p.cursor, err = p.Cursors.Cursor(ctx, p.req.Scope); err != nil {
			return err
		}
	}
	return nil
}

func (p *pass) pause(ctx context.Context, d time.Duration) error {
	if p.Wait == nil {
		return clock.Pause(ctx, d)
	}
	return p.Wait(ctx, d)
}

// indexSequence is the index's place, counted in rows that change recall (R0.77).
func (p *pass) indexSequence() int64 { return min(p.cursor, p.head.Recall) }
