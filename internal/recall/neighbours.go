package recall

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"holdfast/internal/memory"
)

// expansion opens sessions.
type expansion struct {
	*pass
	strands []*strand              // of the open sessions
	seen    map[string]memory.View // by id; without a memory: it does not pass
	ranks   map[string]int         // places in ranked, by id
	walks   int
	entries int
}

func (p *pass) expansion() *expansion {
	x := &expansion{pass: p, seen: map[string]memory.View{}, ranks: map[string]int{}}
	for i, c := range p.ranked {
		if c.scope == p.req.Scope {
			x.seen[c.id], x.ranks[c.id] = c.view(), i
		}
	}
	return x
}

// open walks along sessions and reads the entries beside their hits, those of all at
// once.
func (x *expansion) open(ctx context.Context, sessions []opened) error {
	x.strands = x.strands[:0]
	for i, s := range sessions {
		if err := x.lay(ctx, i, s); err != nil {
			return err
		}
	}
	for round := range expandRounds {
		wanted, err := x.wanted(ctx, round)
		if err != nil || len(wanted) == 0 {
			return err
		}
		if err := x.load(ctx, wanted); err != nil {
			return err
		}
	}
	return nil
}

// wanted are the ids that have to be read to know the neighbours of all hits.
func (x *expansion) wanted(ctx context.Context, round int) ([]string, error) {
	var out []string
	asked := map[string]bool{}
	for _, s := range x.strands {
		for _, hit := range s.hits {
			for _, d := range []side{older, newer} {
				unknown, err := x.unknown(ctx, s, hit, d, round)
				if err != nil {
					return nil, err
				}
				for _, id := range unknown {
					if !asked[id] && x.entries+len(out) < expandEntries {
						asked[id] = true
						out = append(out, id)
					}
				}
			}
		}
	}
	return out, nil
}

// unknown are the nearest ids on a side of a hit of which nothing is known, as far as
// they are needed; the strand is extended where it is too short to tell.
func (x *expansion) unknown(ctx context.Context, s *strand, hit string, d side, round int) ([]string, error) {
	_, unknown, whole := x.look(s, hit, d, round)
	if whole || s.ends[d] {
		return unknown, nil
	}
	if err := x.extend(ctx, s, d, x.req.Expand.Window<<round); err != nil {
		return nil, err
	}
	_, unknown, _ = x.look(s, hit, d, round)
	return unknown, nil
}

// look goes from a hit over the ids of its strand. near are the entries that pass, up
// to the first id of which nothing is known; unknown are those of which nothing is
// known. It is whole where enough pass, or would if the unknown ones did; the more
// often some did not, the more of these it takes.
func (x *expansion) look(s *strand, hit string, d side, round int) (near, unknown []string, whole bool) {
	at, _ := slices.BinarySearch(s.ids, hit)
	window, passing := x.req.Expand.Window, 0
	for i := at + d.step(); i >= 0 && i < len(s.ids); i += d.step() {
		v, known := x.seen[s.ids[i]]
		switch {
		case !known:
			unknown = append(unknown, s.ids[i])
		case v.Memory == nil:
			continue
		case len(unknown) == 0:
			near = append(near, s.ids[i])
			passing++
		default:
			passing++
		}
		if passing == window || passing+len(unknown) >= window<<round {
			return near, unknown, true
		}
	}
	return near, unknown, false
}

// load reads entries and notes which of them pass the request's filters.
func (x *expansion) load(ctx context.Context, ids []string) error {
	x.entries += len(ids)
	found, err := memory.Load(ctx, x.Store, x.req.Scope, ids)
	if err != nil {
		return err
	}
	views, err := x.asSeen(ctx, x.req.Scope, found)
	if err != nil {
		return err
	}
	for i, v := range views {
		if !x.shows(v) {
			v = memory.View{}
		}
		x.seen[ids[i]] = v
	}
	return nil
}

// neighbours are the entries beside the hits of the open sessions, best session first and in it the nearest
// first, each once.
func (x *expansion) neighbours() []neighbour {
	nearest := map[string]neighbour{}
	for _, s := range x.strands {
		for _, hit := range s.hits {
			for _, d := range []side{older, newer} {
				near, _, _ := x.look(s, hit, d, 0)
				for i, id := range near {
					if n, known := nearest[id]; !known || i+1 < n.distance {
						nearest[id] = neighbour{id: id, session: s.session, distance: i + 1}
					}
				}
			}
		}
	}
	return slices.SortedFunc(maps.Values(nearest), func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.session, b.session), cmp.Compare(a.distance, b.distance), cmp.Compare(a.id, b.id))
	})
}

// entry is a neighbour with its score: 0 where it was no candidate.
func (x *expansion) entry(id string) scored {
	if i, ranked := x.ranks[id]; ranked {
		return x.ranked[i]
	}
	m := x.seen[id].Memory
	return scored{candidate: candidate{scope: x.req.Scope, id: id, version: m.Version, memory: m}}
}
