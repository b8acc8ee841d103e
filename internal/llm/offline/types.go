package offline

import (
	"strings"

	"holdfast/internal/extract"
	"holdfast/internal/extract/prose"
	"holdfast/internal/search/analysis"
)

// fragments begin sentences that left their subject out.
var fragments = set(`please wish glad almost another been feels felt made hoping trying seeing knowing still just looking
		even thinking got sounds looks seems having wishing sending guess gonna wanna`)

var (
	// headers say at the start of a statement, before a colon, what it is.
	headers = map[string]string{
		"decision": extract.Decision, "decisions": extract.Decision, "decided": extract.Decision, "agreed": extract.Decision,
		"agreement": extract.Decision, "resolution": extract.Decision, "resolved": extract.Decision, "conclusion": extract.Decision,
		"preference": extract.Preference, "preferences": extract.Preference, "likes": extract.Preference,
		"procedure": extract.Procedure, "procedures": extract.Procedure, "fact": extract.Fact, "facts": extract.Fact,
	}
	// resolving verbs tell that something was decided.
	resolving = set("decided agreed chose picked settled opted resolved selected voted approved concluded chosen elected")
	// choosing verbs decide in what is said of the future: "we will use".
	choosing = set(`use go switch move adopt keep choose take build drop migrate stick stay replace make do start stop run
		host deploy buy hire pick write split merge`)
	// definite verbs choose by themselves.
	definite = set("use pick choose book buy hire switch adopt rent drop order replace migrate")
	// talk is what "let's" proposes without deciding anything.
	talk = set(`talk see ask hope say wait think discuss look meet chat try not be start begin imagine catch check find
		know remember face pretend keep continue get support enjoy celebrate stay chase create hear give help show spread`)

	liking = set(`like likes love loves prefer prefers hate hates dislike dislikes enjoy enjoys adore adores detest
		detests loathe favour favours preferred liked loved hated`)
	likings = newPhrases("can't stand", "cannot stand", "don't like", "do not like", "didn't like", "did not like",
		"doesn't like", "does not like", "don't want", "do not want", "doesn't want", "always want", "always wants",
		"never want", "would rather", "am fond of", "am not a fan", "not a fan", "a big fan", "my favourite", "my favorite",
		"his favourite", "her favourite", "our favourite", "are preferred", "is preferred", "don't eat", "never eat",
		"never drink", "i'd rather", "prefer not", "don't enjoy")
	hollow = set("here there now it that this them those these you to him her")
)

// kindOf tells what a sentence states: a decision, a preference or a fact; empty
// where it states nothing.
func (s sentence) kindOf() string {
	if kind := s.header(); kind != "" {
		return kind
	}
	if s.question || fillers.at(s.low, 0) > 0 || unsure.in(s.low) {
		return ""
	}
	switch {
	case s.decides():
		return extract.Decision
	case s.prefers():
		return extract.Preference
	case s.low[0] == "let's" || fragments[s.low[0]]:
		return ""
	case s.verb() > 0 || s.label():
		return extract.Fact
	}
	return ""
}

// kindOfNote is kindOf for notes, which may leave their subject out.
func (s sentence) kindOfNote() string {
	kind := s.kindOf()
	if kind != "" || !s.isBare() || s.question || fillers.at(s.low, 0) > 0 || fragments[s.low[0]] {
		return kind
	}
	if liking[s.low[0]] {
		return extract.Preference
	}
	return extract.Fact
}

// header is the type that a sentence names before a colon.
func (s sentence) header() string {
	if len(s.low) < 2 {
		return ""
	}
	rest := s.text[len(s.words[0]):]
	if strings.HasPrefix(rest, ":") {
		return headers[s.low[0]]
	}
	return ""
}

// label tells a fact of the form "Budget for the campaign: 40,000 euros."
func (s sentence) label() bool {
	head, tail, ok := strings.Cut(s.text, ": ")
	return ok && len(prose.Words(head)) <= 6 && len(prose.Words(tail)) >= 1 && prose.FirstIsUpper(s.words[0]) && s.figures()+s.names() > 0
}

// doubted tells guesses, proposals and conditions.
func (s sentence) doubted() bool {
	first := s.low[0]
	return first == "if" || first == "unless" || first == "whether" || hedges[first] || hedges[word(s.low, 1)] ||
		prose.StanceOf(s.text).Doubted
}

