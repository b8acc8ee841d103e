package memory

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// corrected is a world in which a person has written another text over one.
func corrected(t testing.TB, was, is string, with ...func(*Draft)) *world {
	t.Helper()
	w := newWorld(t)
	id := w.add(was, with...)
	subject := w.head(id).Subject
	if _, err := w.Update(context.Background(), w.as(person), Revision{ID: id, Content: is, Subject: subject}); err != nil {
		t.Fatal(err)
	}
	return w
}

var port = ofAttribute("port")

// What a person has corrected does not come back in other words; nothing else is kept
// out.
func TestA05ARejectedValueDoesNotComeBackInOtherWords(t *testing.T) {
	for name, c := range map[string]struct {
		was, is  string
		with     func(*Draft)
		refused  []Draft
		admitted []Draft
	}{
		"a sentence": {was: "The port is 25.", is: "The port is 26.",
			refused: []Draft{fact("Port: 25"), fact("the PORT is 25!"), fact("The port is now 25"), fact("The port of it is 25"),
				fact("The port is 25, not 26.", ofType("decision")), fact("port=25", saidBy("Odile")), fact("25", port),
				fact("The port is 25.", port), fact("Port: 25", ofType("policy")), fact("Port: 25", from("2027-01-01T00:00:00Z"))},
			admitted: []Draft{fact("The port is not 25"), fact("Port: 26"), fact("The port is 25 ms."), fact("Is the port 25?"), fact("The port was 25 until May."),
				fact("\"The port is 25\" is wrong."), fact("Ana's port is 25."), fact("The smtp port is 25."), fact("25", ofAttribute("smtp.port")),
				fact("Port: 25", ofUser("ada")), fact("Port: 25", inRun("r")), fact("Port: 25", until("2020-01-01T00:00:00Z")), fact("25")}},
		"an attribute": {was: "25", is: "26", with: port,
			refused:  []Draft{fact("25!", port), fact("The port is 25.", port), fact("Port: 25"), fact("The port is now 25.")},
			admitted: []Draft{fact("27", port), fact("25 ms", port), fact("The imap port is 25.", port), fact("Ana's port is 25."), fact("not 25", port)}},
		"any words of an attribute": {was: "oat milk", is: "soy milk", with: ofAttribute("meal"),
			refused:  []Draft{fact("The oat milk!", ofAttribute("meal")), fact("The meal is oat milk.", ofAttribute("meal"))},
			admitted: []Draft{fact("No oat milk.", ofAttribute("meal")), fact("the oat milk", ofAttribute("dessert"))}},
		"what somebody says of themselves": {was: "I live in Porto.", is: "I live in Faro.", with: saidBy("Ana"),
			refused:  []Draft{fact("I now live in Porto.", saidBy("Ana")), fact("I've moved to Porto.", saidBy("Ana"))},
			admitted: []Draft{fact("I now live in Porto.", saidBy("Bea")), fact("Ana lives in Porto.", saidBy("Ana"))}},
		"what is over": {was: "The port is 25.", is: "The port is 26.", with: until("2020-01-01T00:00:00Z"),
			refused: []Draft{fact("The port is 25.")}, admitted: []Draft{fact("Port: 25")}},
		"more words": {was: "The limit is 5.", is: "The limit is 5 attempts.",
			refused: []Draft{fact("The limit is 5!")}, admitted: []Draft{fact("Limit: 5")}},
		"a value that stays": {was: "The port is 25.", is: "The port is 25, as Ben told us.",
			refused: []Draft{fact("The port is 25.")}, admitted: []Draft{fact("Port: 25")}},
		"a denial": {was: "The port is 25.", is: "The port is not 25.", refused: []Draft{fact("Port: 25")}, admitted: []Draft{fact("Port: 26")}},
		"another subject": {was: "Ana lives in Porto.", is: "Bea lives in Porto.",
			refused: []Draft{fact("Ana has moved to Porto.")}, admitted: []Draft{fact("Bea has moved to Porto.")}},
	} {
		with := c.with
		if with == nil {
			with = func(*Draft) {}
		}
		for _, d := range c.refused {
			w := corrected(t, c.was, c.is, with)
			if _, err := w.Append(t.Context(), w.as(agent), d); errs.As(err) == nil || errs.As(err).Code != "REJECTED_VALUE" {
				t.Errorf("%s: %q: %v", name, d.Content, err)
			}
			w.sound()
		}
		for _, d := range c.admitted {
			w := corrected(t, c.was, c.is, with)
			if _, err := w.Append(t.Context(), w.as(agent), d); err != nil {
				t.Errorf("%s: %q: %v", name, d.Content, err)
			}
		}
	}
}

func TestR071NoWriteBringsARejectedValueBackInOtherWords(t *testing.T) {
	w := corrected(t, "The port is 25.", "The port is 26.")
	other := w.add("The host is Vega.")
	_, err := w.update(agent, other, "Port: 25")
	wantCode(t, err, "REJECTED_VALUE")
	results, faults := w.AppendMany(t.Context(), []Item{{Target: w.as(agent), Draft: fact("Port: 25")}, {Target: w.as(agent), Draft: fact("Port: 27")}})
	if wantCode(t, faults[0], "REJECTED_VALUE"); faults[1] != nil || results[1].ID == "" {
		t.Errorf("%+v, %v", results, faults)
	}
	there := w.sibling()
	id := there.add("Port: 25")
	back := w.as(admin)
	_, err = there.share(admin, Sharing{ID: id, Destination: &back})
	if err != nil { // admin is a reviewer
		t.Error(err)
	}
	w = corrected(t, "The port is 25.", "The port is 26.")
	there = w.sibling()
	id, back = there.add("Port: 25"), w.as(agent)
	_, err = there.share(admin, Sharing{ID: id, Destination: &back})
	wantCode(t, err, "REJECTED_VALUE")
	var fate Fate
	d := w.derivation("The port is now 25.", w.add("x"))
	if made := w.derive(fated(d, &fate)); made.ID != "" || fate != Refused {
		t.Errorf("%+v, %s", made, fate)
	}
}

