package recall

import (
	"cmp"
	"slices"

	"holdfast/internal/recall/rank"
)

// inherit gives successors the score of what they superseded where that is greater, and
// brings in those that no arm proposed. Superseded entries stand behind their successor.
func (p *pass) inherit() {
	if len(p.heirs) == 0 {
		return
	}
	at := map[place]int{}
	for i, c := range p.ranked {
		at[c.place()] = i
	}
	all := p.together(at)
	for _, old := range all {
		heir, ok := p.heirs[old.place()]
		if !ok || old.score <= 0 {
			continue
		}
		if _, ranked := at[heir.place()]; !ranked {
			at[heir.place()] = len(p.ranked)
			p.enter(all[slices.IndexFunc(all, func(c scored) bool { return c.place() == heir.place() })])
		}
		s := &p.ranked[at[heir.place()]]
		if old.score > s.score {
			s.score, s.parts.Succeeds = old.score, old.score
		}
		if i, shown := at[old.place()]; shown {
			p.ranked[i].score = min(p.ranked[i].score, rank.Behind(s.score))
		}
	}
	slices.SortStableFunc(p.ranked, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
}

// together ranks the superseded ones, and those successors that are not ranked yet, among
// all candidates, and answers all of them, best first. The places of the candidates
// themselves are those of the ranking without them.
func (p *pass) together(ranked map[place]int) []scored {
	all := slices.Clone(p.found)
	if !p.req.IncludeSuperseded {
		all = append(all, p.replaced...)
	}
	entered := map[place]bool{}
	for _, heir := range p.heirs {
		if _, known := ranked[heir.place()]; !known && !entered[heir.place()] {
			entered[heir.place()] = true
			all = append(all, heir)
		}
	}
	if len(all) == len(p.found) {
		return slices.Clone(p.ranked)
	}
	var out []scored
	for _, r := range rank.Order(p.question, p.rankable(all), p.stats, p.rankOptions()) {
		out = append(out, scored{candidate: all[r.Index], score: r.Score, parts: r.Parts})
	}
	return out
}

// enter adds a successor to the ranking. One that an arm knows is in the index's number
// of what was not read.
func (p *pass) enter(heir scored) {
	p.numbers.Read++
	if heir.matches() {
		p.counted(heir.candidate)
	}
	p.ranked = append(p.ranked, heir)
}
