package recall

import (
	"testing"
	"time"

	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// lie puts a document into the index by hand: a real one with changes.
func (w *world) lie(from tenant.Scope, id string, change func(*search.Document)) {
	w.t.Helper()
	m, err := memory.Head(w.t.Context(), w.Store, from, id)
	if err != nil || m == nil {
		w.t.Fatalf("%v, %v", m, err)
	}
	const late = 1 << 40 // later than every row of the log
	d := memory.Document(from, m, late, nil, "")
	d.Text = "harbour pilot"
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
}

func as(change func(*search.Document)) func(*search.Document) {
	return func(d *search.Document) {
		d.Fields = search.Fields{memory.FieldKind: {memory.Family}, memory.FieldLayer: {"Workspace"}, memory.FieldStatus: {"active"}}
		d.Scope = here
		if change != nil {
			change(d)
		}
	}
}

// TestS019AStaleIndexNeverLeaks fills the index with lies, each of which says of
// a memory that the request may see it.
func TestS019AStaleIndexNeverLeaks(t *testing.T) {
	past := start.Add(-time.Hour)
	for name, prepare := range map[string]func(w *world){
		"deleted": func(w *world) {
			id := w.add("The harbour pilot is Olga.")
			w.delete(here, id)
			w.lie(here, id, as(nil))
		},
		"quarantined": func(w *world) { w.lie(here, w.add(hostile+" harbour pilot"), as(nil)) },
		"changed": func(w *world) {
			id := w.add("The harbour pilot is Olga.")
			w.update(id, "The keel is oak.")
			w.lie(here, id, as(func(d *search.Document) { d.Version = 1 }))
		},
		"of a version that is not there": func(w *world) {
			w.lie(here, w.add("The keel is oak."), as(func(d *search.Document) { d.Version = 9 }))
		},
		"superseded": func(w *world) {
			id := w.add("The harbour pilot is Olga.", ofAttribute("pilot"))
			w.add("The keeper is Pavel.", ofAttribute("pilot"))
			w.lie(here, id, as(nil))
		},
		"no longer valid":            func(w *world) { w.lie(here, w.add("The harbour pilot is Olga.", until(past)), as(nil)) },
		"of a user":                  func(w *world) { w.lie(here, w.add("The harbour pilot is Olga.", ofUser("ida")), as(nil)) },
		"of another run":             func(w *world) { w.lie(here, w.add("Harbour pilot.", inLayer("Session"), inRun("r1")), as(nil)) },
		"a pointer":                  func(w *world) { w.lie(here, w.add("Harbour pilot.", pointing("s3://pilot")), as(nil)) },
		"of a sibling":               func(w *world) { w.lie(sibling, w.store(sibling, fact("The harbour pilot is Olga.")), as(nil)) },
		"of another tenant":          func(w *world) { w.lie(foreign, w.store(foreign, fact("The harbour pilot is Olga.")), as(nil)) },
		"another tenant's own layer": func(w *world) { w.lie(foreign, w.store(foreign, fact("Harbour pilot.", inLayer("Tenant"))), as(nil)) },
		"a sibling's, as the tenant's": func(w *world) {
			w.lie(sibling, w.store(sibling, fact("The harbour pilot is Olga.")), as(func(d *search.Document) { d.Scope = here.Own() }))
		},
		"the tenant's, deleted in a sibling": func(w *world) {
			id := w.store(sibling, fact("The harbour pilot is Olga.", inLayer("Tenant")))
			w.delete(sibling, id)
			w.lie(sibling, id, as(func(d *search.Document) { d.Scope = here.Own() }))
		},
		"without a memory": func(w *world) {
			w.lie(here, w.add("The keel is oak."), as(func(d *search.Document) { d.ID = w.IDs.New() }))
		},
		"with an id that is none": func(w *world) {
			w.lie(here, w.add("The keel is oak."), as(func(d *search.Document) { d.ID = "pilot" }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			kept := w.add("The harbour pilot lives at the mole.")
			w.sync(here)
			prepare(w)
			w.reached()
			for _, mode := range modes {
				c := w.ask("harbour pilot", in(mode), func(r *Request) { r.Subject.ApplicationID = "app" })
				for _, id := range c.ids() {
					if id != kept && c.Sections[WorkspaceEntries] != nil && w.leaked(c, id) {
						t.Errorf("%s: %s leaked", mode, id)
					}
				}
				if len(w.journal.last(t).Items) != len(c.ids()) {
					t.Errorf("%s: the receipt has %d items, handed out were %d", mode, len(w.journal.last(t).Items), len(c.ids()))
				}
			}
		})
	}
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
