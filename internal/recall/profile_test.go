package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

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
