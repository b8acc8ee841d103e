package memory

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"
)

// all follows a list to its end and answers the ids and the number of pages.
func (w *world) all(c Caller, f Filter, limit int) ([]string, int) {
	w.t.Helper()
	var ids []string
	after := ""
	for n := 1; ; n++ {
		page, err := w.List(context.Background(), w.as(c), f, limit, after)
		if err != nil || len(page.Entries) > limit || n > 200 {
			w.t.Fatalf("page %d: %d entries, %v", n, len(page.Entries), err)
		}
		for _, m := range page.Entries {
			ids = append(ids, m.ID)
		}
		if after = page.Next; after == "" {
			return ids, n
		}
	}
}

func TestR061ListsAreNewestFirstOverMonths(t *testing.T) {
	w := newWorld(t)
	var want []string
	for n := range 13 {
		want = append(want, w.add("Cabin "+strconv.Itoa(n)+" is heated."))
		if n%3 == 2 {
			w.clock.Advance(40 * 24 * time.Hour)
		}
	}
	slices.Reverse(want)
	for _, limit := range []int{1, 2, 5, 12, 13, 200} {
		got, pages := w.all(agent, Filter{}, limit)
		if !slices.Equal(got, want) {
			t.Errorf("limit %d: %v, want %v", limit, got, want)
		}
		if exact := (len(want) + limit - 1) / limit; pages != exact {
			t.Errorf("limit %d: %d pages, want %d", limit, pages, exact)
		}
	}
}

func TestR061FiltersNarrowAndLeadToTheEnd(t *testing.T) {
	w := newWorld(t)
	plain := w.add("The dock is wet.", func(d *Draft) { d.RunID = ptr("run-1") })
	choice := w.add("The dock closes.", ofType("decision"), func(d *Draft) { d.RunID = ptr("run-2") })
	said := w.add("We are at the dock.", inRun("run-1"))
	old := w.add("The clerk is Ole.", ofAttribute("clerk"))
	now := w.add("The clerk is Pia.", ofAttribute("clerk"))
	held := w.add(hostile)
	for i := range 300 {
		w.add("Filler number " + strconv.Itoa(i))
	}
	for _, c := range []struct {
		f    Filter
		want []string
	}{
		{Filter{Type: Decision}, []string{choice}},
		{Filter{Layer: Session, RunID: "run-1"}, []string{said}},
		{Filter{RunID: "run-1"}, []string{said, plain}},
		{Filter{Status: Superseded}, []string{old}},
		{Filter{Status: Quarantined}, []string{held}},
		{Filter{Type: Policy}, nil},
		{Filter{Layer: Session, Status: Superseded}, nil},
	} {
		for _, limit := range []int{1, 50} {
			if got, _ := w.all(agent, c.f, limit); !slices.Equal(got, c.want) {
				t.Errorf("%+v limit %d: %v, want %v", c.f, limit, got, c.want)
			}
		}
	}
	if got, _ := w.all(agent, Filter{Status: Active}, 200); !slices.Contains(got, now) || len(got) != 304 {
		t.Errorf("%d active ones", len(got))
	}
}

func TestT52ListsShowASubjectsEntriesToThoseThatNameIt(t *testing.T) {
	w := newWorld(t)
	free, ada, ben := w.add("Full."), w.add("Full.", ofUser("ada")), w.add("Full.", ofUser("ben"))
	app := w.add("Full.", ofUser("ada"), func(d *Draft) { d.ApplicationID = ptr("app") })
	for _, c := range []struct {
		c    Caller
		s    Subject
		want []string
	}{
		{agent, Subject{}, []string{free}},
		{agent, Subject{UserID: "ada"}, []string{ada, free}},
		{agent, Subject{UserID: "ben"}, []string{ben, free}},
		{agent, Subject{UserID: "ada", ApplicationID: "app"}, []string{app, ada, free}},
		{agent, Subject{AgentID: "ada"}, []string{free}},
		{reviewer, Subject{}, []string{app, ben, ada, free}},
		{reviewer, Subject{UserID: "ada"}, []string{app, ada, free}},
	} {
		if got, _ := w.all(c.c, Filter{Subject: c.s}, 2); !slices.Equal(got, c.want) {
			t.Errorf("%s %+v: %v, want %v", c.c.Actor.KeyID, c.s, got, c.want)
		}
	}
}

func TestT12PagesNeitherSkipNorRepeatWhileOthersWrite(t *testing.T) {
	w := newWorld(t)
	var want []string
	for n := range 9 {
		want = append(want, w.add("Parcel "+strconv.Itoa(n)))
	}
	slices.Reverse(want)
	var got []string
	after := ""
	for {
		page, err := w.List(context.Background(), w.as(agent), Filter{}, 2, after)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page.Entries {
			got = append(got, m.ID)
		}
		if after = page.Next; after == "" {
			break
		}
		w.add("Letter between " + after)
		if err := w.delete(agent, after); err != nil { // the position itself may go
			t.Fatal(err)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestT12APageLooksAtBoundedRows(t *testing.T) {
	w := newWorld(t)
	last := w.add("Needle.", ofType("decision"))
	for range mostScanned + 10 {
		m := &Memory{ID: w.IDs.New(), Layer: Workspace, Type: Fact}
		w.putList(m)
	}
	page, err := w.List(context.Background(), w.as(agent), Filter{Type: Decision}, 5, "")
	if err != nil || len(page.Entries) != 0 || page.Next == "" {
		t.Fatalf("first page %+v, %v", page, err)
	}
	page, err = w.List(context.Background(), w.as(agent), Filter{Type: Decision}, 5, page.Next)
	if err != nil || len(page.Entries) != 1 || page.Entries[0].ID != last || page.Next != "" {
		t.Errorf("second page %+v, %v", page, err)
	}
}

// A process starts again with its clock behind what was written before.
func TestR061ListsShowWhatAClockAheadHasWritten(t *testing.T) {
	w := newWorld(t)
	first := w.add("The dredger is due.")
	w.clock.Advance(3 * 365 * 24 * time.Hour)
	ahead := w.add("The dredger has come.")
	back := worldOver(t, w.Store)
	now := back.add("The dredger is late.")
	if got, _ := back.all(agent, Filter{}, 1); len(got) != 3 || got[0] != ahead || !slices.Contains(got, now) || !slices.Contains(got, first) {
		t.Errorf("listed %v", got)
	}
}

func TestR061ListsShowWhatIsOlderThanTheWorkspaceSeems(t *testing.T) {
	w := newWorld(t)
	w.workspace.CreatedAt = start.AddDate(2, 0, 0)
	id := w.add("The buoy is new.")
	if got, _ := w.all(agent, Filter{}, 1); !slices.Equal(got, []string{id}) {
		t.Errorf("listed %v", got)
	}
}
