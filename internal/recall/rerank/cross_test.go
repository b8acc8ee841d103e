package rerank

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"holdfast/internal/search/analysis"
)

// said makes texts of «Speaker: text» lines; what has no speaker has no colon.
func said(lines ...string) []Text {
	out := make([]Text, len(lines))
	for i, line := range lines {
		speaker, text, ok := strings.Cut(line, ": ")
		if !ok {
			speaker, text = "", line
		}
		out[i] = Text{Text: text, Speaker: speaker}
	}
	return out
}

// values are what one feature says of texts; nil where it does not apply.
func values(t *testing.T, name, question string, texts []Text) []float64 {
	t.Helper()
	i := slices.IndexFunc(features, func(f feature) bool { return f.name == name })
	if i < 0 {
		t.Fatalf("no feature %s", name)
	}
	a := ask(analysis.Query(question), texts)
	if !features[i].applies(a) {
		return nil
	}
	readings := a.readAll(texts)
	a.weigh(readings)
	var out []float64
	for j := range readings {
		out = append(out, features[i].of(a, &readings[j]))
	}
	return out
}

func TestR011EachFeatureTellsTextsApart(t *testing.T) {
	third := 1.0 / 3
	for _, c := range []struct {
		feature, question string
		texts             []Text
		want              []float64 // nil: does not apply
	}{
		{"coverage", "the of", said("kiln"), nil},
		{"coverage", "green kiln", said("green kiln", "kiln and green", "boat"), []float64{1, 1, 0}},
		{"coverage", "What did Nora fire?", said("Emil: Nora, well!", "Nora: I fire it.", "Emil: No."), []float64{0, 1, 0}},
		{"proximity", "kiln", said("kiln"), nil},
		{"proximity", "green kiln", said("green kiln", "kiln green", "green old broken kiln", "kiln", "boat"), []float64{1, .5, .5, 0, 0}},
		{"proximity", "old green kiln", said("green boat kiln"), []float64{third}},
		{"proximity", "green kiln", said("green boat boat boat green kiln"), []float64{1}},
		{"phrase", "kiln", said("kiln"), nil},
		{"phrase", "old green kiln", said("old green kiln", "a green kiln", "kiln green old", "green kiln, green kiln", "green boat kiln"), []float64{1, .5, 0, .5, 0}},
		{"quoted", "Who reads Blue Hours?", said("Blue Hours"), nil},
		{"quoted", `Who reads "Blue Hours"?`, said("I read blue hours now.", "hours, blue", "blue"), []float64{1, 0, 0}},
		{"quoted", "“a b” or «c d»", said("a b", "c d, a b"), []float64{.5, 1}},
		{"names", "what is lisbon", said("Lisbon"), nil},
		{"names", "Where is Nora in Lisbon?", said("Nora: In lisbon", "Emil: In Porto"), []float64{1, 0}},
		{"figures", "Who ran?", said("5"), nil},
		{"figures", "Who ran 5 miles in May 2031?", said("5 in May 2031", "in May", "march"), []float64{1, third, 0}},
		{"form", "What is it?", said("5"), nil},
		{"form", "When was it?", said("last Friday", "by boat"), []float64{1, 0}},
		{"form", "How many boats?", said("three boats", "3 boats", "one boat"), []float64{1, 1, 0}},
		{"form", "Who came?", said("It was Emil.", "Nobody came."), []float64{1, 0}},
		{"self", "What is it?", said("Nora: I"), nil},
		{"self", "Is Nora well?", said("Nora: I am.", "Emil: You are, if you rest.", "Emil: Well, well.", "Emil: I see you and yours."), []float64{1, 0, .5, .5}},
		{"self", "Where is my kiln?", said("here"), []float64{.5}},
		{"length", "kiln", said("kiln kiln kiln", strings.Repeat("kiln ", 6), strings.Repeat("kiln ", 24), strings.Repeat("kiln ", 48), ""), []float64{.5, 1, 1, .5, 0}},
	} {
		got := values(t, c.feature, c.question, c.texts)
		if !slices.EqualFunc(got, c.want, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 }) {
			t.Errorf("%s of %q: %v, want %v", c.feature, c.question, got, c.want)
		}
	}
}

