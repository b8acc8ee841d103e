package memsearch

import "holdfast/internal/search"

// tally counts documents by which tallies' filters hold for them, and apart those
// that are over.
type tally [2][1 << search.MaxTallies]int

// numbers answers the query's tallies: what an asked arm knows, each document once.
func (r *run) numbers() []int {
	if len(r.query.Tallies) == 0 {
		return nil
	}
	var counted tally
	for i, p := range r.partitions {
		s := r.scratch[i]
		var known *vectors
		if r.vector != nil {
			known = p.vectors[r.query.Profile]
		}
		if known.rows() == len(p.byID) && p.ends == 0 && s.verdict.alike() {
			counted.addAll(&s.verdict)
			continue
		}
		if known != nil {
			for _, doc := range known.docs {
				counted.add(p, &s.verdict, doc)
			}
		}
		for _, slot := range s.scored {
			doc := p.words.passages[slot].doc
			if (known == nil || p.docs[doc].vectors != known) && s.leads(p, doc, slot) {
				counted.add(p, &s.verdict, doc)
			}
		}
	}
	out := make([]int, len(r.query.Tallies))
	for i := range out {
		out[i] = counted.sum(i, r.query.Tallies[i].Over)
	}
	return out
}

func (t *tally) add(p *partition, v *verdicts, slot int32) {
	if v.left(slot) {
		return
	}
	d := &p.docs[slot]
	over := 0
	if v.over(d) {
		over = 1
	}
	t[over][v.maskOf(d, slot)>>tallyShift]++
}

// addAll counts every document of the partition, none of which is over or left out,
// by how many share a set of fields.
func (t *tally) addAll(v *verdicts) {
	for set, documents := range v.sets.sets.refs {
		if documents > 0 {
			t[0][v.mask(uint32(set))>>tallyShift] += int(documents)
		}
	}
}

// sum adds up what one tally's filter holds for.
func (t *tally) sum(number int, over bool) int {
	out := 0
	for mask := range t[0] {
		if mask>>number&1 == 0 {
			continue
		}
		out += t[0][mask]
		if over {
			out += t[1][mask]
		}
	}
	return out
}

// unembedded counts allowed documents that came without a vector of the profile.
func (r *run) unembedded() int {
	if r.query.Semantic <= 0 {
		return 0
	}
	out := 0
	for i, p := range r.partitions {
		known, blank := p.vectors[r.query.Profile], p.blank[r.query.Profile]
		if embedded := len(blank) + known.rows(); embedded == len(p.byID) {
			continue
		}
		for slot := range p.docs {
			d := &p.docs[slot]
			if d.id != "" && (known == nil || d.vectors != known) && !blank[int32(slot)] && r.scratch[i].verdict.allow(p, int32(slot)) {
				out++
			}
		}
	}
	return out
}
