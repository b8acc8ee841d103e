package opensearch

import (
	"context"
	"sync"

	"holdfast/internal/clock"
	"holdfast/internal/search"
)

// maxScanned is how many numbers of vectors a scan goes through: those of 10,000 vectors
// of 256. A scan of these takes no longer than a search of their graph (6 to 10 ms), and
// it misses nothing, where a graph may hold a group of texts that no way leads to.
const maxScanned = 256 * 10_000

// leastExplored keeps a search for few from ending in a wrong part of a graph.
const leastExplored = 256

// looked is how many of the nearest documents a graph is asked for: a few more than
// the arm proposes, so that ties are cut by id.
func looked(most int) int { return min(most+most/4+16, maxWindow) }

// explored is how many nodes of a graph are kept in sight while it is searched: of 200
// nearest, 266 in sight find .97 of what a scan finds, and twice as many .99.
func explored(most int) int { return min(max(leastExplored, 2*most), maxWindow) }

// nearby finds the nearest in a graph. The filter is inside, so that the engine looks for
// the nearest of what it allows.
func (s scoped) nearby(q *search.Query, patience string) object {
	most := looked(q.Semantic)
	return proposing(most, object{"knn": object{vectorPath(q.Profile): object{
		"vector": q.Vector, "k": explored(most), "filter": s.only(allowed(q)...),
	}}}, patience)
}

// allNear is the same by going through all vectors.
func (s scoped) allNear(q *search.Query, patience string) object {
	return proposing(q.Semantic, s.scoring(cosine(q.Profile, q.Vector), allowed(q)...), patience)
}

// fewNear is the same, which ends early where there are too many to go through.
func (s scoped) fewNear(q *search.Query, patience string) object {
	body := s.allNear(q, patience)
	body["terminate_after"] = maxScanned / len(q.Vector)
	return body
}

// nearest asks the semantic arm: by a scan of the scopes' vectors, or in the graph where
// they are too many for that.
func (r *run) nearest(ctx context.Context) ([]hit, error) {
	ctx, cancel := clock.Within(ctx, r.index.nearest)
	defer cancel()
	if large := r.scopes.routing() + " " + r.query.Profile; !r.index.large.has(large) {
		found, over, err := r.scan(ctx)
		if err != nil || !over {
			return found, err
		}
		r.index.large.add(large)
	}
	return r.inGraph(ctx)
}

// scan goes through the vectors, in half of the arm's time, so that the graph has the rest.
// It answers whether they were too many: in number, or for that time.
func (r *run) scan(ctx context.Context) (found []hit, over bool, err error) {
	body := r.scopes.fewNear(&r.query, millis(r.index.nearest/2))
	results, err := r.index.multi(ctx, []query{{routing: r.scopes.routing(), body: body, partial: true}})
	if err != nil {
		return nil, false, err
	}
	if results[0].TimedOut {
		return nil, true, nil
	}
	found = results[0].Hits.Hits
	return found[:min(len(found), r.query.Semantic)], results[0].TerminatedEarly, results[0].err()
}

// inGraph asks the graph. Where so many documents are equally near that the engine did
// not look at all of them, all vectors are gone through to know the newest, if there is
// time for it.
func (r *run) inGraph(ctx context.Context) ([]hit, error) {
	patience, most := millis(r.index.nearest), r.query.Semantic
	results, err := r.index.all(ctx, []query{{routing: r.scopes.routing(), body: r.scopes.nearby(&r.query, patience)}})
	if err != nil {
		return nil, err
	}
	found := results[0].Hits.Hits
	if n := len(found); n >= looked(most) && n > most && found[n-1].Score == found[most-1].Score {
		if all, err := r.index.one(ctx, query{routing: r.scopes.routing(), body: r.scopes.allNear(&r.query, patience)}); err == nil {
			found = all.Hits.Hits
		}
	}
	return found[:min(len(found), most)], nil
}

// maxLarge bounds how many scopes are remembered as large.
const maxLarge = 4096

// large remembers, for this process, which scopes hold too many vectors for a scan, or more
// than one gets through in its time, so that only their first search tries one. One that
// has shrunk is asked by graph still.
type large struct {
	mu   sync.Mutex
	keys map[string]bool
}

func (l *large) has(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.keys[key]
}

// add forgets the others when they have become too many.
func (l *large) add(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.keys == nil || len(l.keys) >= maxLarge {
		l.keys = map[string]bool{}
	}
	l.keys[key] = true
}
