package memory

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// derived is a derivation of one part that rests on entries as they are now.
func (w *world) derivation(text string, on ...string) Derivation {
	d := Derivation{ID: w.IDs.New(), Type: Fact, Ceiling: 1, Rests: map[string]int64{}, Parts: []Part{{Text: text, Cites: on}}}
	for _, id := range on {
		d.Rests[id] = w.head(id).Version
		d.Sources = append(d.Sources, Source{Kind: MemorySource, ID: id})
	}
	return d
}

func (w *world) service() Target { return ServiceTarget(w.scope, w.workspace) }

func (w *world) derive(d Derivation) Derived {
	w.t.Helper()
	made, err := w.Derive(context.Background(), w.service(), d)
	if err != nil {
		w.t.Fatal(err)
	}
	return made
}

// fated notes what becomes of a derivation.
func fated(d Derivation, fate *Fate) Derivation {
	d.Then = func(_ context.Context, f Fate) ([]store.Action, error) { *fate = f; return nil, nil }
	return d
}

func TestADerivationIsStoredUnderItsId(t *testing.T) {
	w := newWorld(t)
	one, two := w.add("The kiln is fired with gas.", ofUser("ida")), w.add("Gas is cheap.", ofUser("ida"))
	d := w.derivation("The kiln burns cheap gas.", one, two)
	d.Type, d.RunID, d.Subject, d.ValidFrom = Summary, "run-1", Subject{UserID: "ida"}, ptr(start)
	var fate Fate
	made := w.derive(fated(d, &fate))
	m := w.head(d.ID)
	if made.ID != d.ID || fate != Kept || m.Content != "The kiln burns cheap gas." || m.Layer != Workspace || m.Type != Summary ||
		m.Provenance.Origin != FromService || m.Provenance.KeyID != "service" || m.Trust() != 0.8 || m.Ceiling != nil || m.Stretch != 0 {
		t.Errorf("%s, %+v", fate, m)
	}
	for _, id := range []string{one, two} {
		if !w.has(keys.Derived(w.scope, id, d.ID)) {
			t.Errorf("no edge from %s", id)
		}
	}
	w.wantOps(d.ID, ledger.Create)
	w.sound()
}

func TestA05ADerivationOfARejectedValueIsRefused(t *testing.T) {
	w := newWorld(t)
	entry := w.add("Somebody says that the mast is teak.")
	if _, err := w.update(person, w.add("The mast is teak."), "The mast is spruce."); err != nil {
		t.Fatal(err)
	}
	d := w.derivation("The mast is teak.", entry)
	var fate Fate
	made := w.derive(fated(d, &fate))
	if made.ID != "" || fate != Refused || w.has(keys.Memory(w.scope, d.ID)) || w.has(keys.Derived(w.scope, entry, d.ID)) {
		t.Errorf("%+v, %s", made, fate)
	}
}

func TestA01ADerivationJoinsWhatIsKnown(t *testing.T) {
	w := newWorld(t)
	entry, more := w.add("Entry one."), w.add("Entry two.")
	known := w.append(person, fact("The archive closes at six.", tagged(map[string]string{"place": "archive"}))).ID
	d := w.derivation("Archive closes at six!", entry) // almost the same, and trusted less
	d.Tags = map[string]string{"place": "hall"}
	var fate Fate
	if made := w.derive(fated(d, &fate)); made.ID == known {
		t.Error("joined what says another thing of the place")
	}
	d = w.derivation("archive closes at six!", entry)
	w.derive(fated(d, &fate))
	before := w.head(known)
	e := w.derivation("The archive closes at six.", entry)
	if made := w.derive(fated(e, &fate)); made.ID != known || fate != Known {
		t.Errorf("%+v, %s", made, fate)
	}
	m := w.head(known)
	if m.Content != before.Content || m.Version != 1 || m.Provenance.Origin != FromPerson || len(m.Provenance.Sources) != 0 ||
		m.MergeCount != before.MergeCount+1 || m.Tags["place"] != "archive" {
		t.Errorf("%+v", m)
	}
	own := w.derive(w.derivation("The kiln is fired with gas.", entry)).ID
	if again := w.derive(w.derivation("the KILN is fired with gas.", more)).ID; again != own {
		t.Fatal("no join")
	}
	m = w.head(own)
	want := []Part{{Text: m.Content, Cites: []string{entry}}, {Text: m.Content, Cites: []string{more}}}
	if len(m.Parts) != 2 || m.Parts[1].Text != want[1].Text || !slices.Equal(m.Cites(), []string{entry, more}) || textOf(m.Type, m.Parts) != m.Content {
		t.Errorf("%+v", m)
	}
	w.sound()
}

