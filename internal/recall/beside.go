package recall

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// What an index has not reached has no neighbours there yet: their words are read
// from the table, so that a text weighs the same before and after the index knows it.
const (
	besideRuns  = 8 // runs whose entries get neighbours; the newest
	besideReach = 4 // ids read on either side of a run's changed ones: some are not in the index
)

// passages are the texts of views of a workspace with what stands beside them in their sessions, in
// the order of the views. Earlier texts have no neighbours (memory.PastDocument).
func (p *pass) passages(ctx context.Context, scope tenant.Scope, views []memory.View) ([]search.Passage, error) {
	out := make([]search.Passage, len(views))
	if !p.req.Mode.lexical() {
		return out, nil
	}
	for i, v := range views {
		out[i] = search.Passage{Text: v.Content, Speaker: v.Speaker}
	}
	if p.req.AsOf != nil {
		return out, nil
	}
	sessions, err := p.sessionsOf(ctx, scope, views)
	if err != nil {
		return nil, err
	}
	for i, v := range views {
		surround(&out[i], sessions[v.SessionKey()], v.ID)
	}
	return out, nil
}

// sessionsOf are stretches of the sessions around the views, in order, of what the
// index knows or will.
func (p *pass) sessionsOf(ctx context.Context, scope tenant.Scope, views []memory.View) (map[string][]*memory.Memory, error) {
	known := map[string]*memory.Memory{}
	runs := map[string][]string{}
	for _, v := range views {
		if v.RunID != "" && v.Indexed() {
			known[v.ID] = v.Memory
			runs[v.RunID] = append(runs[v.RunID], v.ID)
		}
	}
	unknown, err := p.idsBeside(ctx, scope, runs, known)
	if err != nil {
		return nil, err
	}
	found, err := memory.Load(ctx, p.Store, scope, unknown)
	if err != nil {
		return nil, err
	}
	out := map[string][]*memory.Memory{}
	for _, m := range append(found, slices.Collect(maps.Values(known))...) {
		if m != nil && m.Indexed() {
			out[m.SessionKey()] = append(out[m.SessionKey()], m)
		}
	}
	for _, session := range out {
		slices.SortFunc(session, func(a, b *memory.Memory) int { return cmp.Compare(a.ID, b.ID) })
	}
	return out, nil
}

// idsBeside are those around the known entries of the runs that changed last.
func (p *pass) idsBeside(ctx context.Context, scope tenant.Scope, runs map[string][]string, known map[string]*memory.Memory) ([]string, error) {
	newest := slices.SortedFunc(maps.Keys(runs), func(a, b string) int {
		return cmp.Compare(slices.Max(runs[b]), slices.Max(runs[a]))
	})
	var out []string
	for _, run := range newest[:min(len(newest), besideRuns)] {
		first := slices.Min(runs[run])
		for _, w := range []memory.Walk{
			{RunID: run, Beyond: first, Back: true, Limit: besideReach},
			{RunID: run, Beyond: first, Limit: len(runs[run]) + besideReach},
		} {
			ids, err := p.Memories.SessionIDs(ctx, scope, w)
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				if known[id] == nil {
					out = append(out, id)
				}
			}
		}
	}
	return out, nil
}

// surround gives a passage the texts beside it in its session: none beyond one that a
// role speaks.
func surround(to *search.Passage, session []*memory.Memory, id string) {
	at, found := slices.BinarySearchFunc(session, id, func(m *memory.Memory, id string) int { return cmp.Compare(m.ID, id) })
	if !found || search.IsRole(to.Speaker) {
		return
	}
	text := func(at int) string {
		if at < 0 || at >= len(session) || search.IsRole(session[at].Speaker) {
			return ""
		}
		return session[at].Content
	}
	to.Previous, to.Next = text(at-1), text(at+1)
	if at > 0 && !search.IsRole(session[at-1].Speaker) {
		to.Second = text(at - 2)
	}
}
