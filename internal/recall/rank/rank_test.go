package rank

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
)

var noon = time.Date(2031, 5, 14, 12, 0, 0, 0, time.UTC)

// statistics of a made-up index in which kiln is rarer than door.
var statistics = search.Stats{Documents: 100, AvgLength: 10, DF: map[string]int{"kiln": 3, "door": 20}}

func candidate(id string, lexical, cosine float64) Candidate {
	return Candidate{ID: id, Lexical: lexical, Cosine: cosine, HasVec: true, Trust: 1, RecordedAt: noon}
}

var hybrid = Options{LexicalShare: .6, Floor: .2, ImportanceWeight: DefaultImportanceWeight, Anchor: noon}

func order(query string, candidates []Candidate, o Options) (ids []string, scores []float64) {
	for _, r := range Order(analysis.Query(query), candidates, statistics, o) {
		ids = append(ids, candidates[r.Index].ID)
		scores = append(scores, r.Score)
	}
	return ids, scores
}

func expect(t *testing.T, query string, candidates []Candidate, o Options, want ...string) {
	t.Helper()
	if got, scores := order(query, candidates, o); !slices.Equal(got, want) {
		t.Errorf("%q: got %q %v, want %q", query, got, scores, want)
	}
}

func TestR81ScoreIsTheSharesOfBothArms(t *testing.T) {
	whole := search.IDF(100, 3) + search.IDF(100, 20)
	for _, c := range []struct {
		name      string
		candidate Candidate
		query     string
		options   Options
		want      float64
	}{
		{"both", candidate("1", whole/2, .6), "kiln door", hybrid, .6*.5 + .4*.5},
		{"cosine under the floor", candidate("1", whole/2, .1), "kiln door", hybrid, .6 * .5},
		{"no vector", Candidate{Lexical: whole / 2, Trust: 1}, "kiln door", hybrid, .5},
		{"no terms", candidate("1", 0, .6), "the of", hybrid, .5},
		{"lexical mode", candidate("1", whole/2, .6), "kiln door", Options{Mode: Lexical, LexicalShare: .6}, .5},
		{"semantic mode", candidate("1", whole/2, .6), "kiln door", Options{Mode: Semantic, LexicalShare: .6, Floor: .2}, .5},
		{"everything", candidate("1", whole, 1), "kiln door", hybrid, 1 - .5*math.Exp(-1)},
		{"more than everything", candidate("1", 30*whole, 1), "kiln door", hybrid, 1},
		{"nothing", candidate("1", 0, 0), "kiln door", hybrid, 0},
		{"half trusted", Candidate{Lexical: whole, Trust: .5}, "kiln door", hybrid, .5},
	} {
		_, scores := order(c.query, []Candidate{c.candidate}, c.options)
		if math.Abs(scores[0]-c.want) > 1e-9 {
			t.Errorf("%s: score %v, want %v", c.name, scores[0], c.want)
		}
	}
}

// A term that nobody holds counts in what could be reached.
func TestR81QueryAboutWhatIsNotThereStaysLow(t *testing.T) {
	door := search.IDF(100, 20)
	_, scores := order("zeppelin hangar altitude door", []Candidate{candidate("1", door, .2)}, hybrid)
	if scores[0] > .1 {
		t.Errorf("score %v", scores[0])
	}
}

func TestR81ScoresAreBoundedAndNeverRise(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	queries := []string{"When did Nora open the kiln door in May?", "my kiln", "the", "", "door last month"}
	for round := range 300 {
		candidates := make([]Candidate, random.IntN(40))
		for i := range candidates {
			candidates[i] = randomCandidate(random, i)
		}
		o := Options{
			Mode: Mode(round % 4), LexicalShare: random.Float64(), Floor: random.Float64(),
			ImportanceWeight: random.Float64(), RecencyWeight: random.Float64(), Anchor: noon,
		}
		ids, scores := order(queries[round%len(queries)], candidates, o)
		for i, score := range scores {
			if !(score >= 0 && score <= 1) || i > 0 && score > scores[i-1] {
				t.Fatalf("round %d: score %v after %v", round, score, scores[:i])
			}
		}
		random.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
		if again, _ := order(queries[round%len(queries)], candidates, o); !slices.Equal(ids, again) {
			t.Fatalf("round %d: the order of the candidates changes the ranking", round)
		}
	}
}

func randomCandidate(random *rand.Rand, i int) Candidate {
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	importance := random.Float64()
	return Candidate{
		ID: string(rune('A' + i)), Lexical: 12 * random.Float64() * float64(random.IntN(2)),
		Cosine: 2*random.Float64() - 1, HasVec: random.IntN(3) > 0, Text: pick("on Monday", "a kiln", ""),
		Speaker: pick("Nora", "Emil", "user", "assistant", ""), Session: pick("", "a", "b", "c", "d", "e", "f", "g", "h", "i"),
		EventAt: noon.AddDate(0, -random.IntN(3), 0), RecordedAt: noon.AddDate(0, 0, -random.IntN(3)),
		Trust: float64(random.IntN(3)) / 2, Importance: &importance,
	}
}

