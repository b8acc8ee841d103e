package recall

import (
	"context"

	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// asSeen shows memories as the request sees them, in the order given; nil where there
// is nothing to see. Past ones show only where superseded ones do.
func (p *pass) asSeen(ctx context.Context, scope tenant.Scope, list []*memory.Memory) ([]memory.View, error) {
	out := make([]memory.View, len(list))
	if p.req.AsOf == nil {
		for i, m := range list {
			if m != nil {
				out[i] = memory.View{Memory: m, Past: m.Status == memory.Superseded || p.over(m)}
			}
		}
		return out, nil
	}
	var there []*memory.Memory
	var at []int
	for i, m := range list {
		if m != nil {
			there, at = append(there, m), append(at, i)
		}
	}
	if len(there) == 0 {
		return out, nil
	}
	views, err := memory.Views(ctx, p.Store, scope, there, *p.req.AsOf)
	if err != nil {
		return nil, err
	}
	for i, v := range views {
		out[at[i]] = v
	}
	return out, nil
}

// over tells a memory that is no longer valid in the world (R0.73).
func (p *pass) over(m *memory.Memory) bool {
	return m.Temporal.ValidTo != nil && !p.now.Before(*m.Temporal.ValidTo)
}

// texts narrows a filter to the texts of then, by what the index knows of them.
func (g grain) texts(a memory.AsOf) []search.Filter {
	var out []search.Filter
	if a.Axis != memory.ValidAxis {
		out = append(out, begun(memory.TimeSince, a.At), g.notEnded(memory.TimeUntil, a.At))
	}
	if a.Axis != memory.RecordedAxis {
		out = append(out, begun(memory.TimeValidFrom, a.At), g.notEnded(memory.TimeValidTo, a.At))
	}
	return out
}

// surelyPast holds for what was superseded by then, where the index can be sure. On the
// recorded clock it cannot of what was in quarantine once, and on both not where
// somebody took a later instant for the start of the next value: what was believed then
// counts.
func surelyPast(a memory.AsOf) search.Filter {
	var all []search.Filter
	if a.Axis != memory.ValidAxis {
		all = append(all, search.Filter{Time: memory.TimeSuperseded, Before: instant(a.At)},
			search.Filter{Field: memory.FieldFreed, Missing: true})
	}
	if a.Axis != memory.RecordedAxis {
		all = append(all, search.Filter{Time: memory.TimeReplaced, Before: instant(a.At)})
	}
	if a.Axis == memory.BothAxes {
		all = append(all, not(search.Filter{Time: memory.TimeForeseen, Since: instant(a.At)}))
	}
	return search.Filter{All: all}
}

// pasts are the partitions that hold texts of then: on the valid clock a memory shows
// today's.
func (r Request) pasts() []tenant.Scope {
	if r.AsOf == nil || r.AsOf.Axis == memory.ValidAxis {
		return nil
	}
	return []tenant.Scope{r.Scope.Past(), r.Scope.Own().Past()}
}

// home is the partition of current texts beside which a hit's lies.
func (r Request) home(scope tenant.Scope) tenant.Scope {
	for _, current := range []tenant.Scope{r.Scope, r.Scope.Own()} {
		if scope == current.Past() {
			return current
		}
	}
	return scope
}