// decides tells whether the sentence says what was or is decided.
func (s sentence) decides() bool {
	if s.doubted() {
		return false
	}
	for i, low := range s.low {
		if i > 6 {
			break
		}
		if resolving[low] && i > 0 && !s.deniedBefore(i) && s.actor(i) {
			return true
		}
	}
	return s.chooses() || s.fromNowOn()
}

func (s sentence) deniedBefore(i int) bool {
	for _, low := range s.low[:i] {
		if low == "not" || low == "never" || strings.HasSuffix(low, "n't") {
			return true
		}
	}
	return false
}

// actor tells whether somebody decides before word i: we, I, a name, "it was".
func (s sentence) actor(i int) bool {
	first := s.low[0]
	if first == "you" || first == "they" && s.led == "" && s.verb() == 0 {
		return false
	}
	return i < 4 || word(s.low, i-1) == "was" || word(s.low, i-1) == "been"
}

// chooses tells "we will use", "let's make", "so we use", "I'll go with".
func (s sentence) chooses() bool {
	low := s.low
	switch first, second := low[0], word(low, 1); {
	case first == "let's" || first == "let" && second == "us":
		i := 1
		if second == "us" {
			i = 2
		}
		return len(low) > i+2 && !talk[word(low, i)] && verbs[word(low, i)] && s.isDefinite(i)
	case (first == "we" || first == "i") && second == "will", first == "we'll" || first == "i'll",
		(first == "we're" || first == "i'm") && second == "going":
		return s.choosesAt(1)
	case first == "we" && second == "go" && word(low, 2) == "with":
		return true
	case first == "we" && (s.led == "so" || s.led == "then"):
		return choosing[second]
	}
	return false
}

// isDefinite tells whether a proposal at word i is about something that can be named:
// it chooses, or has a name, a number or a place.
func (s sentence) isDefinite(i int) bool {
	if definite[s.low[i]] || s.names()+s.figures() > 0 {
		return true
	}
	for j := i + 1; j+1 < len(s.low); j++ {
		if prepositions[s.low[j]] && s.low[j+1] == "the" && s.low[i] != "make" {
			return true
		}
	}
	return false
}

// choosesAt tells whether a choosing verb stands at word i or soon behind it.
func (s sentence) choosesAt(i int) bool {
	for ; i < len(s.low) && i < 5; i++ {
		low := s.low[i]
		if low == "will" || low == "going" || low == "to" || low == "not" || low == "no" || low == "longer" || adverbs[low] {
			continue
		}
		mine := strings.HasPrefix(s.low[0], "i")
		return choosing[low] && (!mine || word(s.low, i+1) == "with" || low == "use" || low == "switch")
	}
	return false
}

// fromNowOn tells rules that begin: "from now on we", "from March on we".
func (s sentence) fromNowOn() bool {
	for i, low := range s.low {
		if low == "from" && begins(word(s.low, i+1)) && word(s.low, i+2) == "on" {
			return true
		}
		if low == "no" && word(s.low, i+1) == "longer" && s.low[0] == "we" {
			return true
		}
	}
	return false
}

// begins tells words that a rule's time can begin with.
func begins(low string) bool {
	return low == "now" || low == "today" || low == "tomorrow" || low == "then" || weekdays[low] || analysis.IsCommon(low) && len(low) > 2
}

// prefers tells what somebody likes, dislikes or always wants.
func (s sentence) prefers() bool {
	low := s.low
	if likings.in(low) {
		return low[0] != "you" && !hollow[low[len(low)-1]]
	}
	if low[0] == "please" && (word(low, 1) == "always" || word(low, 1) == "never") {
		return true
	}
	if (low[0] == "i" || low[0] == "we") && (word(low, 1) == "always" || word(low, 1) == "never") && len(low) > 3 {
		return !pasts[word(low, 2)] && !strings.HasSuffix(word(low, 2), "ed")
	}
	for i := 1; i < len(low) && i < 5; i++ {
		if liking[low[i]] && i+1 < len(low) && !determiners[low[i-1]] && !auxiliaryLike(low, i) {
			return low[0] != "you" && !hollow[low[i+1]] && low[0] != "i'd"
		}
	}
	return false
}

// auxiliaryLike tells "is like", "was like", "would like", "something like".
func auxiliaryLike(low []string, i int) bool {
	if low[i] != "like" {
		return low[i] == "liked" && auxiliaries[low[i-1]]
	}
	before := low[i-1]
	switch before {
	case "do", "don't":
		return false
	case "something", "look", "looks":
		return true
	}
	return auxiliaries[before] || contracted(before)
}