func TestR40TrustOrdersEqualStatements(t *testing.T) {
	web, person := candidate("2", 3, .5), candidate("1", 3, .5)
	web.Trust = .5
	for _, mode := range []Mode{Hybrid, Semantic, Lexical, Deterministic} {
		o := hybrid
		o.Mode = mode
		expect(t, "kiln", []Candidate{web, person}, o, "1", "2")
	}
}

func TestR87DeterministicIsLexicalTimesTrustThenNewestThenID(t *testing.T) {
	older, newer, twin := candidate("9", 2, 0), candidate("1", 2, 0), candidate("2", 2, 0)
	older.RecordedAt = noon.Add(-time.Hour)
	trusted := candidate("0", 2.1, 0)
	doubted := candidate("3", 4, .99)
	doubted.Trust, doubted.Speaker, doubted.Text = .5, "user", "my kiln on Monday"
	expect(t, "When was my kiln fired?", []Candidate{older, newer, twin, doubted, trusted},
		Options{Mode: Deterministic}, "0", "3", "2", "1", "9")
}

func TestEqualScoresAreOrderedByNewestThenID(t *testing.T) {
	a, b, c := candidate("1", 2, .5), candidate("2", 2, .5), candidate("3", 2, .5)
	a.RecordedAt = noon.Add(time.Minute)
	expect(t, "kiln", []Candidate{b, a, c}, hybrid, "1", "3", "2")
}

// What an engine of 32 bits rounds decides nothing (R0.87).
func TestScoresThatDifferByRoundingAreEqual(t *testing.T) {
	older, newer := candidate("1", 3.0000001, 0), candidate("2", 3, 0)
	older.HasVec, newer.HasVec = false, false
	for _, mode := range []Mode{Hybrid, Lexical, Deterministic} {
		o := hybrid
		o.Mode = mode
		expect(t, "kiln door", []Candidate{older, newer}, o, "2", "1")
	}
}

func TestNamedSpeakerComesFirst(t *testing.T) {
	said := func(id, speaker string) Candidate {
		c := candidate(id, 2, .4)
		c.Speaker = speaker
		return c
	}
	nora, emil := said("1", "Nora"), said("2", "Emil")
	expect(t, "What did nora say of the kiln?", []Candidate{emil, nora}, hybrid, "1", "2")
	expect(t, "What did Nora tell Emil of the kiln?", []Candidate{emil, nora}, hybrid, "2", "1")
	expect(t, "kiln", []Candidate{emil, nora}, hybrid, "2", "1")
	lima, reis := said("1", "Ana Lima"), said("2", "Ana Reis")
	expect(t, "What does Ana Lima say of the kiln?", []Candidate{reis, lima}, hybrid, "1", "2")
	expect(t, "What does Ana say of the kiln?", []Candidate{reis, lima}, hybrid, "2", "1")
	will := said("1", "Will")
	expect(t, "Where will the kiln stand?", []Candidate{emil, will}, hybrid, "2", "1")
	expect(t, "Where did Will put the kiln?", []Candidate{emil, will}, hybrid, "1", "2")
}

func TestTheUsersOwnWordsComeFirstInTheFirstPerson(t *testing.T) {
	user, assistant := candidate("1", 2, .4), candidate("2", 3, .4)
	user.Speaker, assistant.Speaker = "user", "assistant"
	both := []Candidate{assistant, user}
	expect(t, "Where is my kiln?", both, hybrid, "1", "2")
	expect(t, "Where is the kiln?", both, hybrid, "2", "1")
	expect(t, "Summarize what I said of the kiln", both, hybrid, "2", "1")
}

func TestExpressionsOfTimeComeFirstWhereTheQueryAsksWhen(t *testing.T) {
	dated, undated := candidate("1", 2, .4), candidate("2", 2.2, .4)
	dated.Text, undated.Text = "The kiln came last Friday.", "The kiln came by boat."
	both := []Candidate{undated, dated}
	expect(t, "When did the kiln come?", both, hybrid, "1", "2")
	expect(t, "How did the kiln come?", both, hybrid, "2", "1")
}

func TestItemsOfANamedTimeComeFirst(t *testing.T) {
	april, may := candidate("1", 2, .4), candidate("2", 2, .4)
	april.EventAt, may.EventAt = noon.AddDate(0, -1, 0), noon
	both := []Candidate{april, may}
	expect(t, "kiln in April", both, hybrid, "1", "2")
	expect(t, "kiln in April 2030", both, hybrid, "2", "1")
	expect(t, "kiln last month", both, hybrid, "1", "2")
	withoutAnchor := hybrid
	withoutAnchor.Anchor = time.Time{}
	expect(t, "kiln last month", both, withoutAnchor, "2", "1")
}

