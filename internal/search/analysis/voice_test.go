package analysis

import (
	"math"
	"testing"
)

func TestAsking(t *testing.T) {
	for text, want := range map[string]float64{
		"":                     0,
		"I bought a kiln.":     0,
		"What did you buy?":    16. / 17,
		"I did. Where is it?":  12. / 19,
		"窯はどこ？ここだ。":            12. / 27,
		"Really?! Yes. No.":    6. / 17,
		"one two three ? four": 14. / 20,
	} {
		if got := Asking(text); math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestAsks(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "?": true, "Where is it?": true, "Where is it? 😊": true, "He asked \"where?\"": true,
		"Where is it? Here": false, "It is here.": false, "どこ？": true, "أين؟ ": true, "Where is it?\n\n": true,
		"what \xff": false, "what? \xff": true,
	} {
		if got := Asks(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestSelf(t *testing.T) {
	for text, want := range map[string]float64{
		"": 0, "The kiln is hot.": 0, "I fired it": 1, "We're there, my friend": 1, "Did you fire it?": -.5,
		"You fired your kiln": -1, "You and you and you": -1, "I think you fired it": .5, "I think you fired your kiln": 0,
		"You’re right": -.5,
	} {
		if got := Self(Words(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestPhrases(t *testing.T) {
	terms := Terms("happy old kiln door")
	for text, want := range map[string]int{
		"": 0, "kiln": 0, "kiln old": 0, "OLD kilns": 1, "old kiln door": 2, "the old of the kiln": 1, "old red kiln": 0,
		"old kiln old kiln old kiln": 2, "kiln kiln door": 1, "happier, older": 0, "happy, old": 1, "an olé old kiln": 1,
	} {
		if got := Phrases(terms, text, 2); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// The quick look never says no where the words say yes.
func FuzzPhrases(f *testing.F) {
	for query, text := range map[string]string{
		"happy old kiln": "the Happiest OLD kilns, 3.5 o'clock", "old café": "the OLD Café", "обжиг глины": "Обжиг Глины", "釉薬": "釉薬の窯",
		"dying 1000 trees": "1,000 trees are dying trees", "old ΣΟΦΊΑ": "old σοφίας, Σοφία", "o'brien kiln": "O’Brien’s kiln", "é e": "e é",
	} {
		f.Add(query, text)
	}
	f.Fuzz(func(t *testing.T, query, text string) {
		terms := Terms(query)
		if n := phrases(terms, text); n > 0 && !pairIn(terms, text) {
			t.Errorf("%d of %q in %q", n, terms, text)
		}
	})
}

func FuzzVoice(f *testing.F) {
	f.Add("Where? I said you’re right!")
	f.Fuzz(func(t *testing.T, text string) {
		if a := Asking(text); !(a >= 0 && a <= 1) {
			t.Errorf("asking %v", a)
		}
		if s := Self(Words(text)); !(s >= -1 && s <= 1) {
			t.Errorf("self %v", s)
		}
		Asks(text)
	})
}