func TestADerivationIsScreened(t *testing.T) {
	w := newWorld(t)
	entry := w.add("Entry one.")
	var fate Fate
	d := w.derivation(hostile, entry)
	if w.derive(fated(d, &fate)); fate != Withheld || w.head(d.ID).Status != Quarantined {
		t.Errorf("%s, %+v", fate, w.head(d.ID))
	}
	for kind, want := range map[Type]Fate{Procedure: Withheld, Fact: Kept} {
		d := w.derivation("First open the valve "+string(kind)+", then light the kiln.", entry)
		d.Type, d.Ceiling = kind, 0.5
		w.derive(fated(d, &fate))
		m := w.head(d.ID)
		if fate != want || kind == Fact && m.Trust() != 0.5 || kind == Procedure && !slices.Equal(m.Quarantine.Reasons, []string{UnreviewedPromotion}) {
			t.Errorf("%s: %s, %+v", kind, fate, m)
		}
	}
	w.sound()
}

func TestR044ADerivationLeavesOutWhatChangedOrWent(t *testing.T) {
	w := newWorld(t)
	var on []string
	for _, text := range []string{"One stays.", "Two is edited.", "Three is deleted.", "Four is held."} {
		on = append(on, w.add(text))
	}
	d := Derivation{ID: w.IDs.New(), Type: Summary, Ceiling: 1, Rests: map[string]int64{}}
	for i, id := range on {
		d.Rests[id] = 1
		d.Parts = append(d.Parts, Part{Text: string(rune('A' + i)), Cites: []string{id}})
		d.Sources = append(d.Sources, Source{Kind: MemorySource, ID: id})
	}
	d.Parts = append(d.Parts, Part{Text: "E", Cites: []string{on[0], on[1]}})
	if _, err := w.update(agent, on[1], "Two is other."); err != nil {
		t.Fatal(err)
	}
	if err := w.delete(agent, on[2]); err != nil {
		t.Fatal(err)
	}
	if _, err := w.update(agent, on[3], hostile); err != nil {
		t.Fatal(err)
	}
	w.derive(d)
	if m := w.head(d.ID); m.Content != "A" || !slices.Equal(m.Cites(), on[:1]) {
		t.Errorf("%+v", m)
	}
	var fate Fate
	none := w.derivation("Nothing is left.", on[1])
	none.Rests[on[1]] = 1
	if made := w.derive(fated(none, &fate)); made.ID != "" || fate != Baseless {
		t.Errorf("%+v, %s", made, fate)
	}
}

// What a derivation rests on goes between plan and commit.
func TestR044ADerivationMeetsADeletion(t *testing.T) {
	w := newWorld(t)
	s := &meddling{Store: w.Store}
	o := worldOver(t, s)
	entry := w.add("The kiln is fired with gas.")
	d := o.derivation("The kiln burns gas.", entry)
	s.before = func() {
		if err := w.delete(agent, entry); err != nil {
			t.Error(err)
		}
	}
	var fate Fate
	if made, err := o.Derive(context.Background(), o.service(), fated(d, &fate)); err != nil || made.ID != "" || fate != Baseless {
		t.Errorf("%+v, %v, %s", made, err, fate)
	}
}

func TestThenAddsToTheCommitOrEndsTheCall(t *testing.T) {
	w := newWorld(t)
	entry := w.add("The kiln is fired with gas.")
	row := store.Key{PK: "x", SK: "y"}
	d := w.derivation("The kiln burns gas.", entry)
	d.Then = func(context.Context, Fate) ([]store.Action, error) {
		return []store.Action{store.PutItem("more", store.Item{Key: row}, store.IfAbsent())}, nil
	}
	w.derive(d)
	if !w.has(row) {
		t.Error("nothing was added")
	}
	ended := errors.New("ended")
	e := w.derivation("Gas burns.", entry)
	e.Then = func(context.Context, Fate) ([]store.Action, error) { return nil, ended }
	if _, err := w.Derive(context.Background(), w.service(), e); !errors.Is(err, ended) || w.has(keys.Memory(w.scope, e.ID)) {
		t.Error(err)
	}
}

