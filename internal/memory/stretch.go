package memory

import (
	"context"
	"strings"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// runRows are the rows of a memory's run as they were read: where it stands and when
// it was last visited. Empty: the memory has no run.
type runRows []*store.Item

func (c *change) runKeys(m *Memory) []store.Key {
	if m.RunID == "" {
		return nil
	}
	hash := c.hash.Run(m.RunID)
	return []store.Key{keys.RunHead(c.Scope, hash), keys.RunTouch(c.Scope, hash)}
}

// runOf is the run that rows tell of; one that nobody has named before begins here.
func (c *change) runOf(m *Memory, rows runRows) (run.Run, error) {
	if rows[0] == nil {
		return run.New(c.Scope, c.hash.Run(m.RunID), c.ids.New()), nil
	}
	return run.Decode(*rows[0])
}

// enter puts a memory into its run. A session entry belongs to the open stretch and
// is not written should that be sealed meanwhile; the run's row is written when it is
// new or nobody was going to look whether the run is idle.
func (c *change) enter(m *Memory, rows runRows) error {
	if len(rows) == 0 {
		return nil
	}
	r, err := c.runOf(m, rows)
	if err != nil {
		return err
	}
	c.visited = rows[1]
	session := m.Layer == Session
	if session {
		m.Stretch, m.RunHash = r.Open, r.Hash
	}
	switch {
	case session && !r.Armed:
		c.plan.Actions = append(c.plan.Actions, r.Arm(c.at, run.IdleTime(c.Workspace)).Put("stretch"))
	case session:
		c.plan.Actions = append(c.plan.Actions, r.StillOpen("stretch"))
	case r.Revision == 0:
		c.plan.Actions = append(c.plan.Actions, r.Put("stretch"))
	}
	c.current = r
	return nil
}

// visit notes that a run is in use where an append leaves no entry of its own.
func (c *change) visit(m *Memory) {
	if m.RunID == "" || c.current.Due.IsZero() {
		return
	}
	if action, due := c.current.Touch("touch", c.visited, c.at); due {
		c.plan.Actions = append(c.plan.Actions, action)
	}
}

// attrStretch is the attribute of a run's entry row that says in which stretch a
// session entry stands.
const attrStretch = "s"

// runEntry is the row that lists a memory in its run.
func (c *change) runEntry(m *Memory) store.Item {
	attrs := store.Attrs{}
	if m.Stretch > 0 {
		attrs[attrStretch] = store.N(m.Stretch)
	}
	return store.Item{Key: keys.RunEntry(c.Scope, c.hash.Run(m.RunID), m.ID), Attrs: attrs}
}

// edited counts an edit of a session entry: what a consolidation has read is old.
func (c *change) edited(m *Memory) {
	if m.Layer == Session && m.RunHash != "" {
		c.plan.Actions = append(c.plan.Actions, run.Edited("edits", c.Scope, m.RunHash))
	}
}

// inSession refuses another text of a session entry whose stretch is being consolidated:
// it would be cleared with the session, and nothing made of it. One of the open stretch
// is not changed should that be sealed meanwhile.
func (c *change) inSession(ctx context.Context, m *Memory) error {
	if !m.inStretch() || m.RunHash == "" {
		return nil
	}
	item, found, err := c.store.Get(ctx, keys.RunHead(c.Scope, m.RunHash))
	if err != nil || !found {
		return errs.Unread(err)
	}
	r, err := run.Decode(item)
	if err != nil {
		return err
	}
	if m.Stretch != r.Open {
		e := errs.New(errs.InProgress, "CONSOLIDATION_RUNNING", "The run of this entry is being consolidated; try again when that is over.")
		e.RetryAfter = 2 * time.Second
		return e
	}
	c.plan.Actions = append(c.plan.Actions, r.StillOpen("stretch"))
	return nil
}

// rehome puts a session entry that leaves quarantine into the open stretch: the one
// it was written in may be cleared.
func (c *change) rehome(ctx context.Context, m *Memory) error {
	if m.Layer != Session {
		return nil
	}
	rows, err := c.store.GetMany(ctx, c.runKeys(m))
	if err != nil {
		return errs.Unread(err)
	}
	if err := c.enter(m, rows); err != nil {
		return err
	}
	c.put("run", c.runEntry(m), nil)
	return nil
}

// inStretch tells a live session entry, which goes when its stretch is cleared. One
// in quarantine stays (R0.51).
func (m *Memory) inStretch() bool {
	return m.Layer == Session && m.Stretch > 0 && (m.Status == Active || m.Status == Superseded)
}

// withoutCleared sets to nil the session entries whose stretch is cleared: from that
// commit on they are gone for every reader, though the sweep makes them tombstones
// later (R0.49). The runs' rows are read once each, and only where there are session
// entries.
func withoutCleared(ctx context.Context, s store.Store, scope tenant.Scope, list []*Memory) error {
	var at []store.Key
	var of []int
	for i, m := range list {
		if m != nil && m.inStretch() {
			at, of = append(at, keys.RunHead(scope, m.RunHash)), append(of, i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	rows, err := getMany(ctx, s, at)
	if err != nil {
		return err
	}
	for j, i := range of {
		if rows[j] == nil {
			continue
		}
		r, err := run.Decode(*rows[j])
		if err != nil {
			return err
		}
		if list[i].Stretch <= r.Cleared {
			list[i] = nil
		}
	}
	return nil
}

// rowOf reads a memory's row, and tells whether it is gone for readers already.
func (s *Service) rowOf(ctx context.Context, scope tenant.Scope, id string) (m *Memory, gone bool, err error) {
	if m, err = row(ctx, s.Store, scope, id); err != nil || m == nil {
		return nil, false, err
	}
	list := []*Memory{m}
	err = withoutCleared(ctx, s.Store, scope, list)
	return m, list[0] == nil, err
}

// RunHash is the keyed hash of a run's id: its partition.
func (s *Service) RunHash(ctx context.Context, scope tenant.Scope, runID string) (string, error) {
	h, err := s.Hasher(ctx, scope)
	if err != nil {
		return "", err
	}
	return h.Run(runID), nil
}

// StretchWalk is a way through the session entries of one stretch.
type StretchWalk struct {
	Hash    string // of the run
	Stretch int64
	Beyond  string // id behind which to begin; empty: at the first, or with Back at the last
	Back    bool   // towards older entries
	Limit   int    // most ids; at least 1
}

// StretchIDs answers the ids of a stretch's session entries in the order of the walk,
// those in quarantine among them. Fewer than Limit means that the end was reached.
func (s *Service) StretchIDs(ctx context.Context, scope tenant.Scope, w StretchWalk) ([]string, error) {
	q := store.Query{PK: keys.RunPK(scope, w.Hash), From: keys.RunEntryPrefix + w.Beyond, To: keys.RunEntryPrefix + "~", Desc: w.Back}
	if w.Back && w.Beyond != "" {
		q.From, q.To = keys.RunEntryPrefix, keys.RunEntryPrefix+w.Beyond
	}
	var out []string
	for {
		page, err := s.Store.Query(ctx, q)
		if err != nil {
			return nil, errs.Unread(err)
		}
		for _, item := range page.Items {
			id := strings.TrimPrefix(item.Key.SK, keys.RunEntryPrefix)
			if item.Attrs.Int(attrStretch) == w.Stretch && id != w.Beyond {
				out = append(out, id)
			}
			if len(out) == w.Limit {
				return out, nil
			}
		}
		if page.Cursor == "" {
			return out, nil
		}
		q.Cursor = page.Cursor
	}
}
