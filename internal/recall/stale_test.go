package recall

import (
	"slices"
	"testing"
	"time"

	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// lie puts a document into the index by hand, a real one with changes, and answers
// its id.
func (w *world) lie(from tenant.Scope, id string, change func(*search.Document)) string {
	w.t.Helper()
	m, err := memory.Head(w.t.Context(), w.Store, from, id)
	if err != nil || m == nil {
		w.t.Fatalf("%v, %v", m, err)
	}
	const late = 1 << 40 // later than every row of the log
	d := memory.Document(from, m, late, nil, "")
	d.Text, d.Item = "harbour pilot", ""
	vectors, err := w.model.Embedder.Embed(w.t.Context(), []string{d.Text})
	if err != nil {
		w.t.Fatal(err)
	}
	d.Vector, d.Profile = vectors[0], w.model.Profile().Name()
	change(&d)
	for _, err := range w.index.Apply(w.t.Context(), []search.Op{{Document: d}}) {
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return d.ID
}

func as(change func(*search.Document)) func(*search.Document) {
	return func(d *search.Document) {
		d.Fields = search.Fields{memory.FieldKind: {memory.Family}, memory.FieldLayer: {"Workspace"}, memory.FieldStatus: {"active"}}
		d.Scope, d.Until = here, time.Time{}
		if change != nil {
			change(d)
		}
	}
}

// TestS019AStaleIndexNeverLeaks fills the index with lies, each of which says of
// a memory that the request may see it.
func TestS019AStaleIndexNeverLeaks(t *testing.T) {
	past := start.Add(-time.Hour)
	for name, prepare := range map[string]func(w *world) string{
		"deleted": func(w *world) string {
			id := w.add("The harbour pilot is Olga.")
			w.delete(here, id)
			return w.lie(here, id, as(nil))
		},
		"quarantined": func(w *world) string { return w.lie(here, w.add(hostile+" harbour pilot"), as(nil)) },
		"superseded": func(w *world) string {
			id := w.add("The harbour pilot is Olga.", ofAttribute("pilot"))
			w.add("The keeper is Pavel.", ofAttribute("pilot"))
			return w.lie(here, id, as(nil))
		},
		"no longer valid": func(w *world) string { return w.lie(here, w.add("The harbour pilot is Olga.", until(past)), as(nil)) },
		"of a user":       func(w *world) string { return w.lie(here, w.add("The harbour pilot is Olga.", ofUser("ida")), as(nil)) },
		"of another run": func(w *world) string {
			return w.lie(here, w.add("Harbour pilot.", inLayer("Session"), inRun("r1")), as(nil))
		},
		"a pointer": func(w *world) string { return w.lie(here, w.add("Harbour pilot.", pointing("s3://pilot")), as(nil)) },
		"of a sibling": func(w *world) string {
			return w.lie(sibling, w.store(sibling, fact("The harbour pilot is Olga.")), as(nil))
		},
		"of another tenant": func(w *world) string {
			return w.lie(foreign, w.store(foreign, fact("The harbour pilot is Olga.")), as(nil))
		},
		"another tenant's own layer": func(w *world) string {
			return w.lie(foreign, w.store(foreign, fact("Harbour pilot.", inLayer("Tenant"))), as(nil))
		},
		"a sibling's, as the tenant's": func(w *world) string {
			return w.lie(sibling, w.store(sibling, fact("The harbour pilot is Olga.")), as(func(d *search.Document) { d.Scope = here.Own() }))
		},
		"the tenant's, deleted in a sibling": func(w *world) string {
			id := w.store(sibling, fact("The harbour pilot is Olga.", inLayer("Tenant")))
			w.delete(sibling, id)
			return w.lie(sibling, id, as(func(d *search.Document) { d.Scope = here.Own() }))
		},
		"without a memory": func(w *world) string {
			return w.lie(here, w.add("The keel is oak."), as(func(d *search.Document) { d.ID = w.IDs.New() }))
		},
		"with an id that is none": func(w *world) string {
			return w.lie(here, w.add("The keel is oak."), as(func(d *search.Document) { d.ID = "pilot" }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			kept := w.add("The harbour pilot lives at the mole.")
			w.sync(here)
			lie := prepare(w)
			w.reached()
			for _, mode := range modes {
				w.index.asked = nil
				c := w.ask("harbour pilot", in(mode), func(r *Request) { r.Subject.ApplicationID = "app" })
				if got := c.ids(); slices.Contains(got, lie) || !slices.Contains(got, kept) {
					t.Errorf("%s: entries %v, want %s and not %s", mode, got, kept, lie)
				}
				for _, item := range w.journal.last(t).Items {
					if item.ID == lie {
						t.Errorf("%s: the receipt names it", mode)
					}
				}
				if !w.proposed(lie) {
					t.Errorf("%s: the index did not lie", mode)
				}
			}
		})
	}
}

// proposed tells whether the index answers this document to what it was asked last.
func (w *world) proposed(id string) bool {
	w.t.Helper()
	a, err := w.index.Index.Search(w.t.Context(), w.index.asked[0])
	if err != nil {
		w.t.Fatal(err)
	}
	return slices.ContainsFunc(a.Hits, func(h search.Hit) bool { return h.ID == id })
}

// reached makes the cursor say that the index knows all, so that no overlay helps.
func (w *world) reached() {
	w.t.Helper()
	for _, s := range []tenant.Scope{here, sibling, foreign} {
		if err := w.indexer.Cursors.Advance(w.t.Context(), s, w.head(s).Sequence); err != nil {
			w.t.Fatal(err)
		}
	}
}
