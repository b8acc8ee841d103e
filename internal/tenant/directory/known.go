package directory

import (
	"context"
	"sync"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/tenant"
)

// KnownFor is the longest that a workspace's settings are used without being read
// again, as a key is (T.5). A change made in this process counts at once.
const KnownFor = 30 * time.Second

// mostKnown bounds the workspaces that are kept; then all are read anew.
const mostKnown = 10_000

// Known answers workspaces for calls that act in them, mostly without a read: it
// is what lets a get be one call of the table. Absent ones are asked for each time.
type Known struct {
	directory *Service
	clock     clock.Clock

	mu    sync.RWMutex
	rows  map[string]seen
	epoch uint64 // counts changes: what was read before one is not kept after it
}

type seen struct {
	workspace tenant.Workspace
	readAt    time.Time
}

// NewKnown makes the view; it hears of the changes that the directory makes.
func NewKnown(d *Service, c clock.Clock) *Known {
	k := &Known{directory: d, clock: c, rows: map[string]seen{}}
	d.changed = k.forget
	return k
}

// Workspace answers a workspace of a tenant; errs.Missing when there is none.
func (k *Known) Workspace(ctx context.Context, tenantID, workspaceID string) (tenant.Workspace, error) {
	id, now := tenantID+" "+workspaceID, k.clock.Now()
	k.mu.RLock()
	row, found := k.rows[id]
	epoch := k.epoch
	k.mu.RUnlock()
	if age := now.Sub(row.readAt); found && age >= 0 && age < KnownFor {
		return row.workspace, nil
	}
	w, err := k.directory.Workspace(ctx, tenantID, workspaceID)
	if err == nil {
		k.keep(id, seen{w, now}, epoch)
	}
	return w, err
}

func (k *Known) keep(id string, row seen, epoch uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if epoch != k.epoch {
		return
	}
	if len(k.rows) >= mostKnown {
		clear(k.rows)
	}
	k.rows[id] = row
}

func (k *Known) forget(tenantID, workspaceID string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.epoch++
	delete(k.rows, tenantID+" "+workspaceID)
}
