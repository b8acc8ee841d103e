package recall

import (
	"context"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/ledger"
	"holdfast/internal/tenant"
)

// runs knows the summaries of one run.
type runs struct {
	summaries map[string][]string
	fail      error
	visits    []string
}

func (r *runs) Visit(_ context.Context, _ tenant.Scope, runID string) ([]string, error) {
	r.visits = append(r.visits, runID)
	return r.summaries[runID], r.fail
}

func TestR069TheSummaryOfTheRunsLastStretch(t *testing.T) {
	w := newWorld(t)
	everyone := w.add("They planned the regatta.")
	idas := w.add("Ida booked the hall.", ofUser("ida"))
	old := w.add("The stretch before.", ofAttribute("stretch"))
	w.add("The stretch after.", ofAttribute("stretch"))
	gone := w.add("Gone.")
	w.delete(here, gone)
	held := w.add(hostile)
	w.sync(here)
	r := &runs{summaries: map[string][]string{"r1": {everyone, idas, old, gone, held}, "r2": nil, "r3": {idas}}}
	w.Runs = r
	for _, one := range []struct {
		run, user string
		want      []string // nil: no summary
	}{{"r1", "", []string{everyone}}, {"r1", "ida", []string{everyone, idas}}, {"r2", "ida", nil}, {"r3", "ida", []string{idas}}, {"r3", "", nil}, {"", "", nil}} {
		for name, how := range map[string]func(*Request){"": func(*Request) {}, "raw": raw} {
			c := w.ask("lighthouse", in(Lexical), inRunOf(one.run), asUser(one.user), how)
			if (c.Summary == nil) != (one.want == nil) || c.Summary != nil && !slices.Equal(c.Summary.SourceIDs, one.want) {
				t.Errorf("run %q as %q %s: %+v, want %v", one.run, one.user, name, c.Summary, one.want)
				continue
			}
			for _, id := range one.want {
				if !slices.ContainsFunc(w.journal.last(t).Items, func(i ledger.Item) bool { return i.ID == id && i.Score == nil }) {
					t.Errorf("the receipt leaves %s out", id)
				}
			}
			if c.Summary != nil && c.Summary.Tokens != Tokens(c.Summary.Text) {
				t.Errorf("%+v", c.Summary)
			}
		}
	}
	if len(r.visits) != 10 || slices.Contains(r.visits, "") {
		t.Errorf("visits %v", r.visits)
	}
}

func TestR025TheSummaryIsPackedBehindTheProfileAndPaidOnce(t *testing.T) {
	w := newWorld(t)
	w.store(here, floor("Sign the register."))
	w.add("Ida drinks tea.", ofUser("ida"), ofType("preference"))
	summary := w.add("They planned the regatta.")
	w.add("The regatta has a cup.")
	w.sync(here)
	w.Runs = &runs{summaries: map[string][]string{"r1": {summary}}}
	c := w.ask("regatta", in(Lexical), inRunOf("r1"), asUser("ida"))
	var names []string
	for _, b := range c.Blocks {
		names = append(names, b.Name)
		if want := b.Name == string(SessionSummary); slices.Contains(b.EntryIDs, summary) != want {
			t.Errorf("%+v", b)
		}
	}
	if want := []string{"tenantFloors", "userProfile", "sessionSummary", "workspaceEntries"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	if !slices.Contains(c.ids(WorkspaceEntries), summary) {
		t.Error("it ranks as well")
	}
}

func TestR069ASummaryThatIsTooLongSaysItsBeginning(t *testing.T) {
	w := newWorld(t)
	id := w.add(strings.Repeat("They talked about the regatta for a long while. ", 100))
	w.sync(here)
	w.Runs = &runs{summaries: map[string][]string{"r1": {id}}}
	for tokens, limit := range map[int]int{400: 100, 4096: digestMost} {
		c := w.ask("lighthouse", in(Lexical), inRunOf("r1"), budget(tokens))
		if c.Summary.Tokens > limit || c.Summary.Tokens < limit-20 || !strings.HasSuffix(c.Summary.Text, "while.\n") || len(c.Summary.SourceIDs) != 1 {
			t.Errorf("budget %d: %d tokens: %q", tokens, c.Summary.Tokens, c.Summary.Text)
		}
	}
}

func TestR050ARunThatCannotBeVisitedCostsItsSummaryOnly(t *testing.T) {
	w := newWorld(t)
	id := w.add("The regatta has a cup.")
	w.sync(here)
	w.Runs = &runs{fail: errAway, summaries: map[string][]string{"r1": {id}}}
	c := w.ask("regatta", inRunOf("r1"))
	if c.holds(t, id); c.Summary != nil {
		t.Errorf("%+v", c.Summary)
	}
	silent := &runs{summaries: map[string][]string{"r1": {id}}}
	w.Runs = silent
	if w.ask("regatta", inRunOf("r1"), func(r *Request) { r.Silent = true }); len(silent.visits) != 0 {
		t.Error("an evaluation visited the run")
	}
}
