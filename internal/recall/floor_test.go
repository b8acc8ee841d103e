package recall

import (
	"slices"
	"strings"
	"testing"

	"holdfast/internal/errs"
)

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
