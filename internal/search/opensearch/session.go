package opensearch

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// reach is how many documents before and after a change have to be known: those
// whose windows it is in, two after and one before, and what is in their windows.
const reach = 3

// sessionKey names a session in a scope.
type sessionKey struct{ scope, name string }

// span is a stretch of a session without gaps: its documents from one id to
// another, in order.
type span struct {
	from, to string
	open     bool // reaches to the session's end, whatever to says
	docs     []*record
}

func (s *span) holds(id string) bool { return id >= s.from && (s.open || id <= s.to) }

// reader reads what is around changes. Its scopes give every query its filter.
type reader struct {
	index  *Index
	scopes map[string]tenant.Scope // by key
}

// around answers stretches of sessions that hold the given ids, whether documents
// have them or not, with reach documents on either side. Most changes follow each
// other, so each session is first read in one piece from its first id on; ids that
// lie beyond that get a stretch of their own.
func (r reader) around(ctx context.Context, places map[sessionKey][]string) (map[sessionKey][]span, error) {
	var asked []stretch
	for session, ids := range places {
		asked = append(asked, stretch{session: session, at: ids[0], size: len(ids) + reach + 1})
	}
	out := map[sessionKey][]span{}
	if err := r.read(ctx, asked, out); err != nil {
		return nil, err
	}
	var rest []stretch
	for session, ids := range places {
		for _, id := range ids {
			if !covered(out[session], id) {
				rest = append(rest, stretch{session: session, at: id, size: 1 + reach})
			}
		}
	}
	err := r.read(ctx, rest, out)
	return out, err
}

// covered tells whether a span reaches far enough beyond an id.
func covered(spans []span, id string) bool {
	return slices.ContainsFunc(spans, func(s span) bool {
		i, found := slices.BinarySearchFunc(s.docs, id, compareItem)
		if found {
			i++
		}
		return s.holds(id) && (s.open || len(s.docs)-i >= reach)
	})
}

func compareItem(r *record, id string) int { return cmp.Compare(r.ID, id) }

// stretch asks for so many documents of a session from an id on, and for those
// before it.
type stretch struct {
	session sessionKey
	at      string
	size    int
}

// readAtOnce is the most stretches of one msearch.
const readAtOnce = 100

// read adds what lies in the stretches to the spans of their sessions.
func (r reader) read(ctx context.Context, asked []stretch, out map[sessionKey][]span) error {
	for part := range slices.Chunk(asked, readAtOnce) {
		var queries []query
		for _, s := range part {
			queries = append(queries, r.neighbours(s, "lt", "desc", reach), r.neighbours(s, "gte", "asc", s.size))
		}
		results, err := r.index.all(ctx, queries)
		if err != nil {
			return err
		}
		for i, s := range part {
			found, err := s.span(results[2*i], results[2*i+1])
			if err != nil {
				return err
			}
			out[s.session] = merged(append(out[s.session], found))
		}
	}
	return nil
}

// neighbours asks for the documents on one side of an id.
func (r reader) neighbours(s stretch, side, order string, size int) query {
	scope, err := scopedTo(r.scopes[s.session.scope])
	if err != nil {
		panic("search/opensearch: a session of no scope")
	}
	body := r.index.reading(scope.only(
		object{"term": object{fieldSession: s.session.name}},
		object{"range": object{fieldID: object{side: s.at}}},
	), size)
	body["sort"] = []object{{fieldID: order}}
	return query{routing: scope.routing(), body: body}
}

// reading is a search for records, without vectors, which no window needs.
func (x *Index) reading(q object, size int) object {
	return object{
		"size": size, "track_total_hits": false, "seq_no_primary_term": true, "query": q,
		"_source": object{"excludes": []string{fieldVectors}},
	}
}

// span joins the two sides of a stretch.
func (s stretch) span(before, after result) (span, error) {
	docs, err := records(before)
	if err != nil {
		return span{}, err
	}
	slices.Reverse(docs)
	out := span{from: s.at, to: s.at, open: len(after.Hits.Hits) < s.size}
	if len(docs) == reach {
		out.from = docs[0].ID
	} else {
		out.from = ""
	}
	behind, err := records(after)
	if err != nil {
		return span{}, err
	}
	if len(behind) > 0 {
		out.to = behind[len(behind)-1].ID
	}
	out.docs = append(docs, behind...)
	return out, nil
}

// records reads the sources of hits.
func records(r result) ([]*record, error) {
	out := make([]*record, len(r.Hits.Hits))
	for i := range r.Hits.Hits {
		h := &r.Hits.Hits[i]
		out[i] = &record{seqNo: h.SeqNo, primaryTerm: h.PrimaryTerm}
		if err := json.Unmarshal(h.Source, out[i]); err != nil {
			return nil, fmt.Errorf("%w: the answer cannot be read", search.ErrUnavailable)
		}
	}
	return out, nil
}

// merged joins spans that touch or overlap.
func merged(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	out := spans[:1]
	for _, s := range spans[1:] {
		if last := &out[len(out)-1]; last.holds(s.from) {
			last.join(s)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// join takes over what another span, which begins inside, has beyond.
func (s *span) join(other span) {
	for _, r := range other.docs {
		if i, found := slices.BinarySearchFunc(s.docs, r.ID, compareItem); !found {
			s.docs = slices.Insert(s.docs, i, r)
		}
	}
	s.to, s.open = max(s.to, other.to), s.open || other.open
}