func TestCoverageCountsRareTermsMore(t *testing.T) {
	got := values(t, "coverage", "green kiln", said("green", "kiln", "green", "green", "boat"))
	if got[1] <= got[0] {
		t.Errorf("the rare term %v, the frequent one %v", got[1], got[0])
	}
}

func TestTheWeightsAddUpToOne(t *testing.T) {
	sum := 0.0
	for _, f := range features {
		sum += f.weight
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("sum %v", sum)
	}
}

func TestR011AnAnswerComesBeforeWhatSharesItsWords(t *testing.T) {
	texts := said(
		"Emil: Nora, did you ever fire the green kiln in the yard?",
		"Nora: I fired the green kiln last Friday and it cracked.",
		"Emil: Your kiln looks great!",
	)
	got, err := Cross{}.Scores(t.Context(), analysis.Query("When did Nora fire the green kiln?"), texts)
	if err != nil || !(got[1] > got[0] && got[1] > got[2]) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestAQuestionThatAsksForNothingIsNeutral(t *testing.T) {
	got, err := Cross{}.Scores(t.Context(), analysis.Query("?"), said("The old green kiln stands in the wet yard."))
	if err != nil || math.Abs(got[0]-.55) > 1e-9 { // it is long enough
		t.Errorf("%v, %v", got, err)
	}
	if none, err := (Cross{}).Scores(t.Context(), analysis.Query("kiln"), nil); err != nil || len(none) != 0 {
		t.Errorf("no texts: %v, %v", none, err)
	}
}

func TestScoresEndWithTheContext(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := (Cross{}).Scores(ended, analysis.Query("kiln"), said("kiln")); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func FuzzScores(f *testing.F) {
	for _, seed := range []string{
		"When did Nora fire the kiln?", `"a b" "c`, "how many in May 2031", "", "\xff?", "我的窑在哪里？", "who? I? you", "a.b.c 1.2.3", "nora nora",
	} {
		f.Add(seed, seed, "Nora")
		f.Add(seed, "I fired 3 kilns. Did you? Nora said so in May.", seed)
	}
	f.Fuzz(func(t *testing.T, question, text, speaker string) {
		q := analysis.Query(question)
		texts := []Text{{Text: text, Speaker: speaker}, {Text: question}, {}, {Text: text}}
		got, err := Cross{}.Scores(t.Context(), q, texts)
		if err != nil || len(got) != len(texts) {
			t.Fatalf("%v, %v", got, err)
		}
		again, err := Cross{}.Scores(t.Context(), q, texts)
		if err != nil || !slices.Equal(got, again) {
			t.Fatalf("%v, then %v, %v", got, again, err)
		}
		for i, s := range got {
			if !(s >= 0 && s <= 1) {
				t.Errorf("text %d: score %v", i, s)
			}
		}
		for _, part := range q.Quoted {
			if part == "" || utf8.ValidString(question) && !strings.Contains(question, part) {
				t.Errorf("quotation %q", part)
			}
		}
	})
}

func BenchmarkCross(b *testing.B) {
	line := "We moved the printer to the second floor because the technician could not carry his tools up the narrow stairs anymore. "
	texts := make([]Text, 50)
	for i := range texts {
		texts[i] = Text{Text: strings.Repeat(line, 3)[:300], Speaker: []string{"Nora", "Emil"}[i%2]}
	}
	for name, question := range map[string]string{
		"self": "When did Nora carry the printer tools to the second floor?", "plain": "printer tools", "names": `Who moved "the printer" with Ida in May?`,
	} {
		q := analysis.Query(question)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := (Cross{}).Scores(b.Context(), q, texts); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
