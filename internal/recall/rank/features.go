package rank

import (
	"slices"
	"strings"

	"holdfast/internal/search/analysis"
)

// Feature is a sign that a text is, or is not, what a question wants. Its factor is
// 1 + (Weight - 1) · degree, which every feature's own words say: a degree of 1 is all
// of the weight, 0 none, and below 0 the contrary.
type Feature struct {
	Name   string
	Weight float64
	// asked tells questions to which the feature has something to say.
	asked func(*ranking) bool
	// degree is how far it holds for a candidate, -1 to 1.
	degree func(*ranking, *read) float64
}

// read is a candidate with the words of its text, which several features look at.
type read struct {
	*Candidate
	folded []string // nil: not looked at yet
}

func (c *read) words() []string {
	if c.folded == nil {
		c.folded = analysis.Words(c.Text)
	}
	return c.folded
}

// Features are all of them. The losses are those of leaving one out in hybrid mode, in
// recall and NDCG at 10 on 494 questions to conversations of two people, after "facts" on
// 407 questions to short facts noted from them, and after "assistant" and "generated" on
// sets of scripts/bench/made (scripts/bench, part features); one that is not named is
// none. Recipe R is the design's (retrieval, section 2).
var Features = []Feature{
	// The one speaker whom the query names (recipe R, step 4): .011, .016.
	{"speaker", 1.4, (*ranking).namesSpeaker, (*ranking).isNamed},
	// The user's own words where the query says I, but for overviews (recipe R, step 5):
	// assistant .087, .061.
	{"firstPerson", 2, (*ranking).saysI, (*ranking).isUser},
	// An expression of time where the query asks when (recipe R, step 6): .007, .007;
	// facts .004, .003.
	{"time", 1.3, (*ranking).asksWhen, (*ranking).tellsTime},
	// Of a month or stretch of time that the query names (recipe R, step 7): .008, .014;
	// facts .005, .014.
	{"dated", 2, (*ranking).namesTime, (*ranking).isDated},
	// A question is no answer, and shares the words of a question most easily: the share
	// of the text that stands in questions. What a user asks an assistant says what he
	// wants, and a note that goes on after its question answers it: both are let off.
	// .009, .012.
	{"question", .5, always, (*ranking).asks},
	// Of whoever says it, for a question about a speaker; of whoever hears it counts
	// against (analysis.Self). .006, .007.
	{"self", 1.1, (*ranking).namesSpeaker, (*ranking).tellsOfSelf},
	// Neighbours in the query are neighbours in the text: one of them half, two or more
	// all of the weight. .003, 0; facts 0, .007.
	{"phrase", 1.4, (*ranking).hasPhrase, (*ranking).holdsPhrase},
	// The names that the query names, but for the speaker's: the share that the text
	// holds. 0, .003; facts 0, .002; generated facts 0, .019.
	{"names", 1.3, (*ranking).namesOthers, (*ranking).holdsNames},
	// Outside of sessions: of somebody or something else than the query names by two words,
	// where another candidate is of that. 0, 0; facts .002, .001; of generated updates the
	// newer is first in .93 of the pairs without it, in .98 with.
	{"other", .6, (*ranking).isOfNamed, (*ranking).isOfOther},
}

// Factors are what each of Features did to a score, in their order; 1: nothing.
type Factors [numFeatures]float64

const numFeatures = 9

// Product is what all of them did.
func (f *Factors) Product() float64 {
	product := 1.0
	for _, factor := range f {
		product *= factor
	}
	return product
}

// asked are the features that the question calls for, by place in Features.
func (r *ranking) asked() []int {
	r.speaker, r.spanned = r.namedSpeaker(), r.spans()
	r.names = r.othersNamed()
	var out []int
	for i := range Features {
		if f := &Features[i]; f.asked(r) && !slices.Contains(r.options.Without, f.Name) {
			out = append(out, i)
		}
	}
	return out
}

// factors weighs the features for a candidate.
func (r *ranking) factors(asked []int, c *Candidate) Factors {
	var out Factors
	text := read{Candidate: c}
	for i := range out {
		out[i] = 1
	}
	for _, i := range asked {
		out[i] = 1 + float64((Features[i].Weight-1)*Features[i].degree(r, &text))
	}
	return out
}

func always(*ranking) bool { return true }

func (r *ranking) namesSpeaker() bool { return r.speaker != "" }
func (r *ranking) saysI() bool        { return r.question.FirstPerson && !r.question.Summary }
func (r *ranking) asksWhen() bool     { return r.question.AsksTime }
func (r *ranking) namesTime() bool    { return len(r.spanned) > 0 }

// phraseTerms bounds the queries whose neighbours and names count: a longer one is a text
// and no question, and looking for its terms would take the longer for nothing.
const phraseTerms = 16

func (r *ranking) hasPhrase() bool { return len(r.question.Terms) > 1 && r.isQuestion() }

func (r *ranking) isQuestion() bool { return len(r.question.Terms) <= phraseTerms }

func (r *ranking) isNamed(c *read) float64   { return degree(c.Speaker == r.speaker) }
func (r *ranking) isUser(c *read) float64    { return degree(isUser(c.Speaker)) }
func (r *ranking) tellsTime(c *read) float64 { return degree(analysis.TellsTime(c.words())) }

func (r *ranking) isDated(c *read) float64 {
	return degree(slices.ContainsFunc(r.spanned, func(s analysis.Span) bool { return s.Holds(c.EventAt) }))
}

func (r *ranking) asks(c *read) float64 {
	if isUser(c.Speaker) || c.Session == "" && !analysis.Asks(c.Text) {
		return 0
	}
	return analysis.Asking(c.Text)
}

func (r *ranking) tellsOfSelf(c *read) float64 { return analysis.Self(c.words()) }

// mostFollows is how many pairs of neighbours count.
const mostFollows = 2

func (r *ranking) holdsPhrase(c *read) float64 {
	return float64(analysis.Phrases(r.question.Terms, c.Text, mostFollows)) / mostFollows
}

func (r *ranking) namesOthers() bool { return len(r.names) > 0 && r.isQuestion() }

// othersNamed are the names in the query but for the named speaker's.
func (r *ranking) othersNamed() []string {
	speaker := analysis.Words(r.speaker)
	return slices.DeleteFunc(slices.Clone(r.question.Names), func(name string) bool { return slices.Contains(speaker, name) })
}

func (r *ranking) holdsNames(c *read) float64 {
	return float64(common(r.names, c.words())) / float64(len(r.names))
}

// isOfNamed tells that the query names something by two words that a candidate has as well.
func (r *ranking) isOfNamed() bool {
	if !r.isQuestion() {
		return false
	}
	for _, c := range r.question.Compounds {
		if slices.ContainsFunc(r.candidates, func(o Candidate) bool { return o.isStatement() && c.In(o.Text) }) {
			r.compounds = append(r.compounds, c)
		}
	}
	return len(r.compounds) > 0
}

// mostOfOne is the most bytes of a text that is about one thing.
const mostOfOne = 400

func (c *Candidate) isStatement() bool { return c.Session == "" && len(c.Text) <= mostOfOne }

func (r *ranking) isOfOther(c *read) float64 {
	return degree(c.isStatement() && analysis.IsOfOther(r.compounds, r.question.Terms, c.Text))
}

func degree(applies bool) float64 {
	if applies {
		return 1
	}
	return 0
}

func isUser(speaker string) bool {
	return strings.EqualFold(strings.TrimSpace(speaker), "user")
}
