package memsearch

import (
	"holdfast/internal/search"
)

// scratch is the working space of a search of one partition. It is kept between
// searches, all zero but apart and picks, and grows with the largest partition.
type scratch struct {
	weight  []int32   // by passage: tenths of the current term
	total   []float64 // by passage: sum over the terms so far
	touched []int32   // passages with weight
	scored  []int32   // passages with a total
	verdict verdicts
	known   []uint16
	alike   alike
	apart   []uint16 // by row: distance in signs from the query
	picks   []pick
	line    uint64 // of touch
}

func (s *scratch) prepare(p *partition, q *search.Query) {
	if n := len(p.words.passages); n > len(s.weight) {
		s.weight = make([]int32, n+n/4)
		s.total = make([]float64, n+n/4)
	}
	sets := len(p.fields.places)
	if sets > cap(s.known) {
		s.known = make([]uint16, sets+sets/4)
	}
	s.known = s.known[:sets]
	s.alike.prepare(len(p.fields.keywords.keys))
	s.verdict = newVerdicts(p, q, s.known, &s.alike)
}

// reset makes everything zero again that was touched.
func (s *scratch) reset() {
	for _, slot := range s.scored {
		s.total[slot] = 0
	}
	s.scored = s.scored[:0]
	clear(s.known)
	s.alike.reset()
	s.verdict = verdicts{}
}

// lexical scores every document that holds a term that weighs and keeps the best.
func (r *run) lexical() {
	r.lexBest.most = r.query.Lexical
	terms := search.Weighing(r.terms, r.stats)
	curve := search.NewSaturation(r.stats.AvgLength)
	for i, p := range r.partitions {
		s := r.scratch[i]
		for _, term := range terms {
			if id, ok := p.words.terms.find(term); ok {
				s.spread(p, p.words.postings.of(id), !r.query.Plain)
				s.sum(p, search.IDF(r.stats.Documents, r.stats.DF[term]), curve, r.query.Plain)
			}
		}
		r.offer(int32(i), p, s)
	}
}

// spread gathers a term's weight in each passage from its occurrences there and,
// with windows, in the documents around.
func (s *scratch) spread(p *partition, list []posting, windows bool) {
	for _, at := range list {
		s.add(at.passage, search.WeightOwn*int32(at.own)+search.WeightSpeaker*int32(at.speaker))
		if !windows || at.own == 0 {
			continue
		}
		link := &p.links[p.words.passages[at.passage].doc]
		if link.prev != none {
			s.addAll(p, link.prev, search.WeightNext*int32(at.own))
		}
		if link.next == none {
			continue
		}
		s.addAll(p, link.next, link.previous()*int32(at.own))
		if second := p.links[link.next].next; second != none {
			s.addAll(p, second, search.WeightSecond*int32(at.own))
		}
	}
}

// addAll adds to every passage of a document.
func (s *scratch) addAll(p *partition, doc, tenths int32) {
	for slot := p.links[doc].passage; slot != none; slot = p.words.passages[slot].next {
		s.add(slot, tenths)
	}
}

func (s *scratch) add(slot, tenths int32) {
	if s.weight[slot] == 0 {
		s.touched = append(s.touched, slot)
	}
	s.weight[slot] += tenths
}

// sum adds what the term counts to the passages' totals and clears its weights.
func (s *scratch) sum(p *partition, idf float64, curve search.Saturation, plain bool) {
	for _, slot := range s.touched {
		if s.total[slot] == 0 {
			s.scored = append(s.scored, slot)
		}
		length := p.words.passages[slot].windowed
		if plain {
			length = p.words.passages[slot].own
		}
		s.total[slot] += float64(idf * curve.Of(int(s.weight[slot]), int(length)))
		s.weight[slot] = 0
	}
	s.touched = s.touched[:0]
}

// offer gives the best passage of each document that the filter allows to the
// heap.
func (r *run) offer(number int32, p *partition, s *scratch) {
	for _, slot := range s.scored {
		total := s.total[slot]
		if least, full := r.lexBest.full(); full && total < least {
			continue
		}
		doc := p.words.passages[slot].doc
		if !s.verdict.allow(p, doc) || !s.leads(p, doc, slot) {
			continue
		}
		r.lexBest.offer(scored{score: total, id: p.docs[doc].id, partition: number, slot: doc})
	}
}

// leads tells whether a passage is the best of its document, the first of equals.
func (s *scratch) leads(p *partition, doc, slot int32) bool {
	before := true
	for other := p.links[doc].passage; other != none; other = p.words.passages[other].next {
		if other == slot {
			before = false
		} else if s.total[other] > s.total[slot] || before && s.total[other] == s.total[slot] {
			return false
		}
	}
	return true
}

// score is the total of a document's best passage.
func (s *scratch) score(p *partition, doc int32) float64 {
	out := 0.0
	for slot := p.links[doc].passage; slot != none; slot = p.words.passages[slot].next {
		out = max(out, s.total[slot])
	}
	return out
}
