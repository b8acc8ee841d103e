package memsearch

// cosine is the inner product of two unit vectors, held between -1 and 1 against
// rounding.
func cosine(a, b []float32) float64 {
	return max(-1, min(1, float64(dot(a, b))))
}

// semantic scores every document with a vector of the profile that the filter
// allows and keeps the best.
func (r *run) semantic() {
	r.semBest.most = r.query.Semantic
	if r.vector == nil {
		return
	}
	for i, p := range r.partitions {
		if v := p.vectors[r.query.Profile]; v != nil {
			r.scan(int32(i), p, v)
		}
	}
}

func (r *run) scan(number int32, p *partition, v *vectors) {
	s := r.scratch[number]
	for row, doc := range v.docs {
		d := &p.docs[doc]
		if !s.verdict.allow(d.fields) {
			continue
		}
		score := cosine(v.row(int32(row)), r.vector)
		if least, full := r.semBest.full(); full && score < least {
			continue
		}
		r.semBest.offer(scored{score: score, id: d.id, partition: number, slot: doc})
	}
}
