package memory

import (
	"context"
	"slices"
	"testing"

	"holdfast/internal/store/keys"
)

func TestR040WhatDerivesFromLessTrustedIsTrustedNoMore(t *testing.T) {
	w := newWorld(t)
	tool, plain, said := w.add("The gauge reads 3.", by("tool")), w.add("The gauge is new."), w.append(person, fact("The gauge is mine.")).ID
	second := w.append(person, fact("So it reads three.", cites(tool))).ID
	for text, c := range map[string]struct {
		caller Caller
		cites  []string
		want   float64
	}{
		"One.":   {person, nil, 1},
		"Two.":   {person, []string{said}, 1},
		"Three.": {person, []string{plain, said}, 0.8},
		"Four.":  {person, []string{plain, tool}, 0.5},
		"Five.":  {agent, []string{said}, 0.8},
		"Six.":   {person, []string{second}, 0.5},
		"Seven.": {person, []string{w.IDs.New()}, 1},
	} {
		m := w.head(w.append(c.caller, fact(text, cites(c.cites...))).ID)
		if m.Trust() != c.want || m.Status != Active {
			t.Errorf("%s trust %v of %s, want %v", text, m.Trust(), m.Status, c.want)
		}
	}
	w.sound()
}

func TestR040AnInvisibleSourceBoundsNothing(t *testing.T) {
	w := newWorld(t)
	held, bound := w.add(hostile), w.append(agent, fact("Ada's gauge reads 3.", by("tool"), ofUser("ada"))).ID
	if m := w.head(w.append(other, fact("It reads three.", cites(held, bound))).ID); m.Status != Active || m.Trust() != 0.8 {
		t.Errorf("%+v", m)
	}
	if m := w.head(w.append(other, fact("Ada's reads three.", cites(bound), ofUser("ada"))).ID); m.Trust() != 0.5 {
		t.Errorf("%+v", m)
	}
}

func TestR040WhatDerivesFromHeldTextIsHeldToo(t *testing.T) {
	w := newWorld(t)
	held := w.add(hostile, by("web"))
	id := w.add("The prompt is of interest.", cites(held))
	m := w.head(id)
	if m.Status != Quarantined || !slices.Equal(m.Quarantine.Reasons, []string{TaintedSource}) || !w.has(keys.Quarantined(w.scope, id)) {
		t.Fatalf("%+v", m)
	}
	if _, err := w.review(reviewer, id, Release); err != nil {
		t.Fatal(err)
	}
	if m := w.head(id); m.Status != Active || m.Trust() != 0.5 {
		t.Errorf("released %+v", m)
	}
	both := w.head(w.add(hostile+" Again.", cites(held), ofType("policy")))
	if r := both.Quarantine.Reasons; len(r) < 3 || !slices.IsSorted(r) || !slices.Contains(r, UnreviewedPromotion) {
		t.Errorf("reasons %v", r)
	}
	w.sound()
}

func TestToolsAndTheWebAreNotPromotedUnreviewed(t *testing.T) {
	w := newWorld(t)
	tool, plain := w.add("Open the valve first.", by("tool")), w.add("The valve is old.")
	second := w.add("So the valve comes first.", cites(tool))
	for text, c := range map[string]struct {
		with []func(*Draft)
		held bool
	}{
		"A policy of a tool's.":       {[]func(*Draft){ofType("policy"), cites(tool)}, true},
		"A procedure of a tool's.":    {[]func(*Draft){ofType("procedure"), cites(plain, tool)}, true},
		"At second hand.":             {[]func(*Draft){ofType("procedure"), cites(second)}, true},
		"The web's own, which cites.": {[]func(*Draft){ofType("policy"), cites(plain), by("web")}, true},
		"The web's own.":              {[]func(*Draft){ofType("policy"), by("web")}, false},
		"An agent's.":                 {[]func(*Draft){ofType("policy"), cites(plain)}, false},
		"A fact of a tool's.":         {[]func(*Draft){cites(tool)}, false},
	} {
		m := w.head(w.add(text, c.with...))
		if held := m.Status == Quarantined && slices.Equal(m.Quarantine.Reasons, []string{UnreviewedPromotion}); held != c.held {
			t.Errorf("%s %s %+v", text, m.Status, m.Quarantine)
		}
		if !c.held {
			continue
		}
		if got, err := w.review(reviewer, m.ID, Release); err != nil || got.Status != Active || got.Trust() != 0.5 {
			t.Errorf("%s released: %+v, %v", text, got, err)
		}
	}
	shared, err := w.share(admin, Sharing{ID: w.add("Valves are checked.", ofType("policy"), by("tool")), TargetLayer: "Tenant"})
	if err != nil || shared.Status != Quarantined {
		t.Errorf("shared %+v, %v", shared, err)
	}
	w.sound()
}

