package memsearch

import "math/bits"

// Up to exactRows allowed rows of a partition are all scored. Of more, only those
// are whose signs are nearest to the query's: shortlistLeast of them and one in
// shortlistShare of the rows, and never fewer than shortlistFactor times as many as
// asked for. Measured with vectors of the static table of texts put together out of
// halves of LoCoMo's turns, and 300 of its questions, what is scored holds
// (make bench ARGS="-parts shortlist")
//
//	4,296 of 10,000 rows     1.000 of the best 10, .999 of the best 60, .998 of the best 200
//	4,416 of 16,000 rows     1.000                 .999                 .995
//	6,096 of 100,000 rows     .999                 .995                 .983
//
// To score a row takes ten times as long as to compare its signs.
const (
	exactRows       = 8_192
	shortlistFactor = 20
	shortlistLeast  = 4_096
	shortlistShare  = 50
)

// shortlist is how many rows are scored of so many for a number of hits.
func shortlist(rows, most int) int {
	return max(shortlistLeast+rows/shortlistShare, shortlistFactor*most)
}

// pick is a row that may be among the best.
type pick struct {
	row  int32
	near float32
}

// semantic scores documents with a vector of the profile that the filter allows
// and keeps the best.
func (r *run) semantic() {
	r.semBest.most = r.query.Semantic
	for i, p := range r.partitions {
		v := r.known[i]
		if v == nil {
			continue
		}
		s := r.scratch[i]
		if len(v.docs) <= exactRows {
			s.pickAll(p, v, r.probe)
		} else {
			s.pickNearest(p, v, r.probe, shortlist(len(v.docs), r.query.Semantic))
		}
		r.keepBest(int32(i), p, v, s)
	}
}

// pickAll takes every allowed row.
func (s *scratch) pickAll(p *partition, v *vectors, q *probe) {
	for row, slot := range v.docs {
		if s.verdict.allow(p, slot) {
			s.picks = append(s.picks, pick{row: int32(row)})
		}
	}
	s.measure(v, q)
}

// pickNearest takes the allowed rows whose signs are nearest to the query's.
func (s *scratch) pickNearest(p *partition, v *vectors, q *probe, least int) {
	limit := s.distances(p, v, q.signs).cutoff(least)
	for row, distance := range s.apart[:len(v.docs)] {
		if int(distance) <= limit {
			s.picks = append(s.picks, pick{row: int32(row)})
		}
	}
	s.measure(v, q)
}

// together is how many rows are called into the processor's cache at once, where no
// more than one in sparse is picked.
const together, sparse = 16, 4

// measure notes how near each pick is. Rows that are far apart would each be waited
// for; asked for together they arrive together (measured at 100,000 rows: 100 ns a
// row in place of 190).
func (s *scratch) measure(v *vectors, q *probe) {
	apart := sparse*len(s.picks) < len(v.docs)
	for rest := s.picks; len(rest) > 0; {
		some := rest[:min(together, len(rest))]
		rest = rest[len(some):]
		for i := 0; apart && i < len(some); i++ {
			s.line ^= touch(v.row(some[i].row))
		}
		for i := range some {
			row := some[i].row
			some[i].near = float32(q.near(v.row(row), v.numbers[row]))
		}
	}
}

// lineWords is how many words stand in a line of the cache.
const lineWords = 8

// touch reads from every line of a row. The answer means nothing, but somebody has to
// want it.
func touch(row []uint64) (line uint64) {
	for i := 0; i < len(row); i += lineWords {
		line ^= row[i]
	}
	return line
}

// keepBest offers the rows that were picked to the heap, with their cosines. Most
// are left out before: of two rows, one that is nearer by more than twice the slack
// is also above by its cosine.
func (r *run) keepBest(number int32, p *partition, v *vectors, s *scratch) {
	bar := s.bar(r.semBest.most) - 2*r.probe.slack
	for _, one := range s.picks {
		if float64(one.near) < bar {
			continue
		}
		score := r.probe.cosine(v.row(one.row), v.numbers[one.row])
		if least, full := r.semBest.full(); full && score < least {
			continue
		}
		slot := v.docs[one.row]
		r.semBest.offer(scored{score: score, id: p.docs[slot].id, partition: number, slot: slot})
	}
	s.picks = s.picks[:0]
}

// nearSteps is how many steps of nearness are told apart, from -1 to 1.
const nearSteps = 2048

// bar is a nearness that at least so many picks reach, within a step of the
// greatest such; -1 where there are not that many.
func (s *scratch) bar(most int) float64 {
	if len(s.picks) <= most {
		return -2
	}
	var counts [nearSteps + 1]int32
	for _, one := range s.picks {
		counts[nearStep(one.near)]++
	}
	at, reach := nearSteps, int(counts[nearSteps])
	for at > 0 && reach < most {
		at--
		reach += int(counts[at])
	}
	return float64(at)*2/nearSteps - 1
}

// nearStep rounds down. What is beyond an end belongs to it.
func nearStep(near float32) int {
	return max(0, min(nearSteps, int((near+1)*(nearSteps/2))))
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
