package memory

import (
	"maps"
	"strconv"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"
)

func until(at string) func(*Draft)    { return func(d *Draft) { d.ValidTo = ptr(instant(at)) } }
func weighing(i float64) func(*Draft) { return func(d *Draft) { d.Importance = &i } }
func by(origin string) func(*Draft)   { return func(d *Draft) { d.Origin = &origin } }

// pointing makes a draft a pointer to a thing.
func pointing(uri string) func(*Draft) {
	return func(d *Draft) { d.Type, d.ArtifactURI = "artifact_ref", &uri }
}

func TestR073WhatIsOverIsNoMergeTarget(t *testing.T) {
	w := newWorld(t)
	const text, near = "The sluice of the old mill is shut.", "Sluice of old mill is shut"
	end := start.Add(time.Hour).Format(time.RFC3339)
	over := w.add(text, until(end))
	if again := w.add(text, until(end)); again != over {
		t.Error("a live memory took in no twin with the same end")
	}
	w.clock.Advance(2 * time.Hour)
	seen := map[string]bool{over: true}
	for _, d := range []Draft{fact(text, until(end)), fact(text), fact(near, until(end)), fact(text, until("2020-01-01T00:00:00Z"))} {
		a := w.append(agent, d)
		if d.ValidTo != nil && (a.Merged || seen[a.ID]) {
			t.Errorf("%q until %v: %+v", d.Content, d.ValidTo, a)
		}
		seen[a.ID] = true
	}
	if m := w.head(over); m.MergeCount != 1 || m.Version != 1 {
		t.Errorf("the one that is over %+v", m)
	}
	if a := w.append(agent, fact(text)); !a.Merged {
		t.Error("the live twin is not found beside those that are over")
	}
}

func TestR073AFullRowForgetsWhatIsOverFirst(t *testing.T) {
	w := newWorld(t)
	const text = "The regatta is on."
	live := w.add(text)
	for i := range 2 * mostSameKey {
		w.add(text, until(start.AddDate(-1, 0, i).Format(time.RFC3339)))
	}
	if a := w.append(agent, fact(text)); a.ID != live {
		t.Errorf("the live twin was crowded out: %+v", a)
	}
}

func TestA01AnotherEndOfValidityNeverMerges(t *testing.T) {
	w := newWorld(t)
	const text = "The summer timetable holds."
	ids := map[string]bool{}
	drafts := []Draft{fact(text), fact(text, until("2030-01-01T00:00:00Z")), fact(text, until("2030-01-02T00:00:00Z"))}
	for _, d := range drafts {
		ids[w.append(agent, d).ID] = true
	}
	if len(ids) != len(drafts) {
		t.Errorf("%d memories", len(ids))
	}
	for _, d := range drafts {
		if a := w.append(agent, d); !a.Merged || !sameTime(w.head(a.ID).Temporal.ValidTo, inUTC(d.ValidTo)) {
			t.Errorf("until %v again: %+v", d.ValidTo, a)
		}
	}
	if a := w.append(agent, fact(text, until("2030-01-01T01:00:00+01:00"))); !a.Merged {
		t.Error("the same instant in another zone did not merge")
	}
}

func TestA02ANewEndOfTheSameValueSupersedes(t *testing.T) {
	w := newWorld(t)
	const text = "The pilot is Sven."
	old := w.add(text, ofAttribute("pilot"), until("2030-01-01T00:00:00Z"))
	now := w.add(text, ofAttribute("pilot"), until("2031-01-01T00:00:00Z"))
	if m := w.head(old); m.Status != Superseded || m.Temporal.SupersededBy != now {
		t.Errorf("old %+v", m)
	}
	if m := w.head(now); m.Status != Active || m.Temporal.ValidTo.Year() != 2031 {
		t.Errorf("new %+v", m)
	}
	w.sound()
}

