package run

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Family is the name of runs in log rows (T.51).
const Family = "run"

// Run is where a run stands. The row outlives what was said in the run and holds no
// text of callers, the run's id as they name it among them.
type Run struct {
	Scope tenant.Scope
	Hash  string // of the id that callers give it: the run's partition

	ID        string   // the item's id in log rows
	Open      int64    // number of the open stretch
	Cleared   int64    // stretches up to this one are cleared; 0: none
	Busy      int64    // the stretch whose consolidation has begun and is not over; 0: none
	Summaries []string // ids of the summaries of the stretch that was cleared last (R0.69)

	Idle time.Duration // the workspace's idle time when the row was last written
	Due  time.Time     // when to look whether the run is idle; zero: nobody is going to
	// Armed tells appends that they need not see to a look: one comes that finds what
	// they write.
	Armed bool
	// Told says that the log has the end of a run in which nothing was said (R0.47: it
	// is told once).
	Told     bool
	Revision int64 // grows with each change of the row; 0: there is no row yet
}

// Attributes of the row.
const (
	attrOpen      = "n"
	attrGate      = "k" // number of the open stretch, and whether the run is armed
	attrID        = "id"
	attrCleared   = "c"
	attrBusy      = "b"
	attrSummaries = "s"
	attrIdle      = "i" // milliseconds
	attrTold      = "t"
	attrRevision  = "r"
)

// New is a run that nobody has named before.
func New(scope tenant.Scope, hash, id string) Run {
	return Run{Scope: scope, Hash: hash, ID: id, Open: 1}
}

// Decode reads a run's row.
func Decode(item store.Item) (Run, error) {
	scope, hash, ok := keys.RunOf(item.Key)
	if !ok {
		return Run{}, fmt.Errorf("run: no run's key")
	}
	a := item.Attrs
	r := Run{
		Scope: scope, Hash: hash, ID: a.Text(attrID),
		Open: a.Int(attrOpen), Cleared: a.Int(attrCleared), Busy: a.Int(attrBusy),
		Summaries: strings.Fields(a.Text(attrSummaries)),
		Idle:      time.Duration(a.Int(attrIdle)) * time.Millisecond, Revision: a.Int(attrRevision),
	}
	r.Armed, r.Told = strings.HasSuffix(a.Text(attrGate), armed), a.Bool(attrTold)
	if item.Due != nil {
		r.Due = item.Due.At
	}
	return r, nil
}

// Read answers a run, or found false.
func Read(ctx context.Context, s store.Store, scope tenant.Scope, hash string) (r Run, found bool, err error) {
	item, found, err := s.Get(ctx, keys.RunHead(scope, hash))
	if err != nil || !found {
		return Run{}, false, err
	}
	r, err = Decode(item)
	return r, err == nil, err
}

// Put is the action that writes the row over the revision that was read.
func (r Run) Put(label string) store.Action {
	cond := store.IfAbsent()
	if r.Revision > 0 {
		cond = store.IfEqual(attrRevision, store.N(r.Revision))
	}
	item := store.Item{Key: keys.RunHead(r.Scope, r.Hash), Attrs: store.Attrs{
		attrID: store.S(r.ID), attrOpen: store.N(r.Open), attrGate: store.S(r.gate()),
		attrCleared: store.N(r.Cleared), attrBusy: store.N(r.Busy),
		attrSummaries: store.S(strings.Join(r.Summaries, " ")),
		attrIdle:      store.N(r.Idle.Milliseconds()), attrRevision: store.N(r.Revision + 1),
	}}
	if r.Told {
		item.Attrs[attrTold] = store.T(true)
	}
	if !r.Due.IsZero() {
		item.Due = &store.Due{Shard: outbox.Shard(r.Scope), At: r.Due}
	}
	return store.PutItem(label, item, cond)
}

const armed = "+"

// gate is what every append of a session entry holds against the row.
func (r Run) gate() string {
	if r.Armed {
		return strconv.FormatInt(r.Open, 10) + armed
	}
	return strconv.FormatInt(r.Open, 10)
}

// StillOpen is the action that checks that a stretch is the open one, and that the
// run is armed still.
func (r Run) StillOpen(label string) store.Action {
	return store.CheckItem(label, keys.RunHead(r.Scope, r.Hash), store.IfEqual(attrGate, store.S(r.gate())))
}

// Arm sets when to look: an idle time from now on.
func (r Run) Arm(now time.Time, idle time.Duration) Run {
	r.Idle, r.Due, r.Armed = idle, now.Add(idle), true
	return r
}

// Disarm lets the run rest: the next append arms it anew. One that came just before
// is found by the look that is due an idle time from now, after which nobody looks any
// more.
func (r Run) Disarm(now time.Time, idle time.Duration) Run {
	if !r.Armed {
		r.Due = time.Time{}
		return r
	}
	r.Idle, r.Due, r.Armed = idle, now.Add(idle), false
	return r
}

// Slack is how much later than the row says a run may have been visited: visits
// closer to each other than that are not written down.
func (r Run) Slack() time.Duration { return slack(r.Idle) }

func slack(idle time.Duration) time.Duration { return idle / 10 }

// IdleTime is a workspace's idle time (R0.50).
func IdleTime(w tenant.Workspace) time.Duration {
	return time.Duration(w.Settings.IdleSeconds) * time.Second
}
