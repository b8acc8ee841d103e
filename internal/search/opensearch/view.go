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
	late    bool                    // another writer was faster with one of the changes
}

// look reads the view.
func (b *batch) look(ctx context.Context) (view, error) {
	v := view{batch: b, places: map[sessionKey][]string{}}
	var err error
	if v.current, err = b.present(ctx); err != nil {
		return v, err
	}
	for _, c := range b.changes {
		c.stale = nil
		for _, r := range []*record{v.current[c.id], c.record} {
			if r != nil && r.lastSession() != "" {
				c.sessions[sessionKey{c.key, r.lastSession()}] = true
			}
		}
		if known := v.current[c.id]; !c.sent && known != nil && known.Sequence >= c.sequence {
			c.sent, v.late = true, true
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

// next answers what is to be written now. No window may hold words of a document that does
// not tell its session, else a delete of it would not find that window. So documents come
// into a session before or with the windows that show them. Those that leave one are
// first taken out of it, which other writers see as well; once no window there shows
// them, they are deleted or written anew.
func (v view) next() []write {
	staying, leaving := map[string]*change{}, map[string]*change{}
	for _, c := range v.batch.changes {
		switch {
		case c.sent:
		case v.leaves(c):
			leaving[c.id] = c
		default:
			staying[c.id] = c
		}
	}
	if out := append(v.writes(staying), v.exits(leaving)...); len(out) > 0 {
		return out
	}
	return v.writes(leaving)
}

// leaves tells that windows of a session may show the document in which it will not be.
func (v view) leaves(c *change) bool {
	r := v.current[c.id]
	return r != nil && r.lastSession() != "" && (c.record == nil || c.record.Session != r.lastSession())
}

// exits take documents out of the session that they are still in.
func (v view) exits(leaving map[string]*change) []write {
	var out []write
	for _, c := range v.batch.changes {
		if r := v.current[c.id]; leaving[c.id] != nil && r.Session != "" {
			w := write{rewrite: r, session: sessionKey{c.key, r.Session}, batch: v.batch}
			r.leave()
			out = append(out, w)
		}
	}
	return out
}

// writes answers the pending changes and then the windows that have to be rewritten, as if
// these were made and of the other changes that are not sent none were there. The engine
// does them in this order.
func (v view) writes(pending map[string]*change) []write {
	var windows, out []write
	for session, spans := range v.spans {
		for i := range spans {
			windows = append(windows, v.rewrites(session, &spans[i], pending)...)
		}
	}
	for _, c := range v.batch.changes {
		if pending[c.id] == nil {
			continue
		}
		if r := c.record; r != nil && r.Passages == nil { // in no session
			r.derive(window{})
		}
		c.sent = true
		out = append(out, write{change: c})
	}
	return append(out, windows...)
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

// resulting answers the span's documents as they are after the pending changes, without
// those of changes that wait.
func (v view) resulting(session sessionKey, s *span, pending map[string]*change) []*record {
	docs := slices.DeleteFunc(slices.Clone(s.docs), func(r *record) bool {
		c := v.batch.byID[documentID(r.Scope, r.ID)]
		return c != nil && (pending[c.id] != nil || !c.sent)
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