func TestR034PointersToTwoThingsNeverMerge(t *testing.T) {
	w := newWorld(t)
	const text = "The floor plan of the boat house."
	one, two := w.add(text, pointing("s3://plans/1")), w.add(text, pointing("s3://plans/2"))
	if one == two || w.head(one).ArtifactURI != "s3://plans/1" || w.head(two).ArtifactURI != "s3://plans/2" {
		t.Errorf("%+v", w.head(two))
	}
	for uri, id := range map[string]string{"s3://plans/1": one, "s3://plans/2": two} {
		if w.add(text, pointing(uri)) != id {
			t.Errorf("%s did not merge with its own", uri)
		}
	}
	if err := w.delete(agent, one); err != nil {
		t.Fatal(err)
	}
	w.sound()
}

func TestR034WhatIsTrustedLessNeverLowersAPersonsMemory(t *testing.T) {
	const said, near = "The locks close at all hours of the night.", "The locks close at all hours the night"
	for _, origin := range []string{"agent", "tool", "web"} {
		w := newWorld(t)
		id := w.append(person, fact(said, tagged(map[string]string{"gate": "east"}))).ID
		twin := w.append(agent, fact("the LOCKS close at all hours of the night.", by(origin), tagged(map[string]string{"day": "all", "gate": "east"})))
		if twin.ID != id || twin.ContentReplaced {
			t.Errorf("%s twin %+v", origin, twin)
		}
		beside := w.append(agent, fact(near, by(origin)))
		if beside.Merged || w.head(beside.ID).Provenance.Origin != Origin(origin) {
			t.Errorf("%s near twin %+v", origin, beside)
		}
		if other := w.append(agent, fact(said, by(origin), tagged(map[string]string{"gate": "west"}))); other.ID == id {
			t.Errorf("%s changed a tag", origin)
		}
		m := w.head(id)
		if m.Content != said || m.Version != 1 || m.Trust() != 1 || m.Provenance.KeyID != "person-key" ||
			!maps.Equal(m.Tags, map[string]string{"gate": "east", "day": "all"}) {
			t.Errorf("%s left %+v", origin, m)
		}
		w.sound()
	}
}

func TestR034WhatIsTrustedLessJoinsTheCurrentValueUnreplaced(t *testing.T) {
	w := newWorld(t)
	const said = "The fee of the harbour is nine."
	id := w.append(person, fact(said, ofAttribute("fee"))).ID
	a := w.append(agent, fact("The fee of harbour is nine", ofAttribute("fee"), by("web")))
	if m := w.head(id); a.ID != id || a.ContentReplaced || m.Content != said || m.Trust() != 1 || m.Status != Active {
		t.Errorf("%+v left %+v", a, m)
	}
}

func TestR034WhoIsTrustedMoreVouchesForTheText(t *testing.T) {
	const said, near = "All of the life belts hang on the rail.", "All life belts hang on the rail"
	for _, text := range []string{said, near} {
		w := newWorld(t)
		id := w.append(agent, fact(said, by("web"))).ID
		a := w.append(person, fact(text))
		m := w.head(id)
		if a.ID != id || a.ContentReplaced != (text == near) || m.Content != text ||
			m.Provenance.Origin != FromPerson || m.Provenance.KeyID != "person-key" || m.Trust() != 1 {
			t.Errorf("%q: %+v left %+v", text, a, m)
		}
		if m.Merges[0].Origin != FromPerson {
			t.Errorf("merges %+v", m.Merges)
		}
		if b := w.append(agent, fact("All of life belts hang on the rail.")); b.ID == id {
			t.Error("an agent replaced what a person said")
		}
	}
}

func TestR035TheHigherImportanceStays(t *testing.T) {
	w := newWorld(t)
	const text = "The fuel cock is stiff."
	id := w.add(text)
	for _, c := range []struct{ given, want float64 }{{0, 0}, {0.4, 0.4}, {0.9, 0.9}, {0.2, 0.9}} {
		before := w.head(id).UpdatedAt
		w.add(text, weighing(c.given))
		m := w.head(id)
		if *m.Importance != c.want || m.UpdatedAt.After(before) != (c.given == c.want) {
			t.Errorf("after %v: %v", c.given, *m.Importance)
		}
	}
}

