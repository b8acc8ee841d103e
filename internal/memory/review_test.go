package memory

import (
	"context"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/ledger"
	"holdfast/internal/store/keys"
)

func TestR052ReleaseGivesBackOriginAndTrust(t *testing.T) {
	w := newWorld(t)
	id := w.add(hostile, func(d *Draft) { d.Origin = ptr("tool") })
	m, err := w.review(reviewer, id, Release)
	if err != nil || m.Status != Active || m.Trust() != 0.5 || m.Provenance.Origin != FromTool || m.Quarantine != nil || m.Version != 1 {
		t.Fatalf("%+v, %v", m.Memory, err)
	}
	if w.has(keys.Quarantined(w.scope, id)) || !w.has(keys.MemoryVector(w.scope, id, w.model.Profile().Name())) {
		t.Error("still listed, or without a vector")
	}
	w.wantOps(id, ledger.Quarantine, ledger.Release)
	if m.Review.KeyID != "reviewer-key" || m.Review.Verdict != Release {
		t.Errorf("review %+v", m.Review)
	}
	if a := w.append(agent, fact(hostile)); a.ID == id || w.head(a.ID).Status != Quarantined {
		t.Error("a later one is not held on its own")
	}
}

func TestR052RejectBuriesTheMemory(t *testing.T) {
	w := newWorld(t)
	id := w.add(hostile)
	out, err := w.Review(context.Background(), w.as(reviewer), Ruling{ID: id, Verdict: Reject, Note: "seen before"})
	if err != nil || out.ID != id {
		t.Fatalf("%+v, %v", out, err)
	}
	m := w.head(id)
	if !m.IsDeleted() || m.Content != "" || m.Review.Note != "" || m.Review.Verdict != Reject || w.has(keys.Quarantined(w.scope, id)) {
		t.Errorf("%+v", m)
	}
	e, err := w.Erasure(context.Background(), w.as(agent), id, Subject{})
	if err != nil || e.Status != ErasurePending {
		t.Errorf("erasure %+v, %v", e, err)
	}
	w.wantOps(id, ledger.Quarantine, ledger.Delete)
}

func TestR052DecidingTwiceIsAConflict(t *testing.T) {
	w := newWorld(t)
	for _, first := range []Verdict{Release, Reject} {
		id := w.add(hostile + " " + string(first))
		if _, err := w.review(reviewer, id, first); err != nil {
			t.Fatal(err)
		}
		for _, second := range []Verdict{Release, Reject} {
			_, err := w.review(reviewer, id, second)
			wantCode(t, err, "ALREADY_DECIDED")
		}
	}
}

func TestR052WhatWasNeverHeldIsMissing(t *testing.T) {
	w := newWorld(t)
	plain, gone := w.add("The tide is out."), w.add("The tide is in.")
	if err := w.delete(agent, gone); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{plain, gone, w.IDs.New(), "none"} {
		_, err := w.review(reviewer, id, Release)
		wantCode(t, err, "NOT_FOUND")
	}
	_, err := w.review(reviewer, plain, "forget")
	wantField(t, err, "/decision")
	_, err = w.Review(context.Background(), w.as(reviewer), Ruling{ID: plain, Verdict: Release, Note: strings.Repeat("x", 1001)})
	wantField(t, err, "/note")
}

