package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestValuesOf(t *testing.T) {
	for text, want := range map[string]string{
		"The warehouse holds 4000 pallets.":         "[{4000 pallet}] [] []",
		"The meeting with Ana is on 3 July.":        "[] [3 juli] [ana]",
		"We have two cats on platform 4.":           "[{two cat} {4 platform}] [] []",
		"The stand-up begins at 10:20 on Mondays.":  "[] [10 20 monday] []",
		"Since the move Ms de Wit pays 1,450 euros": "[{1450 euro}] [] [wit]",
		"It may close at noon, Kai.":                "[] [noon] [kai]",
		"":                                          "[] [] []",
		"now":                                       "[] [] []",
	} {
		v := ValuesOf(text)
		if got := fmt.Sprint(v.Numbers, v.Times, v.Names); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestEnds(t *testing.T) {
	for text, want := range map[string][]string{
		"I sold the Golf and bought a Tesla.":           {"golf"},
		"Sophie dropped biology to study law.":          {"biolog"},
		"Jonas gave up the piano for the drums.":        {"piano"},
		"Anna broke up with Peter.":                     {"peter"},
		"I switched because Dr. Weber retired.":         {"dr", "weber"},
		"Rex died in May.":                              {"rex"},
		"The shop was closed by the inspector.":         {"shop"},
		"Ben sold bread at the market.":                 nil,
		"Mia did not quit swimming.":                    nil,
		"Nora likes tea.":                               nil,
		"The gas boiler was torn out and thrown away.":  nil,
		"They got rid of the old printer on Wednesday.": {"old", "printer"},
	} {
		if got := Ends(Words(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTurns(t *testing.T) {
	for text, want := range map[string]bool{
		"Louis was promoted to class 5A.": true, "Since the renovation the walls are green.": true, "After the merger Leo reports to Tunde.": true,
		"Clara swims on Thursdays rather than Mondays.": true, "Lately it is Khruangbin.": true,
		"Louis is in class 4B.": false, "The walls are green after dinner.": false, "Louis was not promoted.": false, "I would rather stay.": false, "": false,
	} {
		if got := Turns(Words(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestClauses(t *testing.T) {
	for text, want := range map[string][]string{
		"The house was sold; our landlord is Ms de Wit.": {"The house was sold", "our landlord is Ms de Wit."},
		"We adopted a kitten, so we have three cats.":    {"We adopted a kitten", "we have three cats."},
		"Since the renovation the walls are green.":      {"the walls are green."},
		"After the storm, the ferry runs from pier 4.":   {"the ferry runs from pier 4."},
		"Nora likes tea and cake.":                       {"Nora likes tea"},
		strings.Repeat("It is so; ", 7):                  nil,
		"The walls are green.":                           nil,
		"Since then.":                                    nil,
		"":                                               nil,
		"Ana left: from now on Bram is the lead. He sits in room 4.": {"from now on Bram is the lead", "He sits in room 4."},
	} {
		if got := Clauses(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzClauses(f *testing.F) {
	f.Add("After the storm, the ferry: it runs; so 4 and five")
	f.Fuzz(func(t *testing.T, text string) {
		for _, part := range Clauses(text) {
			words := Words(part)
			Ends(words)
			Turns(words)
			ValuesOf(part)
		}
	})
}