func TestR058AMergePastTheMostTagsDoesNotHappen(t *testing.T) {
	w := newWorld(t)
	const text = "The chart locker is full."
	many := func(prefix string, n int) map[string]string {
		tags := map[string]string{}
		for i := range n {
			tags[prefix+strconv.Itoa(i)] = "x"
		}
		return tags
	}
	first := w.add(text, tagged(many("a", 20)))
	if w.add(text, tagged(many("b", MaxTags-20))) != first || len(w.head(first).Tags) != MaxTags {
		t.Errorf("%d tags", len(w.head(first).Tags))
	}
	second := w.add(text, tagged(many("c", 1)))
	if second == first || len(w.head(first).Tags) != MaxTags || len(w.head(second).Tags) != 1 {
		t.Error("a merge passed the limit, or dropped a tag")
	}
	if w.add(text, tagged(many("a", 5))) != second {
		t.Error("the newest that has room takes in")
	}
	if w.add(text, tagged(many("b", 12)), tagged(many("a", 20))) != second {
		t.Error("tags that fit into the newest went elsewhere")
	}
}

func TestA06AMergePastTheMostSourcesDoesNotHappen(t *testing.T) {
	w := newWorld(t)
	const text = "The radio watch is kept."
	ids := map[string]int{}
	sent := 0
	for range 6 {
		var list []Source
		for range MaxSources {
			list = append(list, Source{Kind: MessageSource, ID: "m-" + strconv.Itoa(sent)})
			sent++
		}
		ids[w.add(text, citing(list...))]++
	}
	kept := 0
	for id := range ids {
		n := len(w.head(id).Provenance.Sources)
		if kept += n; n > mostSources {
			t.Errorf("%d sources", n)
		}
	}
	if kept != sent || len(ids) != 2 {
		t.Errorf("%d of %d sources are kept, in %d memories", kept, sent, len(ids))
	}
}

// Canonically equivalent spellings are one; what was sent is kept.
func TestT8AttributesTagsAndSpeakersAreComparedComposed(t *testing.T) {
	w := newWorld(t)
	nfc := "café"
	nfd := norm.NFD.String(nfc)
	old := w.add("The café closes at six.", ofAttribute(nfc))
	now := w.add("The café closes at ten.", ofAttribute(nfd))
	if w.head(old).Status != Superseded || w.head(now).Attribute != nfd {
		t.Errorf("%+v", w.head(now))
	}
	if w.add("The café closes at ten.", ofAttribute(nfc)) != now {
		t.Error("the same value did not merge")
	}
	id := w.add("Two plums.", tagged(map[string]string{nfc: "one", "ripe": "yes"}), saidBy(nfc))
	if w.add("Two plums.", tagged(map[string]string{nfd: "two"}), saidBy(nfd)) != id {
		t.Error("a speaker is another when decomposed")
	}
	m := w.head(id)
	if !maps.Equal(m.Tags, map[string]string{nfd: "two", "ripe": "yes"}) || m.Speaker != nfc {
		t.Errorf("tags %v by %q", m.Tags, m.Speaker)
	}
	w.sound()
}

func TestR013TagsMatchHoweverTheyAreComposed(t *testing.T) {
	nfd := norm.NFD.String("é")
	m := &Memory{Tags: map[string]string{"é": nfd, "a": "b"}}
	for _, c := range []struct {
		pairs map[string]string
		want  bool
	}{
		{nil, true}, {map[string]string{"a": "b"}, true}, {map[string]string{nfd: "é", "a": "b"}, true}, {map[string]string{"é": nfd}, true},
		{map[string]string{"é": "e"}, false}, {map[string]string{"e": "é"}, false}, {map[string]string{"A": "b"}, false},
		{map[string]string{"a": "b "}, false}, {map[string]string{"a": "b", "c": ""}, false},
	} {
		if m.Tagged(c.pairs) != c.want {
			t.Errorf("%q: %v", c.pairs, !c.want)
		}
	}
	if (&Memory{}).Tagged(map[string]string{"a": ""}) {
		t.Error("a memory without tags matches")
	}
	_, err := fact("x", tagged(map[string]string{"é": "1", nfd: "2"})).Check(agent, "")
	wantField(t, err, "/tags")
}
