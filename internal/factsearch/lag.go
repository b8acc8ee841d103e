package factsearch

import (
	"context"
	"log/slog"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/errs"
	"holdfast/internal/fact"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
)

// overlayRows is how many log rows a search makes up for, patience and pause how often
// and how long it waits for an index that is further behind: 2 s in all.
const (
	overlayRows = 500
	patience    = 20
	pause       = 100 * time.Millisecond
)

// lag finds the facts that the index has not reached.
func (p *pass) lag(ctx context.Context) error {
	wait := p.Wait
	if wait == nil {
		wait = clock.Pause
	}
	for try := range patience + 1 {
		if try > 0 {
			if err := wait(ctx, pause); err != nil {
				return err
			}
		}
		whole, err := p.beyond(ctx)
		if err != nil || whole {
			return err
		}
	}
	return errs.Later("The index is behind what was written; try again.", nil)
}

// beyond lists the facts of the rows between index and log, each once; false: there are
// more rows than a search makes up for.
func (p *pass) beyond(ctx context.Context) (bool, error) {
	cursor, end, err := p.positions(ctx)
	if err == nil && cursor < end && p.CatchUp != nil {
		p.catchUp(ctx)
		cursor, end, err = p.positions(ctx)
	}
	if err != nil || end-cursor > overlayRows {
		return false, err
	}
	p.changed = nil
	if cursor >= end {
		return true, nil
	}
	rows, err := ledger.Log{Store: p.Store}.Rows(ctx, p.target.Scope, cursor+1, int(end-cursor))
	if err != nil {
		return false, err
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if id := row.Entry.ItemID; row.Entry.Family == fact.Family && ids.ValidFact(id) && !seen[id] {
			seen[id] = true
			p.changed = append(p.changed, id)
		}
	}
	return int64(len(rows)) == end-cursor, nil
}

// positions reads where the index stands, and the newest row that changes what can be
// found.
func (p *pass) positions(ctx context.Context) (cursor, end int64, err error) {
	if cursor, err = p.Cursors.Cursor(ctx, p.target.Scope); err != nil {
		return 0, 0, err
	}
	head, err := ledger.ReadHead(ctx, p.Store, p.target.Scope)
	return cursor, head.Recall, err
}

// catchUp waits for an index of this process; where it fails the overlay does what it
// can.
func (p *pass) catchUp(ctx context.Context) {
	if err := p.CatchUp(ctx, p.target.Scope); err != nil {
		p.Log.LogAttrs(ctx, slog.LevelWarn, "index of facts could not catch up")
	}
}
