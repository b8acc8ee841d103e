package memory

import (
	"reflect"
	"testing"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// Every row that lists a memory is one that its canary looks for once it is deleted.
func TestT26TracesAreAllRowsThatListAMemory(t *testing.T) {
	for name, d := range map[string]Draft{
		"of a subject": fact("The tide is low.", ofUser("ida"), func(d *Draft) { d.AgentID, d.ApplicationID = ptr("bot"), ptr("app") }),
		"of a session": fact("The tide is low.", inRun("run-1")),
		"held":         fact(hostile),
		"a floor":      {Layer: "Tenant", Type: "policy", NonNegotiable: true, Content: "Mind the tide."},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.append(admin, d).ID
			listing := map[store.Key]bool{}
			for key := range w.items() {
				if key.SK == id || key.SK != keys.HeadSK && len(key.SK) > len(id) && key.SK[len(key.SK)-len(id):] == id {
					listing[key] = true
				}
			}
			m := w.head(id)
			r := Removal{ID: id, Subject: m.Subject}
			if _, err := w.Delete(t.Context(), w.as(admin), r); err != nil {
				t.Fatal(err)
			}
			traces := Traces(w.scope, w.head(id))
			for _, key := range traces {
				if w.has(key) {
					t.Errorf("%v is left", key)
				}
				delete(listing, key)
			}
			if len(listing) > 0 {
				t.Errorf("no trace: %v", listing)
			}
		})
	}
}

func TestT26UnnameTakesAMemoryOutOfALookUpRow(t *testing.T) {
	key := store.Key{PK: "x", SK: "y"}
	for name, c := range map[string]struct {
		row   store.Attrs
		verb  store.Verb
		left  store.Attrs
		named bool
	}{
		"words":         {store.Attrs{attrEntries: store.S("a=1 b=2")}, store.Put, store.Attrs{attrEntries: store.S("b=2")}, true},
		"the only one":  {store.Attrs{attrEntries: store.S("a=1")}, store.Delete, nil, true},
		"others' words": {store.Attrs{attrEntries: store.S("b=2")}, 0, nil, false},
		"current value": {store.Attrs{attrID: store.S("a"), attrStamp: store.S("op")}, store.Delete, nil, true},
		"earlier value": {store.Attrs{attrID: store.S("b"), attrStamp: store.S("op"), attrDoc: store.B([]byte(`[{"id":"a"}]`))}, store.Put,
			store.Attrs{attrID: store.S("b"), attrStamp: store.S("next")}, true},
		"others' value": {store.Attrs{attrID: store.S("b"), attrStamp: store.S("op")}, 0, nil, false},
	} {
		action, named, err := Unname(store.Item{Key: key, Attrs: c.row}, "a", "next")
		if err != nil || named != c.named || action.Verb != c.verb || !reflect.DeepEqual(action.Item.Attrs, c.left) || named && action.If == nil {
			t.Errorf("%s: %+v, %v, %v", name, action, named, err)
		}
	}
	if _, _, err := Unname(store.Item{Key: key, Attrs: store.Attrs{attrDoc: store.B([]byte("{"))}}, "a", "next"); err == nil {
		t.Error("a damaged row was read")
	}
}
