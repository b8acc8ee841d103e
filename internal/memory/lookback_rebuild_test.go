package memory

import (
	"context"
	"strings"
	"testing"
	"time"

	"holdfast/internal/store/keys"
)

// A text that the service made again has no row of what it was before; what somebody
// wrote over it afterwards has.
func TestR044AsOfReadsAfterAnErasureShowWhatIsLeft(t *testing.T) {
	w := newWorld(t)
	one, two := w.add("The vault's code is 4711."), w.add("The kiln is fired with gas.")
	d := w.derivation("The vault's code is 4711.", one)
	d.Parts, d.Rests[two] = append(d.Parts, Part{Text: "The kiln is fired with gas.", Cites: []string{two}}), 1
	d.Sources = append(d.Sources, Source{Kind: MemorySource, ID: two}, Source{Kind: URLSource, ID: "https://example.org/kiln"})
	id := w.derive(d).ID
	var at []time.Time // one within the time of each version
	tick := func() { w.clock.Advance(time.Second); at = append(at, w.clock.Now()); w.clock.Advance(time.Second) }
	tick()
	w.rebuild(id, one)
	tick()
	for _, text := range []string{"The kiln burns wood.", "The kiln burns peat."} {
		if _, err := w.update(agent, id, text); err != nil {
			t.Fatal(err)
		}
		tick()
	}
	w.wantThen(id, at, "", "The kiln is fired with gas.", "The kiln burns wood.", "The kiln burns peat.")
	w.rebuild(id, two) // the made text before somebody wrote over it goes
	w.wantThen(id, at, "", "", "The kiln burns wood.", "The kiln burns peat.")
	if w.has(keys.MemoryVersion(w.scope, id, 2)) || strings.Count(w.text(), "fired with gas") != 1 { // the source itself
		t.Error("the made text is there")
	}
}

// wantThen holds the texts that were known at instants; empty: none.
func (w *world) wantThen(id string, at []time.Time, want ...string) {
	w.t.Helper()
	for i, then := range at {
		got, err := Views(context.Background(), w.Store, w.scope, []*Memory{w.head(id)}, AsOf{At: then, Axis: RecordedAxis})
		if err != nil {
			w.t.Fatal(err)
		}
		text := ""
		if got[0].Memory != nil {
			text = got[0].Content
		}
		if text != want[i] {
			w.t.Errorf("at %d: %q, want %q", i+1, text, want[i])
		}
	}
}