func TestT17AFaultedDerivationHasOneEffect(t *testing.T) {
	var list []Derivation
	swept(t, func(w *world) {
		entry := w.add("The kiln is fired with gas.")
		list = []Derivation{w.derivation("The kiln burns gas.", entry), w.derivation("the KILN burns gas.", entry)}
	},
		func(w *world) error {
			todo := slices.Clone(list)
			for i := range todo {
				mark := store.Key{PK: "mark", SK: todo[i].ID}
				todo[i].Then = func(ctx context.Context, _ Fate) ([]store.Action, error) {
					if _, found, err := w.Store.Get(ctx, mark); err != nil {
						return nil, err
					} else if found {
						return nil, errStored
					}
					return []store.Action{store.PutItem("mark", store.Item{Key: mark}, store.IfAbsent())}, nil
				}
			}
			_, failures := w.DeriveMany(context.Background(), w.service(), todo)
			return stillFailing(failures)
		},
		func(w *world) {
			made, err := Load(context.Background(), w.Store, w.scope, []string{list[0].ID, list[1].ID})
			if err != nil || made[0] == nil == (made[1] == nil) || total(w) != 3 {
				w.t.Fatalf("%v, %v, %d rows", made, err, total(w))
			}
			for _, m := range made {
				if m != nil && m.MergeCount != 1 {
					w.t.Errorf("%+v", m)
				}
			}
		})
}

var errStored = errors.New("stored already")

// stillFailing is the first failure that is no mark of an earlier try.
func stillFailing(failures []error) error {
	for _, err := range failures {
		if err != nil && !errors.Is(err, errStored) {
			return errs.Unread(err)
		}
	}
	return nil
}

// R0.44, R0.67: what is derived from an erased memory.

func (w *world) rebuild(id, erased string) {
	w.t.Helper()
	w.clock.Advance(1e9)
	if _, err := w.Rebuild(context.Background(), w.scope, id, erased); err != nil {
		w.t.Fatal(err)
	}
}

func TestR067AMadeTextIsMadeAgainWithoutTheErased(t *testing.T) {
	w := newWorld(t)
	one, two := w.add("The vault's code is 4711."), w.add("The kiln is fired with gas.")
	d := w.derivation("The vault's code is 4711.", one)
	d.Type = Episode
	d.Parts = append([]Part{{Text: "Goal: look around."}}, append(d.Parts, Part{Text: "The kiln is fired with gas.", Cites: []string{two}})...)
	d.Rests[two] = 1
	d.Sources = append(d.Sources, Source{Kind: MemorySource, ID: two})
	w.derive(d)
	if err := w.delete(agent, one); err != nil {
		t.Fatal(err)
	}
	w.rebuild(d.ID, one)
	m := w.head(d.ID)
	if m.Content != "Goal: look around.\nThe kiln is fired with gas." || m.Version != 2 || m.Edition.Reason != ByRebuild ||
		!slices.Equal(m.Cites(), []string{two}) || w.has(keys.Derived(w.scope, one, d.ID)) {
		t.Errorf("%+v", m)
	}
	if w.has(keys.MemoryVersion(w.scope, d.ID, 1)) || strings.Contains(w.text(), "code is 4711") {
		t.Error("the erased text is there")
	}
	vectors, err := LoadVectors(context.Background(), w.Store, w.scope, []string{d.ID}, w.model.Profile().Name())
	if err != nil || vectors[0].Version != 2 {
		t.Errorf("%+v, %v", vectors, err)
	}
	w.wantOps(d.ID, ledger.Create, ledger.Update)
	w.rebuild(d.ID, one) // again: nothing
	w.wantOps(d.ID, ledger.Create, ledger.Update)
	w.rebuild(d.ID, two)
	w.wantOps(d.ID, ledger.Create, ledger.Update, ledger.Delete)
}

// text is all that the memories' rows hold.
func (w *world) text() string {
	var b strings.Builder
	for key, item := range w.items() {
		if strings.Contains(key.PK, keys.MemoryInfix) {
			b.Write(item.Attrs.Bytes(attrDoc))
		}
	}
	return b.String()
}

