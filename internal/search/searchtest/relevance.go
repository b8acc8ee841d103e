package searchtest

import (
	"fmt"
	"slices"
	"testing"

	"holdfast/internal/search"
)

var relevanceCases = []testCase{{"RelevanceOfAConversation", relevance}}

// conversation is a small dated talk in which questions find their answers.
var conversation = []search.Document{
	said("01", "march", "Ines", "Guess what, I finally signed up for the pottery course in Brill!"),
	said("02", "march", "Tomas", "Lovely! How often does it meet?"),
	said("03", "march", "Ines", "Every second Thursday evening, six times in all."),
	said("04", "march", "Tomas", "My brother Falk did one last year and still eats from his own bowls."),
	said("05", "march", "Ines", "Did he? I only want to make one teapot for my aunt."),
	said("06", "april", "Tomas", "The car failed its inspection, the brakes are worn out."),
	said("07", "april", "Ines", "Oh no. What will the repair cost?"),
	said("08", "april", "Tomas", "About four hundred, the garage in Holm told me."),
	said("09", "april", "Ines", "You could cycle until payday, I have a spare bicycle in the cellar."),
	said("10", "april", "Tomas", "Thanks, I will fetch it tomorrow after work."),
	said("11", "may", "Ines", "My teapot cracked in the kiln, I could have cried."),
	said("12", "may", "Tomas", "What a pity. Will you try again?"),
	said("13", "may", "Ines", "Yes, with thicker walls. My aunt's birthday is on the ninth of June."),
	said("14", "may", "Tomas", "By the way, Falk moves to Lisbon for a job with a shipping firm."),
	said("15", "may", "Ines", "Will his daughter change schools?"),
	said("16", "may", "Tomas", "She stays with her mother until the summer holidays."),
}

// questions name the documents of which one must be among the first three.
var questions = []struct {
	text string
	want []string
}{
	{"What course did Ines sign up for?", []string{"01"}},
	{"How often does the pottery course meet?", []string{"02", "03"}},
	{"What did the garage say the repair costs?", []string{"08"}},
	{"Where does Ines keep her spare bicycle?", []string{"09"}},
	{"What happened to the teapot?", []string{"11"}},
	{"When is the aunt's birthday?", []string{"13"}},
	{"Where is Falk moving?", []string{"14"}},
	{"Who makes bowls?", []string{"04"}},
	{"Why did the car fail its inspection?", []string{"06"}},
	{"Will Falk's daughter go to another school?", []string{"15", "16"}},
}

func relevance(t *testing.T, x search.Index) {
	put(t, x, conversation...)
	for _, q := range questions {
		t.Run(fmt.Sprint(q.want), func(t *testing.T) {
			hits := ask(t, x, search.Query{Text: q.text, Lexical: 3}).Hits
			if !slices.ContainsFunc(idsOf(hits), func(id string) bool { return slices.Contains(q.want, id) }) {
				t.Errorf("%q found %q, want one of %q", q.text, idsOf(hits), q.want)
			}
		})
	}
}