func TestR085LiftingAValueLiftsWhatItTells(t *testing.T) {
	w := corrected(t, "The port is 25.", "The port is 26.")
	w.append(reviewer, fact("Port: 25"))
	w.append(agent, fact("The port is now 25."))
	w.refused(agent, fact("The port is 25.")) // these very words were rejected, and not written again
	w.append(reviewer, fact("The port is 25."))
	w.append(agent, fact("The port is 25."))
}

func TestR052ARejectedQuarantineTellsToo(t *testing.T) {
	w := newWorld(t)
	weak := func(d *Draft) { d.Origin = ptr("web") }
	held := w.append(agent, fact("The retry limit is 5.", ofType("policy"), weak, citing(Source{Kind: MemorySource, ID: w.add("x", weak)})))
	if _, err := w.review(reviewer, held.ID, Reject); err != nil {
		t.Fatal(err)
	}
	w.refused(agent, fact("From now on the retry limit is 5."))
}

// A tombstone says nothing without the workspace's key, and one of before still counts.
func TestA05ATombstoneIsAHash(t *testing.T) {
	w := corrected(t, "The port is 25.", "The host is Vega.")
	stones := 0
	for key, item := range w.items() {
		if strings.Contains(key.PK, "#TB#") {
			stones++
			if text := fmt.Sprint(item); len(item.Attrs) > 0 || strings.Contains(text, "port") || strings.Contains(text, "is/number") {
				t.Errorf("%s", text)
			}
		}
	}
	if stones != 2 {
		t.Errorf("%d tombstones", stones)
	}
	h, err := w.Hasher(t.Context(), w.scope)
	if err != nil {
		t.Fatal(err)
	}
	old := newWorld(t)
	key := keys.Rejected(old.scope, h.rejected(&Memory{Layer: Workspace}, formsOf("The mast is teak.")))
	if err := old.Store.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("", store.Item{Key: key, Attrs: store.Attrs{}}, nil)}}); err != nil {
		t.Fatal(err)
	}
	old.refused(agent, fact("the mast is TEAK"))
	old.append(reviewer, fact("The mast is teak."))
	old.append(agent, fact("The mast is teak."))
}

func TestA05DeletingWhatWasCorrectedLeavesTheTombstones(t *testing.T) {
	w := newWorld(t)
	id := w.add("The port is 25.")
	if _, err := w.update(person, id, "The port is 26."); err != nil {
		t.Fatal(err)
	}
	if err := w.delete(agent, id); err != nil {
		t.Fatal(err)
	}
	w.refused(agent, fact("Port: 25"))
	w.refused(agent, fact("The port is 25."))
}

// quoting is a derivation of several parts.
func (w *world) quoting(kind Type, texts ...string) Derivation {
	on := w.add("An entry.")
	d := w.derivation("", on)
	d.Type, d.Parts = kind, nil
	for _, text := range texts {
		d.Parts = append(d.Parts, Part{Text: text, Cites: []string{on}})
	}
	return d
}

func TestA05APartThatQuotesARejectedValueIsLeftOut(t *testing.T) {
	w := corrected(t, "The port is 25.", "The port is 26.")
	d := w.quoting(Episode, GoalLabel+"the port is 25", OutcomeLabel+"Port: 25", "The port is not 25.", "The port is 25.")
	if w.derive(d); w.head(d.ID).Content != "The port is not 25." {
		t.Errorf("%q", w.head(d.ID).Content)
	}
	var fate Fate
	none := w.quoting(Summary, "The port is now 25.", "Port: 25")
	if made := w.derive(fated(none, &fate)); made.ID != "" || fate != Refused || w.has(keys.Memory(w.scope, none.ID)) {
		t.Errorf("%+v, %s", made, fate)
	}
	w.sound()
}

func TestA05WhatQuotesARejectedValueIsNeitherSharedNorReleased(t *testing.T) {
	w := newWorld(t)
	shown, held := w.quoting(Summary, "The port is 25.", "The host is Vega."), w.quoting(Summary, "Port: 25", hostile)
	w.derive(shown)
	if w.derive(held); w.head(held.ID).Status != Quarantined {
		t.Fatal("not held")
	}
	id := w.add("The port is 25.")
	there := w.sibling()
	if _, err := w.update(person, id, "The port is 26."); err != nil {
		t.Fatal(err)
	}
	wrong := there.add("The port is 25.")
	if _, err := there.update(person, wrong, "The port is 26."); err != nil {
		t.Fatal(err)
	}
	_, err := w.share(admin, there.to(agent, shown.ID))
	wantCode(t, err, "REJECTED_VALUE")
	bot := agent
	bot.Review = true
	_, err = w.review(bot, held.ID, Release)
	wantCode(t, err, "REJECTED_VALUE")
	if _, err := w.review(reviewer, held.ID, Release); err != nil {
		t.Fatal(err)
	}
	w.append(agent, fact("The port is now 25."))
	w.sound()
}