func TestR052HeldAgainIsDecidedAgain(t *testing.T) {
	w := newWorld(t)
	id := w.add(hostile)
	if _, err := w.review(reviewer, id, Release); err != nil {
		t.Fatal(err)
	}
	if _, err := w.update(agent, id, hostile+" Now."); err != nil {
		t.Fatal(err)
	}
	if m, err := w.review(reviewer, id, Release); err != nil || m.Status != Active {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestA02AReleasedValueTakesItsPlaceAmongTheOthers(t *testing.T) {
	w := newWorld(t)
	code := func(text, at string) string { return w.add(text, ofAttribute("code"), from(at)) }
	early, late := code(hostile+" Early.", "2020-01-01T00:00:00Z"), code(hostile+" Late.", "2024-01-01T00:00:00Z")
	middle := code("The code is plain.", "2022-01-01T00:00:00Z")
	if m, err := w.review(reviewer, early, Release); err != nil || m.Status != Superseded || m.Temporal.SupersededBy != middle {
		t.Errorf("early %+v, %v", m.Memory, err)
	}
	if m, err := w.review(reviewer, late, Release); err != nil || m.Status != Active {
		t.Errorf("late %+v, %v", m.Memory, err)
	}
	if m := w.head(middle); m.Status != Superseded || m.Temporal.SupersededBy != late {
		t.Errorf("middle %+v", m)
	}
}

func TestR085AReleasedValueCountsFromWhenItWasRecorded(t *testing.T) {
	w := newWorld(t)
	held := w.add(hostile, ofAttribute("code"))
	now := w.add("The code is plain.", ofAttribute("code"))
	if m, err := w.review(reviewer, held, Release); err != nil || m.Status != Superseded || w.head(now).Status != Active {
		t.Errorf("%+v, %v", m.Memory, err)
	}
	w.sound()
}

func TestA05ReleaseOfARejectedValueNeedsAPerson(t *testing.T) {
	w := newWorld(t)
	one, two := w.add(hostile), w.add(hostile)
	if _, err := w.review(reviewer, one, Reject); err != nil {
		t.Fatal(err)
	}
	bot := agent
	bot.Review = true
	_, err := w.review(bot, two, Release)
	wantCode(t, err, "REJECTED_VALUE")
	if _, err := w.review(reviewer, two, Release); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Append(context.Background(), w.as(agent), fact(hostile)); err != nil {
		t.Errorf("the rejection was not lifted: %v", err)
	}
}

func TestT15AReviewIsReplayed(t *testing.T) {
	w := newWorld(t)
	id, bad := w.add(hostile), w.add(hostile+" Too.")
	for i := range 2 {
		m, err := w.Review(context.Background(), w.keyed(reviewer, "a", ""), Ruling{ID: id, Verdict: Release})
		if err != nil || m.Status != Active || m.Replayed != (i == 1) {
			t.Errorf("release %d: %+v, %v", i, m, err)
		}
		m, err = w.Review(context.Background(), w.keyed(reviewer, "b", ""), Ruling{ID: bad, Verdict: Reject})
		if err != nil || m.ID != bad || m.Replayed != (i == 1) {
			t.Errorf("reject %d: %+v, %v", i, m, err)
		}
	}
}

func TestT16AStaleReviewIsRefused(t *testing.T) {
	w := newWorld(t)
	id := w.add(hostile)
	_, err := w.Review(context.Background(), w.as(reviewer), Ruling{ID: id, Verdict: Release, Allows: func(v int64) bool { return v == 2 }})
	wantCode(t, err, "VERSION_MISMATCH")
}

func TestR052TheQuarantineListIsPagedNewestFirst(t *testing.T) {
	w := newWorld(t)
	var want []string
	for _, word := range strings.Fields("One Two Three Four Five") {
		want = append(want, w.add(hostile+" "+word+"."))
		w.add("The " + word + " lamp is lit.")
	}
	if _, err := w.review(reviewer, want[2], Release); err != nil {
		t.Fatal(err)
	}
	want = slices.Delete(want, 2, 3)
	slices.Reverse(want)
	for _, limit := range []int{1, 2, 3, 4, 10} {
		var got []string
		after := ""
		for {
			page, err := w.Service.Quarantine(context.Background(), w.as(reviewer), limit, after)
			if err != nil || len(page.Entries) > limit {
				t.Fatalf("%+v, %v", page, err)
			}
			for _, m := range page.Entries {
				got = append(got, m.ID)
			}
			if after = page.Next; after == "" {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("limit %d: %v, want %v", limit, got, want)
		}
	}
}

func TestR075WhoReadsWhatIsHeld(t *testing.T) {
	w := newWorld(t)
	held := w.add(hostile)
	for _, c := range []struct {
		caller Caller
		sees   bool
	}{{agent, true}, {reviewer, true}, {other, false}, {person, false}} {
		m, err := w.Get(context.Background(), w.as(c.caller), held, Subject{})
		if (err == nil) != c.sees || c.sees && m.Status != Quarantined {
			t.Errorf("%s: %+v, %v", c.caller.Actor.KeyID, m, err)
		}
		page, err := w.List(context.Background(), w.as(c.caller), Filter{}, 10, "")
		if err != nil || (len(page.Entries) == 1) != c.sees {
			t.Errorf("list of %s: %+v, %v", c.caller.Actor.KeyID, page, err)
		}
	}
}
