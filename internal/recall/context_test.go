package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/memory"
)

func least(score float64) func(*Request) { return func(r *Request) { r.MinScore = score } }
func most(n int) func(*Request)          { return func(r *Request) { r.TopN = n } }
func budget(n int) func(*Request)        { return func(r *Request) { r.TokenBudget = n } }
func raw(r *Request)                     { r.Raw = true }
func inRunOf(run string) func(*Request)  { return func(r *Request) { r.RunID = run } }
func having(k, v string) func(*Request)  { return func(r *Request) { r.Tags = map[string]string{k: v} } }

func TestR014OnlyWhatWouldHaveBeenFoundCountsAsHidden(t *testing.T) {
	w := newWorld(t)
	for i, user := range []string{"ida", "", ""} {
		attribute := fmt.Sprint("master", i)
		changes := []with{ofAttribute(attribute), tagged("fleet", fmt.Sprint(i))}
		if user != "" {
			changes = append(changes, ofUser(user))
		}
		w.add(fmt.Sprintf("The ferry master %d is Olga.", i), changes...)
		w.add(fmt.Sprintf("The ferry master %d is Pavel.", i), changes...)
	}
	w.add("The ferry sold tickets.", until(start.Add(time.Hour)))
	w.clock.Advance(2 * time.Hour)
	w.sync(here)
	for name, one := range map[string]struct {
		change func(*Request)
		hidden int
	}{
		"nobody":        {func(*Request) {}, 3},
		"as ida":        {asUser("ida"), 4},
		"one tag":       {having("fleet", "1"), 1},
		"another's tag": {having("fleet", "0"), 0},
	} {
		for _, mode := range []Mode{Hybrid, Semantic, Lexical} {
			if c := w.ask("ferry master", in(mode), one.change); c.SupersededHidden != one.hidden {
				t.Errorf("%s, %s: %d hidden, want %d", name, mode, c.SupersededHidden, one.hidden)
			}
		}
	}
	if c := w.ask("lighthouse", in(Lexical)); c.SupersededHidden != 0 {
		t.Errorf("what the query does not find is counted: %d", c.SupersededHidden)
	}
}

func TestR027OmittedCountsWorkspaceEntriesOverTopNOrBudget(t *testing.T) {
	w := newWorld(t)
	for i := range 12 {
		w.add(fmt.Sprintf("The ferry makes trip %d every day.", i))
	}
	w.store(sibling, fact("A ferry of the tenant"+strings.Repeat(" and of its owners", 20)+".", inLayer("Tenant")))
	w.add("How to moor a ferry.", ofType("procedure"))
	w.sync(here, sibling)
	c := w.ask("ferry", most(5))
	// the procedure is of the layer as well; the tenant's is not
	if shown := len(c.ids(WorkspaceEntries, Procedures)); len(c.ids()) != 5 || c.OmittedWorkspace != 13-shown {
		t.Errorf("%d entries, %d omitted", len(c.ids()), c.OmittedWorkspace)
	}
	if len(c.Compilation.Dropped) != 14-5 {
		t.Errorf("dropped %+v", c.Compilation.Dropped)
	}
	for _, d := range c.Compilation.Dropped {
		if d.Reason != OverTopN {
			t.Errorf("%+v", d)
		}
	}
	c = w.ask("ferry", budget(64))
	omitted, included := 0, 0
	for _, s := range c.Compilation.Sections {
		omitted, included = omitted+s.Omitted, included+s.Included
	}
	if included != len(c.ids()) || omitted != len(c.Compilation.Dropped) || included+omitted != 14 || c.Compilation.TokensUsed > 64 || included == 0 {
		t.Errorf("included %d, omitted %d, used %d", included, omitted, c.Compilation.TokensUsed)
	}
	if shown := len(c.ids(WorkspaceEntries, Procedures)); c.OmittedWorkspace != 13-shown || len(c.ids(TenantEntries)) != 0 {
		t.Errorf("%d shown, %d omitted", shown, c.OmittedWorkspace)
	}
	for _, d := range c.Compilation.Dropped {
		if d.Reason != OverBudget {
			t.Errorf("%+v", d)
		}
	}
	if c := w.ask("ferry", most(5), raw, budget(64)); len(c.ids()) != 5 || c.OmittedWorkspace != 13-len(c.ids(WorkspaceEntries, Procedures)) {
		t.Errorf("raw: %d entries, %d omitted", len(c.ids()), c.OmittedWorkspace)
	}
}

