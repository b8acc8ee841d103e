package memory

import (
	"context"
	"testing"
)

func TestA02NoDeletedSuccessorIsNamed(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	first := w.add("The keeper is Ada.", ofAttribute("keeper"))
	second := w.add("The keeper is Ben.", ofAttribute("keeper"))
	third := w.add("The keeper is Cleo.", ofAttribute("keeper"))
	shown := func(id string) string {
		m, err := w.Get(ctx, w.as(agent), id, Subject{})
		if err != nil || m.Status != Superseded || m.Temporal.SupersededAt == nil {
			t.Fatalf("%+v, %v", m, err)
		}
		for limit := 1; limit < 5; limit++ {
			after := ""
			for {
				page, err := w.List(ctx, w.as(agent), Filter{}, limit, after)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range page.Entries {
					if e.ID == id && e.Temporal.SupersededBy != m.Temporal.SupersededBy {
						t.Errorf("list says %q, get %q", e.Temporal.SupersededBy, m.Temporal.SupersededBy)
					}
				}
				if after = page.Next; after == "" {
					break
				}
			}
		}
		return m.Temporal.SupersededBy
	}
	if shown(first) != second || shown(second) != third {
		t.Error("successors that are there are not named")
	}
	if err := w.delete(agent, third); err != nil {
		t.Fatal(err)
	}
	if by := shown(second); by != "" || shown(first) != second {
		t.Errorf("second names %q", by)
	}
	if out, err := w.update(agent, second, "The keeper was Ben."); err != nil || out.Temporal.SupersededBy != "" {
		t.Errorf("%+v, %v", out, err)
	}
	again := w.add("The keeper is Ben.", ofAttribute("keeper"))
	if again == second || w.head(again).Status != Active {
		t.Error("the earlier value cannot be made current by appending it")
	}
	w.sound()
}
