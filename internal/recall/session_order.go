package recall

import (
	"cmp"
	"slices"
)

// inSessionOrder brings what stands of some runs into their order: the entries under
// a header, and the headers of one run, which come together where the first of them
// stood. Ids are time-ordered.
func (d *draft) inSessionOrder(runs map[string]bool) {
	first := map[string]int{} // place of a run's first header
	place := map[*group]int{}
	for i, g := range d.groups {
		place[g] = i
		if !runs[g.run] {
			continue
		}
		g.sort()
		if _, known := first[g.run]; !known {
			first[g.run] = i
		}
		place[g] = first[g.run]
	}
	slices.SortStableFunc(d.groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(place[a], place[b]), cmp.Compare(a.ids[0], b.ids[0]))
	})
}

// sort brings entries into the order of their ids.
func (g *group) sort() {
	order := make([]int, len(g.ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(g.ids[a], g.ids[b]) })
	lines, ids := make([]string, len(order)), make([]string, len(order))
	for i, from := range order {
		lines[i], ids[i] = g.lines[from], g.ids[from]
	}
	g.lines, g.ids = lines, ids
}
