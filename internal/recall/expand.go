package recall

import (
	"cmp"
	"context"
	"slices"

	"holdfast/internal/memory"
	"holdfast/internal/search"
)

// Expansion opens the sessions of the best entries (R0.20, R0.68).
type Expansion struct {
	Sessions int // how many: those of the first hits
	Window   int // entries on each side of each hit of such a session
}

// opened is a session with its hits.
type opened struct {
	runID string
	hits  []string // ids of the ranked entries of the answer, in the order of the session
}

// neighbour is an entry beside a hit.
type neighbour struct {
	id       string
	session  int // place of its session, best first
	distance int // from its nearest hit, in entries that pass
}

// expandBatch is how many entries of sessions are read together: some sessions of a
// few hits, or one of many.
const expandBatch = 100

// expand adds the neighbours of the hits of the first sessions: behind all ranked
// entries and within what is left of the budget (none with Raw), whatever topN and
// least score, nearest first, best session first. Once the budget has refused one, no
// further session is opened. In blocks the entries of an opened session stand in its
// order.
func (p *pass) expand(ctx context.Context, a *assembly) error {
	if p.req.Expand == nil || p.req.Expand.Window < 1 {
		return nil
	}
	sessions := p.sessions(a.shown)
	if len(sessions) == 0 {
		return nil
	}
	x := p.expansion()
	for rest, room := sessions, true; len(rest) > 0 && room; {
		n := x.batch(rest)
		if err := x.open(ctx, rest[:n]); err != nil {
			return err
		}
		room, rest = a.admit(x), rest[n:]
	}
	a.settle(sessions)
	return nil
}

// batch is how many of the sessions are opened together; at least one.
func (x *expansion) batch(sessions []opened) int {
	entries := 0
	for n, s := range sessions {
		if entries += 2 * x.req.Expand.Window * len(s.hits); n > 0 && entries > expandBatch {
			return n
		}
	}
	return len(sessions)
}

// sessions are the first ones that the entries shown belong to. One of a sibling
// workspace stays closed: its other entries are not this workspace's.
func (p *pass) sessions(shown []scored) []opened {
	var out []opened
	at := map[string]int{}
	for _, c := range shown {
		run := c.memory.RunID
		if run == "" || c.scope != p.req.Scope {
			continue
		}
		i, known := at[run]
		if !known {
			if len(out) == p.req.Expand.Sessions {
				continue
			}
			i = len(out)
			at[run], out = i, append(out, opened{runID: run})
		}
		out[i].hits = append(out[i].hits, c.id)
	}
	for _, s := range out {
		slices.Sort(s.hits)
	}
	return out
}

// admit shows the neighbours of the open sessions that the budget holds, and tells
// whether it held all. One that had been left out for topN or the budget is left out no
// more.
func (a *assembly) admit(x *expansion) bool {
	room := true
	for _, n := range x.neighbours() {
		c := x.entry(n.id)
		switch {
		case a.showing[c.id]:
			continue
		case !a.fits(c):
			room = false
			continue
		}
		a.show(c)
		x.numbers.Expanded++
		if a.omitted[c.id] {
			a.readmit(c)
		} else if x.countedUnread(c) && a.out.OmittedWorkspace > 0 {
			a.out.OmittedWorkspace--
		}
	}
	return room
}

// readmit takes back that an entry was left out.
func (a *assembly) readmit(c scored) {
	if c.memory.Layer == memory.Workspace {
		a.out.OmittedWorkspace--
	}
	if a.pack != nil {
		a.pack.count(sectionOf(c.memory)).Omitted--
		a.dropped = slices.DeleteFunc(a.dropped, func(d Dropped) bool { return d.ID == c.id })
	}
}

// countedUnread tells an entry that is in the index's number of those that an arm
// knows and nobody read. By the words of its neighbours alone the lexical arm may know
// it as well, which cannot be told here.
func (p *pass) countedUnread(c scored) bool {
	if c.before > 0 || c.memory.Layer != memory.Workspace || p.beyondReading() == 0 || slices.Contains(p.changed, c.id) {
		return false
	}
	return p.arms["semantic"].State == Ran ||
		slices.ContainsFunc(p.left, func(l candidate) bool { return l.id == c.id }) ||
		p.arms["lexical"].State == Ran && search.Passage{Text: c.memory.Content, Speaker: c.memory.Speaker}.Score(p.terms(), p.stats) > 0
}

// settle brings what was added into order: sections by score, blocks of opened
// sessions by the session.
func (a *assembly) settle(sessions []opened) {
	for _, entries := range a.out.Sections {
		slices.SortStableFunc(entries, func(x, y Entry) int { return cmp.Compare(y.Score, x.Score) })
	}
	if a.pack == nil {
		return
	}
	runs := map[string]bool{}
	for _, s := range sessions {
		runs[s.runID] = true
	}
	for _, d := range a.pack.drafts {
		d.inSessionOrder(runs)
	}
}