func TestAnEditOfWhatDerivesFromAToolIsHeldAgain(t *testing.T) {
	w := newWorld(t)
	tool := w.add("Open the valve first.", by("tool"))
	id := w.add("The valve comes first.", ofType("procedure"), cites(tool))
	if _, err := w.review(reviewer, id, Release); err != nil {
		t.Fatal(err)
	}
	if err := w.delete(agent, tool); err != nil { // its bound stays
		t.Fatal(err)
	}
	if m, err := w.update(person, id, "The valve comes second."); err != nil || m.Status != Quarantined || !slices.Equal(m.Quarantine.Reasons, []string{UnreviewedPromotion}) {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := w.review(reviewer, id, Release); err != nil || m.Trust() != 0.5 || len(m.Held) != 2 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestAMergeRaisesNoTrustThroughATaintedTwin(t *testing.T) {
	w := newWorld(t)
	tool := w.add("The meter reads 4.", by("tool"))
	text, near := "All of the meters in the long shed are new.", "All meters in the long shed are new!"
	tainted := w.append(person, fact(text, cites(tool))).ID
	for _, again := range []string{text, "all of the METERS in the long shed are new.", near} {
		w.append(person, fact(again))
		if m := w.head(tainted); m.Trust() != 0.5 {
			t.Errorf("after %q: trust %v, %d merges", again, m.Trust(), m.MergeCount)
		}
	}
	if m := w.head(tainted); m.MergeCount != 3 || m.Version != 2 {
		t.Errorf("%+v", m)
	}
	clean := w.append(agent, fact("The berth is nine.")).ID
	if a := w.append(person, fact("The berth is nine.", cites(tool))); a.ID != clean || w.head(clean).Trust() != 0.8 {
		t.Errorf("%+v: trust %v", a, w.head(clean).Trust())
	}
}

func TestR040ATenantMemoryOfAnotherWorkspaceBoundsTrust(t *testing.T) {
	w := newWorld(t)
	there := w.sibling()
	d := fact("Radios are tested daily.", by("web"))
	d.Layer = "Tenant"
	rule := there.append(admin, d).ID
	if m := w.head(w.append(person, fact("So is ours.", cites(rule))).ID); m.Trust() != 0.5 {
		t.Errorf("trust %v", m.Trust())
	}
}

func TestAnEditTakesTheOriginOfWhoWrites(t *testing.T) {
	w := newWorld(t)
	id := w.append(person, fact("The notary is Dr Quist.")).ID
	if m, err := w.update(agent, id, "The notary is Dr Quill."); err != nil || m.Trust() != 0.8 || m.Edition.Origin != FromAgent {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := w.update(person, id, "The notary is Dr Quell."); err != nil || m.Trust() != 1 || m.Provenance.Origin != FromPerson {
		t.Errorf("%+v, %v", m, err)
	}
	list, err := w.Versions(context.Background(), w.as(agent), id, Subject{})
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	for i, want := range []Origin{FromPerson, FromAgent, FromPerson} {
		if list[i].Edition.Origin != want {
			t.Errorf("version %d of %s, want %s", list[i].Version, list[i].Edition.Origin, want)
		}
	}
	tool := w.add("The dial reads 7.", by("tool"))
	if m := w.head(tool); m.Edition.Origin != FromTool {
		t.Errorf("%+v", m.Edition)
	}
}
