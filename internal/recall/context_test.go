package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/memory"
)

func least(score float64) func(*Request) { return func(r *Request) { r.MinScore = score } }
func most(n int) func(*Request)          { return func(r *Request) { r.TopN = n } }
func budget(n int) func(*Request)        { return func(r *Request) { r.TokenBudget = n } }
func raw(r *Request)                     { r.Raw = true }
func inRunOf(run string) func(*Request)  { return func(r *Request) { r.RunID = run } }
func having(k, v string) func(*Request)  { return func(r *Request) { r.Tags = map[string]string{k: v} } }

func TestR024FloorsAreAlwaysIncluded(t *testing.T) {
	w := newWorld(t)
	one := w.store(here, floor("Sign the register."))
	two := w.store(sibling, floor("Nobody dives alone."))
	bound := w.store(here, floor("Ida may dive.", ofUser("ida")))
	ordinary := w.store(here, fact("The ferry is a policy matter.", inLayer("Tenant"), ofType("policy")))
	w.store(here, floor("A rule that has ended.", until(start)))
	gone := w.store(sibling, floor("A rule that was withdrawn."))
	held := w.store(here, floor(hostile))
	w.store(here, floor("Two life belts a boat.", ofAttribute("belts"), ofUser("bo")))
	belts := w.store(here, floor("Three life belts a boat.", ofAttribute("belts"), ofUser("bo")))
	w.store(foreign, floor("A rule of another tenant."))
	w.sync(here, sibling)
	w.delete(sibling, gone)
	hard := func(r *Request) { r.MinScore, r.TopN, r.Tags = 1, 1, map[string]string{"no": "such"} }
	for _, mode := range modes {
		for name, change := range map[string]func(*Request){"plain": func(*Request) {}, "hard": hard, "raw": raw} {
			c := w.ask("unrelated words", in(mode), change)
			if got := c.ids(TenantFloors); !slices.Equal(got, []string{one, two}) {
				t.Errorf("%s, %s: floors %v, want %v", mode, name, got, []string{one, two})
			}
		}
	}
	if got := w.ask("ferry", asUser("bo")).ids(TenantFloors); !slices.Equal(got, []string{one, two, belts}) {
		t.Errorf("as bo: %v, want no superseded floor", got)
	}
	c := w.ask("ferry rule", asUser("ida"))
	if got := c.ids(TenantFloors); !slices.Equal(got, []string{one, two, bound}) {
		t.Errorf("as ida: %v", got)
	}
	if got := c.ids(TenantEntries); !slices.Equal(got, []string{ordinary}) || slices.Contains(c.ids(), held) {
		t.Errorf("ranked tenant entries %v", got)
	}
	if c.Blocks[0].Name != string(TenantFloors) || !strings.Contains(c.Blocks[0].Text, "Nobody dives alone.") {
		t.Errorf("first block %+v", c.Blocks[0])
	}
}

func TestS035PolicyThatDoesNotFitTheBudgetIs422(t *testing.T) {
	w := newWorld(t)
	w.store(here, floor(strings.Repeat("Sign the register. ", 40)))
	w.add("The ferry has a bell.")
	_, err := w.Retrieve(t.Context(), question("ferry", budget(64)))
	e := errs.As(err)
	if !errs.Is(err, errs.Unprocessable) || e.Code != "CONTEXT_BUDGET_TOO_SMALL" || len(w.journal.all) != 0 {
		t.Fatalf("%v, %d receipts", err, len(w.journal.all))
	}
	enough, _ := e.Extra["minimumTokens"].(int)
	if _, err := w.Retrieve(t.Context(), question("ferry", budget(enough-1))); !errs.Is(err, errs.Unprocessable) {
		t.Errorf("one token less than the minimum: %v", err)
	}
	if c := w.ask("ferry", budget(enough)); len(c.ids(TenantFloors)) != 1 || c.Compilation.TokensUsed != enough {
		t.Errorf("at the minimum: %v, used %d of %d", c.ids(), c.Compilation.TokensUsed, enough)
	}
	if c := w.ask("ferry", budget(64), raw); len(c.ids()) != 2 {
		t.Errorf("the budget counts in a raw answer: %v", c.ids())
	}
}

func TestR030TheProfileIsOfPreferencesAndFactsOfThatUser(t *testing.T) {
	w := newWorld(t)
	older := w.add("Ida was born in Oslo.", ofUser("ida"))
	tea := w.add("Ida drinks tea.", ofUser("ida"), ofType("preference"))
	newer := w.add("Ida has a dog.", ofUser("ida"))
	window := w.add("Ida likes a window seat.", ofUser("ida"), ofType("preference"))
	w.add("Ida decided to sail.", ofUser("ida"), ofType("decision"))
	w.add("Ida moved.", ofUser("ida"), until(start))
	w.add("Ida lives in Bergen.", ofUser("ida"), ofAttribute("home"))
	home := w.add("Ida lives in Tromsø.", ofUser("ida"), ofAttribute("home"))
	w.add("Ida hums.", ofUser("ida"), inLayer("Session"), inRun("r1"))
	w.add(hostile, ofUser("ida"))
	w.add("Bo drinks coffee.", ofUser("bo"), ofType("preference"))
	gone := w.add("Ida smokes.", ofUser("ida"))
	w.delete(here, gone)
	w.sync(here)
	if c := w.ask("tea"); c.Profile != nil {
		t.Errorf("a profile of nobody: %+v", c.Profile)
	}
	c := w.ask("unrelated", asUser("ida"), inRunOf("r1"))
	want := []string{window, tea, home, newer, older}
	if !slices.Equal(c.Profile.SourceIDs, want) || c.Profile.Tokens != Tokens(c.Profile.Text) ||
		!strings.HasPrefix(c.Profile.Text, "- Ida likes a window seat.\n- Ida drinks tea.\n") {
		t.Errorf("profile %+v, want sources %v", c.Profile, want)
	}
	block := c.Blocks[slices.IndexFunc(c.Blocks, func(b Block) bool { return b.Name == string(UserProfile) })]
	if !slices.Equal(block.EntryIDs, want) {
		t.Errorf("block %+v", block)
	}
	named := map[string]bool{}
	for _, item := range w.journal.last(t).Items {
		named[item.ID] = true
	}
	for _, id := range want {
		if !named[id] {
			t.Errorf("the receipt leaves %s out", id)
		}
	}
	if c := w.ask("unrelated", asUser("ida"), raw); !slices.Equal(c.Profile.SourceIDs, want) {
		t.Errorf("raw: %+v", c.Profile)
	}
	if c := w.ask("unrelated", asUser("nobody")); c.Profile == nil || c.Profile.Text != "" || len(c.Profile.SourceIDs) != 0 {
		t.Errorf("of a user without memories: %+v", c.Profile)
	}
}

func TestR025TheProfileTakesAQuarterOfTheBudgetAtMost(t *testing.T) {
	w := newWorld(t)
	for i := range 40 {
		w.add(fmt.Sprintf("Ida has been to harbour number %d and liked the fish there very much.", i), ofUser("ida"), ofType("preference"))
	}
	for budgeted, limit := range map[int]int{400: 100, 4096: profileMost, 32_000: profileMost} {
		if c := w.ask("ferry", asUser("ida"), budget(budgeted)); c.Profile.Tokens > limit || c.Profile.Tokens < limit/2 {
			t.Errorf("budget %d: %d tokens, limit %d", budgeted, c.Profile.Tokens, limit)
		}
	}
}

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
