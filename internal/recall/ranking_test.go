package recall

import (
	"fmt"
	"testing"
	"time"

	"holdfast/internal/memory"
)

// scoreOf is the score of the entry with a text, and whether there is one.
func (c Context) scoreOf(text string) (float64, bool) {
	for _, entries := range c.Sections {
		for _, e := range entries {
			if e.Memory.Content == text {
				return e.Score, true
			}
		}
	}
	return 0, false
}

// What is superseded or over where the request looks takes nothing from what holds.
func TestWhatIsPastPushesDownNothing(t *testing.T) {
	const holds, other = "The gate code is 1111.", "The gate code is 2222."
	for name, end := range map[string]func(w *world){
		"over": func(w *world) { w.add(other, until(w.clock.Now().Add(time.Minute))) },
		"superseded": func(w *world) {
			w.add(other, ofAttribute("code"))
			w.add("Ida knows the secret word.", ofAttribute("code"))
		},
	} {
		for _, synced := range []bool{true, false} {
			w := newWorld(t)
			w.add(holds)
			end(w)
			running := w.clock.Now() // until after the last of them is over
			w.clock.Advance(time.Hour)
			if synced {
				w.sync(here)
			}
			over := w.clock.Now()
			for _, one := range []struct {
				label  string
				change func(*Request)
				kept   bool
			}{
				{"now", func(*Request) {}, true},
				{"recorded", asOf(memory.RecordedAxis, over), true},
				{"recorded before", asOf(memory.RecordedAxis, running), name == "superseded"},
			} {
				label := fmt.Sprintf("%s, %s, synced %v", name, one.label, synced)
				c := w.ask("What is the gate code?", in(Lexical), withSuperseded, one.change)
				score, _ := c.scoreOf(holds)
				past, there := c.scoreOf(other)
				if !there || score >= past != one.kept {
					t.Errorf("%s: %v, the other's %v", label, score, past)
				}
			}
		}
	}
}

// Two workspaces may call their runs the same: they are two sessions.
func TestRunsOfTwoWorkspacesAreTwoSessions(t *testing.T) {
	p := &pass{req: question("ferry")}
	session := func(workspace, run string) string {
		m := &memory.Memory{WorkspaceID: workspace, RunID: run, Layer: memory.Tenant}
		return p.rankable([]candidate{{memory: m}})[0].Session
	}
	own, other := session(here.WorkspaceID(), "r"), session(sibling.WorkspaceID(), "r")
	if own != "r" || other == own || other != session(sibling.WorkspaceID(), "r") || other == session(sibling.WorkspaceID(), "s") {
		t.Errorf("%q, %q", own, other)
	}
	if got := session(sibling.WorkspaceID(), ""); got != "" {
		t.Errorf("without a run: %q", got)
	}
}
