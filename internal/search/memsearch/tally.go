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
		s, known := r.scratch[i], r.known[i]
		switch {
		case known == nil:
			counted.addScored(p, s, nil)
		case s.verdict.talliesByFields() && 2*len(known.docs) > len(p.byID):
			counted.addAllBut(p, s, known)
		default:
			for _, doc := range known.docs {
				counted.add(&s.verdict, doc)
			}
			counted.addScored(p, s, known)
		}
	}
	out := make([]int, len(r.query.Tallies))
	for i := range out {
		out[i] = counted.sum(i, r.query.Tallies[i].Over)
	}
	return out
}

// addScored counts what the lexical arm alone knows.
func (t *tally) addScored(p *partition, s *scratch, known *vectors) {
	for _, slot := range s.scored {
		doc := p.words.passages[slot].doc
		if (known == nil || p.docs[doc].vectors != known) && s.leads(p, doc, slot) {
			t.add(&s.verdict, doc)
		}
	}
}

// addAllBut counts every document by how many share a set of fields, as if none were
// over, left out or unknown, and mends that for those that are.
func (t *tally) addAllBut(p *partition, s *scratch, known *vectors) {
	for set, documents := range p.fields.sets.refs {
		if documents > 0 {
			t[0][s.verdict.mask(uint32(set))>>tallyShift] += int(documents)
		}
	}
	p.outside(known, func(doc int32) {
		t.mend(&s.verdict, doc, s.score(p, doc) > 0)
	})
	for doc := range s.verdict.without {
		if p.docs[doc].vectors == known {
			t.mend(&s.verdict, doc, true)
		}
	}
	if s.verdict.now == noTime || p.ends.count == 0 {
		return
	}
	for slot := range p.ends.until {
		doc := int32(slot)
		if s.verdict.over(doc) && !s.verdict.left(doc) && p.docs[doc].vectors == known {
			t.mend(&s.verdict, doc, true)
		}
	}
}

// mend takes out a document that was counted as all are, and counts it as it is.
func (t *tally) mend(v *verdicts, doc int32, known bool) {
	t[0][v.mask(v.p.sets[doc])>>tallyShift]--
	if known {
		t.add(v, doc)
	}
}

func (t *tally) add(v *verdicts, doc int32) {
	if v.left(doc) {
		return
	}
	over := 0
	if v.over(doc) {
		over = 1
	}
	t[over][v.maskOf(doc)>>tallyShift]++
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

// outside goes through the documents without a vector of a profile.
func (p *partition) outside(known *vectors, visit func(doc int32)) {
	for _, doc := range p.bare.docs {
		visit(doc)
	}
	for _, other := range p.vectors {
		if other == known {
			continue
		}
		for _, doc := range other.docs {
			visit(doc)
		}
	}
}

// unembedded counts allowed documents that came without a vector of the profile.
func (r *run) unembedded() int {
	if r.query.Semantic <= 0 {
		return 0
	}
	out := 0
	for i, p := range r.partitions {
		blank := p.blank[r.query.Profile]
		p.outside(p.vectors[r.query.Profile], func(doc int32) {
			if !blank[doc] && r.scratch[i].verdict.allow(p, doc) {
				out++
			}
		})
	}
	return out
}