func TestR81BiasesAreBounded(t *testing.T) {
	high, low := 1.0, 0.0
	important, trivial, usual := candidate("1", 2, .4), candidate("2", 2, .4), candidate("3", 2, .4)
	important.Importance, trivial.Importance = &high, &low
	expect(t, "kiln", []Candidate{trivial, usual, important}, hybrid, "1", "3", "2")
	o := hybrid
	o.ImportanceWeight = 1
	ranked := Order(analysis.Query("kiln"), []Candidate{important, usual, trivial}, statistics, o)
	if p := ranked[0].Parts.Importance; p != 2 {
		t.Errorf("greatest factor %v", p)
	}
	if p := ranked[2].Parts.Importance; p != .5 {
		t.Errorf("least factor %v", p)
	}
}

func TestRecencyCountsOnlyWhenItIsAskedFor(t *testing.T) {
	old, fresh := candidate("2", 2, .4), candidate("1", 1.9, .4)
	old.RecordedAt = noon.AddDate(0, 0, -30)
	o := hybrid
	expect(t, "kiln", []Candidate{old, fresh}, o, "2", "1")
	o.RecencyWeight = 1
	expect(t, "kiln", []Candidate{old, fresh}, o, "1", "2")
	for _, r := range Order(analysis.Query("kiln"), []Candidate{old, fresh}, statistics, o) {
		if want := map[int]float64{0: 1, 1: 2}[r.Index]; math.Abs(r.Parts.Recency-want) > 1e-9 {
			t.Errorf("candidate %d: factor %v, want %v", r.Index, r.Parts.Recency, want)
		}
	}
}

func TestASessionThatAnswersWellLiftsItsItems(t *testing.T) {
	var candidates []Candidate
	for i := range 9 {
		c := candidate(string(rune('a'+i)), 2, .4)
		c.Session = string(rune('A' + i))
		candidates = append(candidates, c)
	}
	beside := candidate("0", 2, .4)
	beside.Session = "A"
	candidates = append(candidates, beside)
	ids, _ := order("kiln", candidates, hybrid)
	if !slices.Equal(ids[:2], []string{"a", "0"}) {
		t.Errorf("got %q", ids)
	}
	if ids, _ := order("kiln", candidates[3:], hybrid); ids[len(ids)-1] != "0" {
		t.Errorf("few sessions: got %q", ids)
	}
}

func TestShortlistKeepsTheBestOfBothArms(t *testing.T) {
	candidates := []Candidate{
		candidate("1", 0, .9), candidate("2", 6, .1), candidate("3", 1, .3), candidate("4", 1, .3), {ID: "5", Lexical: 2},
	}
	for _, c := range []struct {
		mode Mode
		want []int
	}{{Hybrid, []int{1, 4, 0}}, {Lexical, []int{1, 4, 3}}, {Semantic, []int{0, 3, 2}}} {
		o := hybrid
		o.Mode = c.mode
		if got := Shortlist(analysis.Query("kiln door"), candidates, statistics, o, 3); !slices.Equal(got, c.want) {
			t.Errorf("mode %d: got %v, want %v", c.mode, got, c.want)
		}
	}
	for most, want := range map[int]int{-1: 0, 0: 0, 9: 5} {
		if got := Shortlist(analysis.Query("kiln"), candidates, statistics, hybrid, most); len(got) != want {
			t.Errorf("at most %d: got %v", most, got)
		}
	}
}

func TestNoCandidates(t *testing.T) {
	if got := Order(analysis.Query("kiln"), nil, search.Stats{}, hybrid); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func BenchmarkOrder(b *testing.B) {
	random := rand.New(rand.NewPCG(5, 6))
	candidates := make([]Candidate, 200)
	for i := range candidates {
		candidates[i] = randomCandidate(random, i)
		candidates[i].Text = "We moved the printer to the second floor because the technician could not carry his tools up the narrow stairs anymore."
	}
	q := analysis.Query("When did Nora open the kiln door in May?")
	b.ReportAllocs()
	for b.Loop() {
		Order(q, candidates, statistics, hybrid)
	}
}

// What is noted outside of sessions is looked at more closely: newer above older.
func BenchmarkOrderOfStatements(b *testing.B) {
	candidates := make([]Candidate, 80)
	for i := range candidates {
		c := candidate(string(rune('A'+i)), float64(1+i%7), .3)
		c.Text = "The printer of floor " + string(rune('A'+i)) + " is in the room behind the narrow stairs, where the technician has put his tools."
		candidates[i] = c
	}
	for name, query := range map[string]string{"plain": "Where is the printer of the second floor now?", "compound": "Who is behind the narrow stairs?"} {
		b.Run(name, func(b *testing.B) {
			q := analysis.Query(query)
			b.ReportAllocs()
			for b.Loop() {
				Order(q, candidates, statistics, hybrid)
			}
		})
	}
}
