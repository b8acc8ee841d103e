package rank

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/search/analysis"
)

// The newer statement says it in other words, with another value of the kind that the older
// one has, tells what is over, or what happened that changes it.
func TestANewerStatementInOtherWordsStandsFirst(t *testing.T) {
	for _, c := range []struct{ query, older, newer string }{
		{"What is the default timeout?", "The default timeout is 30 seconds.", "We set the default timeout to 60 seconds."},
		{"How many pallets does the warehouse hold?", "The warehouse holds 4000 pallets.", "The warehouse was extended and holds 6500 pallets."},
		{"When is my flight to Oslo?", "My flight to Oslo is on 3 July.", "My flight to Oslo was rebooked to 5 July."},
		{"Until when is Nadia on leave?", "Nadia is on leave until June.", "Nadia extended her leave until September."},
		{"Who is our landlord?", "Our landlord is Mr Jansen.", "The house was sold; our landlord is Ms de Wit."},
		{"What car do I drive?", "I drive a Volkswagen Golf.", "I sold the Golf and bought a Tesla."},
		{"What instrument does Jonas play?", "Jonas plays the piano.", "Jonas gave up the piano and took up the drums."},
		{"Who is my doctor?", "My doctor is Dr. Weber.", "I switched to Dr. Hoffmann because Dr. Weber retired."},
		{"Who is Leo's manager?", "Leo's manager is Hannah Brandt.", "After the reorganisation Leo reports to Tunde Okafor."},
		{"Which class is Louis in?", "Louis is in class 4B.", "Louis was promoted and sits in class 5A."},
		{"Is Amara single?", "Amara is single.", "Amara is in a relationship with Jonas now."},
		{"What colour are the kitchen walls?", "The kitchen walls are pale yellow.", "Since the renovation the kitchen walls are sage green."},
		{"What is my favourite band?", "My favourite band is Radiohead.", "Lately my favourite band is Khruangbin."},
	} {
		all := noted(c.query, c.older, c.newer)
		if ids, scores := order(c.query, all, hybrid); ids[0] != "b" {
			t.Errorf("%q: %q stands above %q: %v", c.query, c.older, c.newer, scores)
		}
		all[0].RecordedAt, all[1].RecordedAt = all[1].RecordedAt, all[0].RecordedAt
		o := hybrid
		o.Without = []string{NewerAbove}
		want, _ := order(c.query, all, o)
		if ids, _ := order(c.query, all, hybrid); want[0] == "a" && ids[0] != "a" {
			t.Errorf("%q: what was written before %q stands above it", c.query, c.older)
		}
	}
}

// Both hold, and the query asks for the older one.
func TestWhatIsOfSomethingElseKeepsItsPlace(t *testing.T) {
	for _, c := range []struct{ query, older, newer string }{
		{"How much do adult tickets cost?", "Adult tickets cost 12 euros.", "Child tickets cost 8 euros."},
		{"How many people does room 12 seat?", "Room 12 seats 8 people.", "Room 14 seats 20 people."},
		{"Where does Otto work in the mornings?", "Otto works at the bakery in the mornings.", "Otto works at the cinema in the evenings."},
		{"How long is the parents' evening?", "The parents' evening lasts 36 minutes.", "The parents' evening is at 9:45."},
		{"Who is Ana's landlord?", "Ana's landlord is Mr Sato.", "Ana moved her desk to the window."},
		{"What car do I drive?", "I drive a Volkswagen Golf.", "Peter sold the Golf and bought a Tesla."},
		{"What sport do I play?", "I play golf on Sundays.", "I sold the Golf and bought a Tesla."},
		{"When does the bakery open?", "The bakery opens at 9:30.", "The pharmacy changed its opening hour to 7:00."},
		{"How much do I weigh?", "I weigh 82 kilos.", "The parcel for Greta weighs 7 kilos."},
		{"What does Ana like?", "Ana likes the sea.", "Ana walked home late."},
		{"Where did Jan work?", "Jan worked at the mill.", "Jan joined the bakery."},
		{"What is the owner of the relay?", "The relay's owner is Dalia.", "The relay's sprint length is now 5 days."},
	} {
		all := noted(c.query, c.older, c.newer)
		o := hybrid
		o.Without = []string{NewerAbove}
		want, scores := order(c.query, all, o)
		if got, now := order(c.query, all, hybrid); !slices.Equal(got, want) || !slices.Equal(now, scores) {
			t.Errorf("%q: %q %v, want %q %v", c.query, got, now, want, scores)
		}
	}
}

// An event that is told further behind says less of what is asked than of somebody.
func TestAnEventFarBehindStaysThere(t *testing.T) {
	query := "Who is Leo's manager?"
	all := noted(query, "Leo's manager is Hannah.", "The manager of the shop is Ana.", "The manager of the mill is Bea.", "The manager of the pub is Eva.", "Leo joined Tunde at the pool.")
	all[4].Lexical /= 4
	ids, _ := order(query, all, hybrid)
	if slices.Index(ids, "e") < slices.Index(ids, "a") {
		t.Errorf("%q", ids)
	}
}

// Texts that say next to nothing at great length take no more time than others.
func TestLongTextsOfNothingAreNoStatements(t *testing.T) {
	query := "What is the kiln?"
	text := "The kiln is a " + strings.Repeat("and so it was; and ", 800)
	var texts []string
	for i := range contenders {
		texts = append(texts, fmt.Sprint(text, i))
	}
	all := noted(query, texts...)
	q := analysis.Query(query)
	r := &ranking{question: &q, candidates: all}
	out := make([]Ranked, len(all))
	for i := range out {
		out[i].Index = i
	}
	if got := r.statements(out); len(got) != 0 {
		t.Errorf("%d statements", len(got))
	}
}