func TestR067WhatSeveralEntriesSaidStandsWithoutOneOfThem(t *testing.T) {
	w := newWorld(t)
	one, two := w.add("Entry one."), w.add("Entry two.")
	id := w.derive(w.derivation("The kiln is fired with gas.", one)).ID
	w.derive(w.derivation("the KILN is fired with gas.", two))
	w.rebuild(id, one)
	if m := w.head(id); m.Version != 1 || len(m.Parts) != 1 || !slices.Equal(m.Cites(), []string{two}) || m.IsDeleted() {
		t.Errorf("%+v", m)
	}
	w.sound()
	w.rebuild(id, two)
	if !w.head(id).IsDeleted() {
		t.Error("what rests on nothing is there")
	}
	w.sound()
}

func TestR044AFactGoesWithItsEpisodeWhenItsEntriesAreCleared(t *testing.T) {
	w := newWorld(t)
	entry, kept := w.add("The kiln is fired with gas.", inRun("run-1")), w.add("Gas is cheap.")
	episode := w.derive(w.derivation("It was about the kiln.", kept)).ID
	goes, stays := w.derivation("The kiln burns gas.", entry), w.derivation("The kiln burns cheap gas.", kept)
	for _, d := range []*Derivation{&goes, &stays} {
		d.Sources = append([]Source{{Kind: EpisodeSource, ID: episode}}, d.Sources...)
		w.derive(*d)
	}
	w.cleared("run-1")
	for _, id := range []string{goes.ID, stays.ID} {
		w.rebuild(id, episode)
	}
	if m := w.head(stays.ID); !w.head(goes.ID).IsDeleted() || m.IsDeleted() || !slices.Equal(m.Cites(), []string{kept}) {
		t.Errorf("%+v", m)
	}
	w.sound()
}

func TestR067AppendedTextLosesTheCitationOrGoes(t *testing.T) {
	w := newWorld(t)
	root := w.add("The tide table hangs in the office.")
	cite := Source{Kind: MemorySource, ID: root}
	alone := w.add("Low water at noon.", citing(cite))
	both := w.add("The skipper waits for water.", citing(cite, Source{Kind: MessageSource, ID: "m1"}))
	w.rebuild(alone, root)
	w.rebuild(both, root)
	if m := w.head(both); !w.head(alone).IsDeleted() || m.IsDeleted() || len(m.Provenance.Sources) != 1 || m.Content != "The skipper waits for water." {
		t.Errorf("%+v", m)
	}
	w.sound()
}

// A made text that somebody has written over is theirs; what it said before is not.
func TestR044AMadeTextThatWasWrittenOverLosesWhatItSaid(t *testing.T) {
	w := newWorld(t)
	one, two := w.add("The vault's code is 4711."), w.add("The vault is old.")
	id := w.derive(w.derivation("The vault's code is 4711, and it is old.", one, two)).ID
	if _, err := w.update(agent, id, "The vault is closed."); err != nil {
		t.Fatal(err)
	}
	if err := w.delete(agent, one); err != nil {
		t.Fatal(err)
	}
	w.rebuild(id, one)
	if m := w.head(id); m.Content != "The vault is closed." || m.Version != 2 || !slices.Equal(m.Cites(), []string{two}) {
		t.Errorf("%+v", m)
	}
	if strings.Contains(w.text(), "code is 4711") {
		t.Error("the erased text is there")
	}
}

func TestT17AFaultedRebuildHasOneEffect(t *testing.T) {
	var id, one string
	swept(t, func(w *world) {
		one = w.add("The vault's code is 4711.")
		two := w.add("The kiln is fired with gas.")
		d := w.derivation("The vault's code is 4711.", one)
		d.Parts, d.Rests[two] = append(d.Parts, Part{Text: "The kiln is fired with gas.", Cites: []string{two}}), 1
		d.Sources = append(d.Sources, Source{Kind: MemorySource, ID: two})
		id = w.derive(d).ID
	},
		func(w *world) error {
			_, err := w.Rebuild(context.Background(), w.scope, id, one)
			return err
		},
		func(w *world) {
			if m := w.head(id); m.Content != "The kiln is fired with gas." || m.Version != 2 || total(w) != 4 {
				w.t.Errorf("%+v, %d rows", m, total(w))
			}
		})
}
