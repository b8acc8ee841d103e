package opensearch

import (
	"context"
	"maps"
	"slices"
)

// view is what the index holds of the changed documents and around them.
type view struct {
	batch   *batch
	current map[string]*record // by document id
	spans   map[sessionKey][]span
	places  map[sessionKey][]string // ids that changed there, sorted
}

// look reads the view.
func (b *batch) look(ctx context.Context) (view, error) {
	v := view{batch: b, places: map[sessionKey][]string{}}
	var err error
	if v.current, err = b.present(ctx); err != nil {
		return v, err
	}
	for _, c := range b.changes {
		for _, r := range []*record{v.current[c.id], c.record} {
			if r != nil && r.Session != "" {
				c.sessions[sessionKey{c.key, r.Session}] = true
			}
		}
		for session := range c.sessions {
			v.places[session] = append(v.places[session], c.item)
		}
	}
	for _, ids := range v.places {
		slices.Sort(ids)
	}
	v.spans, err = b.around(ctx, v.places)
	return v, err
}

// present reads the changed documents that are there.
func (b *batch) present(ctx context.Context) (map[string]*record, error) {
	byScope := map[string][]string{}
	for _, c := range b.changes {
		byScope[c.key] = append(byScope[c.key], c.item)
	}
	var queries []query
	for _, key := range slices.Sorted(maps.Keys(byScope)) {
		scope, err := scopedTo(b.scopes[key])
		if err != nil {
			return nil, err
		}
		for items := range slices.Chunk(byScope[key], 1000) {
			body := b.index.reading(scope.only(object{"terms": object{fieldID: items}}), len(items))
			queries = append(queries, query{routing: scope.routing(), body: body})
		}
	}
	results, err := b.index.all(ctx, queries)
	if err != nil {
		return nil, err
	}
	out := map[string]*record{}
	for _, r := range results {
		found, err := records(r)
		if err != nil {
			return nil, err
		}
		for _, doc := range found {
			out[documentID(doc.Scope, doc.ID)] = doc
		}
	}
	return out, nil
}

// writes answers the changes that are newer than what is there, the first time, and
// the windows that have to be rewritten.
func (v view) writes(first bool) []write {
	var out []write
	pending := map[string]*change{}
	for _, c := range v.batch.changes {
		if known := v.current[c.id]; !first || known != nil && known.Sequence >= c.sequence {
			continue
		}
		pending[c.id] = c
	}
	for session, spans := range v.spans {
		for i := range spans {
			out = append(out, v.rewrites(session, &spans[i], pending)...)
		}
	}
	for _, c := range v.batch.changes {
		if pending[c.id] == nil {
			continue
		}
		if r := c.record; r != nil && r.Passages == nil { // in no session
			r.derive(window{})
		}
		out = append(out, write{change: c})
	}
	return out
}

// rewrites puts the pending changes into a span and derives what they change: the
// changes' own records, and the records beside them that are there, which are
// answered where their window is another than they were written with.
func (v view) rewrites(session sessionKey, s *span, pending map[string]*change) []write {
	docs := v.resulting(session, s, pending)
	var out []write
	seen := map[int]bool{}
	for _, id := range v.places[session] {
		at, found := slices.BinarySearchFunc(docs, id, compareItem)
		if !s.holds(id) {
			continue
		}
		last := at + 1
		if found {
			last++
		}
		for i := max(0, at-1); i <= last && i < len(docs); i++ {
			if seen[i] {
				continue
			}
			seen[i] = true
			if w, needed := v.judge(docs, i, pending); needed {
				w.session = session
				out = append(out, w)
			}
		}
	}
	return out
}

// resulting answers the span's documents as they are after the pending changes.
func (v view) resulting(session sessionKey, s *span, pending map[string]*change) []*record {
	docs := slices.DeleteFunc(slices.Clone(s.docs), func(r *record) bool {
		return pending[documentID(r.Scope, r.ID)] != nil
	})
	for _, id := range v.places[session] {
		c := pending[documentID(session.scope, id)]
		if c == nil || c.record == nil || c.record.Session != session.name || !s.holds(id) {
			continue
		}
		if i, found := slices.BinarySearchFunc(docs, id, compareItem); !found {
			docs = slices.Insert(docs, i, c.record)
		}
	}
	return docs
}

// judge derives the document at i if its window is not the one it has.
func (v view) judge(docs []*record, i int, pending map[string]*change) (write, bool) {
	r, w := docs[i], windowAt(docs, i)
	if c := pending[documentID(r.Scope, r.ID)]; c != nil {
		r.derive(w)
		return write{}, false
	}
	if r.Kept.Window == w.digest() {
		return write{}, false
	}
	r.derive(w)
	return write{rewrite: r, batch: v.batch}, true
}