func TestR012EntriesBelowTheLeastScoreAreDropped(t *testing.T) {
	w := newWorld(t)
	w.store(here, floor("Sign the register."))
	best := w.add("The ferry has a brass bell.")
	w.add("A bell.")
	w.add("The harbour wall is granite.")
	w.sync(here)
	for _, mode := range modes {
		all := w.ask("ferry brass bell", in(mode))
		last := 1.0
		for _, e := range all.Sections[WorkspaceEntries] {
			if e.Score > last || e.Score < 0 || e.Score > 1 {
				t.Errorf("%s: score %v after %v", mode, e.Score, last)
			}
			last = e.Score
		}
		top := all.Sections[WorkspaceEntries][0]
		if top.Memory.ID != best {
			t.Errorf("%s: best is %q", mode, top.Memory.Content)
		}
		c := w.ask("ferry brass bell", in(mode), least(top.Score))
		if got := c.ids(WorkspaceEntries); !slices.Equal(got, []string{best}) || c.OmittedWorkspace != 0 || len(c.Compilation.Dropped) != 0 {
			t.Errorf("%s: %v, %d omitted", mode, got, c.OmittedWorkspace)
		}
		if c := w.ask("ferry brass bell", in(mode), least(1)); len(c.ids(WorkspaceEntries)) != 0 || len(c.ids(TenantFloors)) != 1 {
			t.Errorf("%s: at 1: %v", mode, c.ids())
		}
	}
	if c := w.ask("quarterly tax return", least(.05)); len(c.ids(WorkspaceEntries)) != 0 {
		t.Errorf("nothing matches: %v", c.ids())
	}
}

func TestR013EveryTagMustBeThereAndUntaggedOnesDoNotMatch(t *testing.T) {
	w := newWorld(t)
	red := w.add("The red ferry.", tagged("colour", "red"))
	w.add("The blue ferry.", tagged("colour", "blue"))
	w.add("The plain ferry.")
	both := w.add("The red and fast ferry.", func(d *memory.Draft) { d.Tags = map[string]string{"colour": "red", "speed": "fast"} })
	w.sync(here)
	late := w.add("The late red ferry.", tagged("colour", "red")) // of the overlay
	w.add("The late ferry.")
	for _, mode := range modes {
		w.ask("ferry", in(mode), having("colour", "red")).holds(t, red, both, late)
		w.ask("ferry", in(mode), func(r *Request) { r.Tags = map[string]string{"colour": "red", "speed": "fast"} }).holds(t, both)
		w.ask("ferry", in(mode), having("colour", "green")).holds(t)
	}
}

func TestR05SubjectsAndR02RunsBoundWhatIsSeen(t *testing.T) {
	w := newWorld(t)
	free := w.add("The ferry has a bell.")
	ida := w.add("Ida's ferry has a mast.", ofUser("ida"), ofType("decision"))
	run := w.add("The ferry is late today.", inLayer("Session"), inRun("r1"))
	open := w.add("The ferry run was noted.", inRun("r2"))
	for _, synced := range []bool{false, true} {
		if synced {
			w.sync(here)
		}
		for _, mode := range modes {
			w.ask("ferry", in(mode)).holds(t, free, open)
			w.ask("ferry", in(mode), asUser("ida")).holds(t, free, open, ida)
			w.ask("ferry", in(mode), asUser("bo")).holds(t, free, open)
			w.ask("ferry", in(mode), inRunOf("r1")).holds(t, free, open, run)
			w.ask("ferry", in(mode), inRunOf("r2"), func(r *Request) { r.Subject.AgentID = "ida" }).holds(t, free, open)
		}
	}
}

func TestR021RawLeavesCompilationOut(t *testing.T) {
	w := newWorld(t)
	for i := range 4 {
		w.add(fmt.Sprintf("The ferry makes trip %d and %s.", i, strings.Repeat("more ", 100)))
	}
	w.sync(here)
	c := w.ask("ferry", raw, budget(64), most(3))
	if len(c.ids()) != 3 || len(c.Blocks) != 0 || c.Blocks == nil || c.Compilation != nil || c.ReceiptID == "" {
		t.Errorf("%v, blocks %v, compilation %v", c.ids(), c.Blocks, c.Compilation)
	}
	for _, e := range c.Sections[WorkspaceEntries] {
		if e.Score <= 0 || e.Tokens != Tokens(e.Memory.Content) {
			t.Errorf("%+v", e)
		}
	}
}

func TestS028EntriesStandInTheSectionOfTheirTypeAndLayer(t *testing.T) {
	w := newWorld(t)
	want := map[Section]string{
		WorkspaceEntries: w.add("Ferry one."),
		TenantEntries:    w.store(here, fact("Ferry two.", inLayer("Tenant"))),
		Procedures:       w.add("Ferry three.", ofType("procedure")),
		FileDocs:         w.add("Ferry four.", ofType("file_doc")),
		SessionEntries:   w.add("Ferry five.", inLayer("Session"), inRun("r1"), ofType("decision")),
	}
	w.sync(here)
	c := w.ask("ferry", inRunOf("r1"))
	for section, id := range want {
		if got := c.ids(section); !slices.Equal(got, []string{id}) {
			t.Errorf("%s: %v, want %s", section, got, id)
		}
	}
	order := []string{}
	for _, b := range c.Blocks {
		order = append(order, b.Name)
	}
	if fmt.Sprint(order) != "[workspaceEntries tenantEntries procedures fileDocs sessionEntries]" {
		t.Errorf("blocks in the order %v", order)
	}
}
