package memsearch

import (
	"cmp"
	"context"
	"slices"

	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
	"holdfast/internal/tenant"
)

// Search answers a query over the partitions of its scopes, which are held for
// reading together, so that hits and statistics belong to one state.
func (x *Index) Search(ctx context.Context, q search.Query) (search.Answer, error) {
	if err := ctx.Err(); err != nil {
		return search.Answer{}, err
	}
	if !valid(&q) {
		return search.Answer{}, search.ErrBadRequest
	}
	r, err := x.turns.take(ctx)
	if err != nil {
		return search.Answer{}, err
	}
	defer x.turns.give(r)
	r.partitions = x.hold(r.partitions, q.Scopes)
	defer r.close()
	r.begin(&q)
	if !r.dimensionsFit() {
		return search.Answer{}, search.ErrBadRequest
	}
	r.stats = r.statistics()
	if q.Lexical > 0 {
		r.lexical()
	}
	if err := ctx.Err(); err != nil {
		return search.Answer{}, err
	}
	if q.Semantic > 0 {
		r.semantic()
	}
	return search.Answer{Hits: r.hits(), Stats: r.stats, Tallies: r.numbers(), Unembedded: r.unembedded()}, nil
}

func valid(q *search.Query) bool {
	return len(q.Scopes) > 0 && !slices.ContainsFunc(q.Scopes, tenant.Scope.IsZero) &&
		(q.Semantic <= 0 || len(q.Vector) > 0) && len(q.Tallies) <= search.MaxTallies
}

// hold locks the partitions of the scopes for reading, always in the same order,
// so that two searches and their waiting writers cannot block each other, and adds
// them to a list.
func (x *Index) hold(out []*partition, scopes []tenant.Scope) []*partition {
	sorted := slices.SortedFunc(slices.Values(scopes), func(a, b tenant.Scope) int {
		return cmp.Or(cmp.Compare(a.TenantID(), b.TenantID()), cmp.Compare(a.WorkspaceID(), b.WorkspaceID()))
	})
	for _, scope := range slices.Compact(sorted) {
		if p, ok := x.partitions.Get(scope); ok {
			p.RLock()
			out = append(out, p)
		}
	}
	return out
}

func release(partitions []*partition) {
	for _, p := range partitions {
		p.RUnlock()
	}
}

// run is one search. Its lists and its working space are kept for the next one, but
// nothing in them.
type run struct {
	query      *search.Query
	partitions []*partition
	scratch    []*scratch // by partition; there may be more
	terms      []string
	probe      *probe     // of the query's vector; nil where it has no direction, or the arm is not asked
	known      []*vectors // by partition: of the query's profile; nil: none, or no probe
	stats      search.Stats
	lexBest    best
	semBest    best
}

// begin prepares a search of the partitions, which are held.
func (r *run) begin(q *search.Query) {
	r.query, r.terms = q, analysis.Terms(q.Text)
	if q.Semantic > 0 {
		r.probe = probeOf(q.Vector)
	}
	for i, p := range r.partitions {
		if i == len(r.scratch) {
			r.scratch = append(r.scratch, &scratch{})
		}
		r.scratch[i].prepare(p, q)
		var known *vectors
		if r.probe != nil {
			known = p.vectors[q.Profile]
		}
		r.known = append(r.known, known)
	}
}

// close lets go of partitions and working space and forgets the query and what was
// found.
func (r *run) close() {
	for _, s := range r.scratch {
		s.reset()
	}
	release(r.partitions)
	*r = run{
		partitions: emptied(r.partitions), scratch: r.scratch, known: emptied(r.known),
		lexBest: best{items: emptied(r.lexBest.items)}, semBest: best{items: emptied(r.semBest.items)},
	}
}

// emptied is a list's room, with nothing in it.
func emptied[T any](list []T) []T {
	clear(list)
	return list[:0]
}

func (r *run) dimensionsFit() bool {
	if r.query.Semantic <= 0 {
		return true
	}
	return !slices.ContainsFunc(r.partitions, func(p *partition) bool {
		v := p.vectors[r.query.Profile]
		return v != nil && v.dimension != len(r.query.Vector)
	})
}

// statistics sums up what BM25 needs over all partitions.
func (r *run) statistics() search.Stats {
	out := search.Stats{DF: make(map[string]int, len(r.terms))}
	length, passages := 0, 0
	for _, p := range r.partitions {
		out.Documents += len(p.byID)
		passages += p.words.count
		if r.query.Plain {
			length += p.words.own
		} else {
			length += p.words.windowed
		}
	}
	if passages > 0 {
		out.AvgLength = float64(length) / search.WeightUnit / float64(passages)
	}
	for _, term := range r.terms {
		out.DF[term] = 0
		for _, p := range r.partitions {
			if id, ok := p.words.terms.find(term); ok {
				out.DF[term] += int(p.words.postings.terms[id].df)
			}
		}
	}
	return out
}

// hits joins what the arms kept: the lexical arm's in their order, then the
// others. Each carries every score the engine can tell.
func (r *run) hits() []search.Hit {
	lexical, semantic := r.lexBest.sorted(), r.semBest.sorted()
	out := make([]search.Hit, 0, len(lexical)+len(semantic))
	for i := range lexical {
		hit := r.hit(&lexical[i])
		hit.Lexical = lexical[i].score
		if r.probe != nil {
			hit.Semantic, hit.HasVec = r.cosine(&lexical[i])
		}
		out = append(out, hit)
	}
	for i := range semantic {
		words := r.words(&semantic[i])
		if words > 0 && r.lexBest.holds(scored{words, semantic[i].id, semantic[i].partition, semantic[i].slot}) {
			continue
		}
		hit := r.hit(&semantic[i])
		hit.Lexical, hit.Semantic, hit.HasVec = words, semantic[i].score, true
		out = append(out, hit)
	}
	return out
}

func (r *run) hit(at *scored) search.Hit {
	p := r.partitions[at.partition]
	d := &p.docs[at.slot]
	return search.Hit{Scope: p.scope, ID: d.id, Item: d.item, Version: d.version}
}

// words is the lexical score of a document; 0 where the arm was not asked.
func (r *run) words(at *scored) float64 {
	if r.query.Lexical <= 0 {
		return 0
	}
	return r.scratch[at.partition].score(r.partitions[at.partition], at.slot)
}

// cosine is that of a document with a vector of the profile.
func (r *run) cosine(at *scored) (float64, bool) {
	v, d := r.known[at.partition], &r.partitions[at.partition].docs[at.slot]
	if v == nil || d.vectors != v {
		return 0, false
	}
	return r.probe.cosine(v.row(d.row), v.numbers[d.row]), true
}
