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

// The budget pays a text once: what the profile shows is in its section, and in no
// second block.
func TestR025WhatTheProfileShowsIsNotPackedTwice(t *testing.T) {
	w := newWorld(t)
	tea := w.add("Ida drinks tea on the ferry.", ofUser("ida"), ofType("preference"))
	born := w.add("Ida was born on the ferry.", ofUser("ida"))
	decided := w.add("Ida decided to buy the ferry.", ofUser("ida"), ofType("decision"))
	bell := w.add("The ferry has a bell.")
	w.sync(here)
	c := w.ask("ferry", asUser("ida"))
	c.holds(t, tea, born, decided, bell)
	packed := map[string]int{}
	for _, b := range c.Blocks {
		for _, id := range b.EntryIDs {
			packed[id]++
		}
	}
	if len(packed) != 4 || packed[tea] != 1 || packed[born] != 1 || packed[decided] != 1 || packed[bell] != 1 {
		t.Errorf("packed %v", packed)
	}
	for _, s := range c.Compilation.Sections {
		if want := map[Section]int{UserProfile: 2, WorkspaceEntries: 4}[s.Name]; s.Included != want || s.Omitted != 0 {
			t.Errorf("%+v, want %d", s, want)
		}
	}
	if c.Compilation.TokensUsed != c.Blocks[0].Tokens+c.Blocks[1].Tokens || !slices.Equal(c.Profile.SourceIDs, []string{tea, born}) {
		t.Errorf("%+v, %+v", c.Compilation, c.Profile)
	}
	if c := w.ask("ferry", asUser("ida"), raw); len(c.ids()) != 4 {
		t.Errorf("raw: %v", c.ids())
	}
}

func TestR025TheProfileTakesAQuarterOfTheBudgetAtMost(t *testing.T) {
	w := newWorld(t)
	for i := range 40 {
		w.add(fmt.Sprintf("Ida has been to harbour number %d and liked the fish there very much.", i), ofUser("ida"), ofType("preference"))
	}
	for budgeted, limit := range map[int]int{400: 100, 4096: digestMost, 32_000: digestMost} {
		if c := w.ask("ferry", asUser("ida"), budget(budgeted)); c.Profile.Tokens > limit || c.Profile.Tokens < limit/2 {
			t.Errorf("budget %d: %d tokens, limit %d", budgeted, c.Profile.Tokens, limit)
		}
	}
}
