package memsearch

import "math/bits"

// Up to exactRows allowed rows of a partition are all scored. Of more, only those
// are whose signs are nearest to the query's: at least shortlistFactor times as
// many as asked for, and never fewer than shortlistLeast. Measured on 100,000
// windowed vectors of the static table, the 4,000 nearest by signs hold .998 of
// the best 10, .989 of the best 60 and .954 of the best 200.
const (
	exactRows       = 16_384
	shortlistFactor = 20
	shortlistLeast  = 4_096
)

// cosine is the inner product of two unit vectors, held between -1 and 1 against
// rounding.
func cosine(a, b []float32) float64 {
	return max(-1, min(1, float64(dot(a, b))))
}

// semantic scores documents with a vector of the profile that the filter allows
// and keeps the best.
func (r *run) semantic() {
	r.semBest.most = r.query.Semantic
	if r.vector == nil {
		return
	}
	for i, p := range r.partitions {
		v := p.vectors[r.query.Profile]
		switch {
		case v == nil:
		case len(v.docs) <= exactRows:
			r.scan(int32(i), p, v)
		default:
			r.shortlist(int32(i), p, v)
		}
	}
}

// scan scores every allowed row.
func (r *run) scan(number int32, p *partition, v *vectors) {
	filter := &r.scratch[number].verdict
	for row, slot := range v.docs {
		if filter.allow(p, slot) {
			r.consider(number, p, v, int32(row))
		}
	}
}

// consider scores one row.
func (r *run) consider(number int32, p *partition, v *vectors, row int32) {
	score := cosine(v.row(row), r.vector)
	if least, full := r.semBest.full(); full && score < least {
		return
	}
	slot := v.docs[row]
	r.semBest.offer(scored{score: score, id: p.docs[slot].id, partition: number, slot: slot})
}

// shortlist scores the allowed rows whose signs are nearest to the query's.
func (r *run) shortlist(number int32, p *partition, v *vectors) {
	s := r.scratch[number]
	limit := s.distances(p, v, signs(r.vector)).cutoff(max(shortlistLeast, shortlistFactor*r.query.Semantic))
	for row, distance := range s.apart[:len(v.docs)] {
		if int(distance) <= limit {
			r.consider(number, p, v, int32(row))
		}
	}
}

// forbidden is the distance of rows that the filter does not allow.
const forbidden = ^uint16(0)

// distances notes in how many signs each row differs from the query, and answers
// how many rows differ in how many.
func (s *scratch) distances(p *partition, v *vectors, query []uint64) histogram {
	if len(v.docs) > len(s.apart) {
		s.apart = make([]uint16, len(v.docs)+len(v.docs)/4)
	}
	counts := make(histogram, 64*len(query)+1)
	codes := v.codes
	for row, slot := range v.docs {
		code := codes[:len(query)]
		codes = codes[len(query):]
		if !s.verdict.allow(p, slot) {
			s.apart[row] = forbidden
			continue
		}
		distance := 0
		for i, word := range query {
			distance += bits.OnesCount64(word ^ code[i])
		}
		s.apart[row] = uint16(distance)
		counts[distance]++
	}
	return counts
}

// histogram counts rows by distance.
type histogram []int

// cutoff is the distance within which at least so many rows lie; all of them
// where there are no more than exactRows.
func (h histogram) cutoff(least int) int {
	total := 0
	for _, n := range h {
		total += n
	}
	if total <= exactRows {
		return len(h)
	}
	for distance, n := range h {
		if least -= n; least <= 0 {
			return distance
		}
	}
	return len(h)
}
