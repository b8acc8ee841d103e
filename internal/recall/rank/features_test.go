package rank

import (
	"math"
	"strings"
	"testing"

	"holdfast/internal/search/analysis"
)

func saying(id, speaker, text string) Candidate {
	c := candidate(id, 2, .4)
	c.Speaker, c.Text, c.Session = speaker, text, "s"
	return c
}

// factorsOf are what the features do to one candidate beside another.
func factorsOf(query string, o Options, c, beside Candidate) map[string]float64 {
	out := map[string]float64{}
	for _, r := range Order(analysis.Query(query), []Candidate{c, beside}, statistics, o) {
		if r.Index != 0 {
			continue
		}
		for i, factor := range r.Parts.Features {
			if factor != 1 {
				out[Features[i].Name] = math.Round(factor*1000) / 1000
			}
		}
	}
	return out
}

func TestFeaturesHaveTheirFactors(t *testing.T) {
	emil := saying("0", "Emil", "Yes.")
	for _, c := range []struct {
		name, query, speaker, text string
		want                       map[string]float64
	}{
		{"nothing", "kiln", "Emil", "The kiln is hot.", nil},
		{"a question whole", "kiln", "Emil", "Is the kiln hot?", map[string]float64{"question": .531}},
		{"a question in part", "kiln", "Emil", "It is hot. Is it?", map[string]float64{"question": .824}},
		{"a user's question", "kiln", "user", "Is the kiln hot?", nil},
		{"named and of himself", "What did Nora buy?", "Nora", "I bought a kiln.", map[string]float64{"speaker": 1.4, "self": 1.1}},
		{"named and of the hearer", "What did Nora buy?", "Nora", "You bought your kiln.", map[string]float64{"speaker": 1.4, "self": .9}},
		{"a phrase", "old kiln door", "Emil", "The old kiln.", map[string]float64{"phrase": 1.2}},
		{"two phrases", "old kiln door", "Emil", "The old kiln's door.", map[string]float64{"phrase": 1.4}},
		{"three phrases", "the old kiln door here", "Emil", "The old kiln door, here.", map[string]float64{"phrase": 1.4}},
		{"no phrase", "kiln door", "Emil", "The door of the kiln.", nil},
		{"half of the names", "Who knows Greta Vogel?", "Emil", "Vogel was here.", map[string]float64{"names": 1.15}},
		{"all of the names", "Who knows Greta Vogel?", "Emil", "Greta Vogel was here.", map[string]float64{"names": 1.3, "phrase": 1.2}},
		{"speakers are no other names", "Who knows Nora?", "Nora", "Nora was here.", map[string]float64{"speaker": 1.4}},
		{"time", "When did it come?", "Emil", "Last Friday.", map[string]float64{"time": 1.3}},
	} {
		got := factorsOf(c.query, hybrid, saying("1", c.speaker, c.text), emil)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		for name, want := range c.want {
			if math.Abs(got[name]-want) > 1e-3 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
	}
}

// A note that answers its own question is no question, unlike a turn that does.
func TestANoteThatAnswersItselfIsNoQuestion(t *testing.T) {
	for text, want := range map[string]float64{"Is the kiln hot?": .531, "Is the kiln hot? It is.": 0, "It is hot. Is it?": .824} {
		note := saying("1", "", text)
		note.Session = ""
		if got := factorsOf("kiln", hybrid, note, saying("0", "Emil", "Yes."))["question"]; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if got := factorsOf("kiln", hybrid, saying("1", "Emil", "Is the kiln hot? It is."), saying("0", "Nora", "Yes."))["question"]; got == 0 {
		t.Error("what is said in a session")
	}
}

func TestALongQueryIsNoPhrase(t *testing.T) {
	query := "kiln door old red iron brick glaze oven fire ash coal smoke stack vent lid clay slip"
	if got := factorsOf(query, hybrid, saying("1", "Emil", query), saying("0", "Emil", "Yes.")); len(got) > 0 {
		t.Errorf("%v", got)
	}
	named := "Kiln Door Old Red Iron Brick Glaze Oven Fire Ash Coal Smoke Stack Vent Lid Clay Slip"
	if got := factorsOf(named, hybrid, saying("1", "Emil", named), saying("0", "Emil", "Yes.")); len(got) > 0 {
		t.Errorf("names: %v", got)
	}
}

// A feature can be left out, and no other changes with it.
func TestWithoutLeavesOneFeatureOut(t *testing.T) {
	query, text := "When did Nora open the old kiln in May?", "I opened the old kiln last May. Did you?"
	c := saying("1", "Nora", text)
	c.EventAt = noon
	all := factorsOf(query, hybrid, c, saying("0", "Emil", "Yes."))
	if len(all) < 5 {
		t.Fatalf("%v", all)
	}
	for name := range all {
		o := hybrid
		o.Without = []string{name}
		left := factorsOf(query, o, c, saying("0", "Emil", "Yes."))
		if _, there := left[name]; there || len(left) != len(all)-1 {
			t.Errorf("without %s: %v of %v", name, left, all)
		}
	}
}

func TestFactorsAreAsManyAsFeatures(t *testing.T) {
	if len(Features) != numFeatures {
		t.Errorf("%d features, %d factors", len(Features), numFeatures)
	}
}

// Trust that all texts share moves none of them.
func TestR40TrustOfAllMovesNothing(t *testing.T) {
	var trusted, doubted []Candidate
	for i := range 12 {
		c := candidate(string(rune('a'+i)), float64(1+i*7%5), .2+float64(i%4)/8)
		c.Session = string(rune('A' + i%9))
		trusted = append(trusted, c)
		c.Trust = .5
		doubted = append(doubted, c)
	}
	want, scores := order("kiln door", trusted, hybrid)
	got, halved := order("kiln door", doubted, hybrid)
	for i := range want {
		if got[i] != want[i] || halved[i] >= scores[i] {
			t.Fatalf("%v %v\n%v %v", want, scores, got, halved)
		}
	}
}

// What a better text says already comes after what says something else, also where
// case and signs differ.
func TestARepeatedTextGivesWay(t *testing.T) {
	first, repeat, other := saying("3", "Nora", "The kiln is hot."), saying("2", "Emil", "the KILN is hot!"), saying("1", "Emil", "The kiln is grey.")
	other.Lexical = 1.5
	all := []Candidate{repeat, other, first}
	expect(t, "kiln", all, hybrid, "3", "1", "2")
	o := hybrid
	o.Without = []string{Repeated}
	expect(t, "kiln", all, o, "3", "2", "1")
	silent, mute := saying("5", "Nora", "..."), saying("4", "Emil", "!")
	expect(t, "kiln", []Candidate{silent, mute, other}, hybrid, "5", "4", "1")
}

// What is of another than the query names counts less: outside of sessions, in a text
// short enough to be about one thing, and where somebody is known to have the name.
func TestWhatIsOfAnotherCountsLess(t *testing.T) {
	query := "Where does Greta Vogel live?"
	known, other := saying("0", "", "Greta Vogel likes tea."), saying("1", "", "Greta Lang lives in Porto.")
	for name, c := range map[string]struct {
		change func(c, beside *Candidate)
		want   float64
	}{
		"of another":     {func(*Candidate, *Candidate) {}, .6},
		"of a stranger":  {func(c, _ *Candidate) { c.Text = "Emil Lang lives in Porto." }, .6},
		"of her":         {func(c, _ *Candidate) { c.Text = "Greta Vogel lives in Porto." }, 0},
		"of nobody":      {func(c, _ *Candidate) { c.Text = "They live in Porto." }, 0},
		"in a session":   {func(c, _ *Candidate) { c.Session = "s" }, 0},
		"in a long text": {func(c, _ *Candidate) { c.Text += strings.Repeat(" It is hot.", 40) }, 0},
		"of a landlord":  {func(c, _ *Candidate) { c.Text = "The landlord is Emil Lang." }, 0},
		"she is unknown": {func(_, beside *Candidate) { beside.Text = "They like tea." }, 0},
	} {
		a, b := other, known
		a.Session, b.Session = "", ""
		c.change(&a, &b)
		if got := factorsOf(query, hybrid, a, b)["other"]; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
