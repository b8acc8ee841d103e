package analysis

import (
	"slices"
	"testing"
)

func TestChangeIsSaid(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "The port is 25.": false, "The port is now 25.": true, "We moved to Faro.": true, "I know her.": false,
		"Ana no longer sings.": true, "No, longer!": true, "These days she sings.": true, "These are days.": false,
		"As of May it is 25.": true, "Bram took over Sundial.": true, "The new port is 25.": true, "A new port is 25.": false,
		"New address: 3 Quay.": true, "Ana's new port": true, "Ana’s new port": true, "From this week on it rains.": true,
		"From the quay it rains.": false, "I bought new shoes.": false,
		"It has not changed.": false, "It hasn't been moved.": false, "It is not 25 anymore.": true, "The limit was raised to 5.": true,
		"They raised the limit to 5.": true, "Ben raised his hand to ask.": false, "The fee went up.": true, "It was reassigned from Ana.": true,
		"The New York office is big.": false, "New York is big.": false, "The New port is 25.": true, "Our New API is here.": true,
	} {
		if got := ReadChange(text, Words(text)).Said; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestChangeLeaves(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                   nil,
		"It came from Porto.":                nil,
		"It moved from port 25 to port 26.":  {"port", "25"},
		"Bram took over Sundial from Dalia.": {"dalia"},
		"Elmwood left the Basic plan.":       {"basic", "plan"},
		"It is 30 days instead of 45 days.":  {"45", "day"},
		"It is not cold.":                    nil,
		"It is warm, not cold.":              {"cold"},
		"Ravi replaced Inge.":                {"ing"},
		"My left knee hurts.":                nil,
		"It is warm now, not cold.":          {"cold"},
	} {
		if got := ReadChange(text, Words(text)).Leaves; !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestDefinitionsOfTheSame(t *testing.T) {
	older := "The port of the relay is 25."
	for text, want := range map[string]bool{
		older: false, "": false, "The relay's port is 26.": true, "The relay's port changed from 25 to 26.": true,
		"As of 4 May 2031 the port of the relay is 26.": true, "The port of the relay is open.": false, "The relay is 26.": false,
		"The port of the proxy is 26.": false, "The spare port of the old grey relay on the far wall is 26.": false,
		"The port of the relay was changed to 26.": true,
	} {
		if got := Defined(text).Same(Defined(older)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if Defined("Ana is tall.").Same(Defined("Ana is kind.")) {
		t.Error("a thing without anything of it that is meant")
	}
}

func TestDefinitionsThatSayOtherwise(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		want         bool
	}{
		{"The key is under the pot.", "The key is rusty.", true},
		{"The key is rusty.", "The key is under the pot.", true},
		{"The key is under the pot.", "The key is behind the door.", false},
		{"The meeting is on Monday.", "The meeting is Tuesday.", false},
		{"The meeting is at 10.", "The meeting is 11.", false},
		{"The light is on", "The light is off", false},
		{"The port is 25 in Bonn.", "The port is 26 in Oslo.", true},
		{"The port is 25.", "The port is 26 in Oslo.", false},
		{"The wait is 7 days for orders.", "The wait is 3 days for refunds.", true},
		{"The relay's port is 25.", "The relay's spare port is 26.", true},
		{"Ana's book is Emma.", "Ana's book shop is Foyles.", true},
		{"The port of the relay is 25.", "The port of the relay in Bonn is 26.", false},
		{"The port of the relay is 25.", "Moreover the port of the relay is 26.", false},
		{"It rains.", "The port is 25.", false},
	} {
		if got := Defined(c.newer).Otherwise(Defined(c.older)); got != c.want {
			t.Errorf("%q, %q: %v", c.older, c.newer, got)
		}
	}
	if Defined("A port of the relay is 26.").Same(Defined("A port of the relay is 25.")) {
		t.Error("one of several")
	}
}

func TestRespect(t *testing.T) {
	for text, want := range map[string]string{
		"Ana pays by card": "by", "Ana pays in the cards": "at", "Ana works for our card": "at", "as a card": "as", "card": "", "Ana has a card": "", "none": "",
	} {
		if got := Respect(Words(text), "card"); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestHappened(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "Ana had lunch.": true, "Ana visited Porto.": true, "The mill is owned by Ana.": false, "It needs speed.": false,
		"The mill was built by Ana.": true, "The red shed is new.": false, "The closed mill is old.": false, "The mill has left.": false,
	} {
		if got := Happened(Words(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestAdds(t *testing.T) {
	for text, want := range map[string]bool{"": false, "It also sings.": true, "It sings as well.": true, "It is as well as new.": false, "It is well.": false} {
		if got := Adds(Words(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestPresent(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "port": false, "What is the port?": true, "What's the port?": true, "Where’s Ana?": true, "What was the port?": false,
		"What did she do?": false, "When does it open?": true, "Is it as it was before?": false,
	} {
		if got := Query(text).Present; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestMeaning(t *testing.T) {
	for text, want := range map[string]string{"What did Nora buy?": "What did buy?", "of Nora": "of", "kiln": "kiln", "a Nora": "a"} {
		if got := Query(text).Meaning(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestAsksSeveral(t *testing.T) {
	for text, want := range map[string]bool{
		"Which rooms are free?": true, "what languages?": true, "Which room is free?": false, "What was it?": false, "Which bus goes?": false,
		"What are the risks?": true, "Who are they?": true, "Is there any news?": true, "What is it like?": true, "What does she like?": false,
		"What class is it?": false, "Which status has it?": false, "": false, "rooms": false,
	} {
		if got := Query(text).Several; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestDenies(t *testing.T) {
	for text, want := range map[string]bool{"": false, "It is here.": false, "It is not here.": true, "She can't.": true, "Nothing is here.": false} {
		if got := Denies(Words(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
