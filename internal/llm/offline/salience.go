package offline

import (
	"regexp"
	"strings"
	"unicode"

	"holdfast/internal/extract/prose"
	"holdfast/internal/search/analysis"
)

// The least worth of a fact, by who says it. Notes have no speaker; they were written
// to be kept.
const (
	worthNote      = 1.5
	worthChat      = 2
	worthAssistant = 3
)

// fillers begin sentences that say nothing to keep.
var fillers = newPhrases("sounds", "that's", "that is", "that sounds", "that was", "i know", "i see", "me too", "no problem",
	"no way", "talk soon", "see you", "take care", "good luck", "congrats", "congratulations", "well done", "thanks",
	"thank you", "you're welcome", "you are welcome", "you'd be", "let me know", "feel free", "i'm happy", "i'd be",
	"happy to", "i hope", "i'm sorry", "sorry", "got it", "i can't wait", "can't wait", "i'm so", "good choice", "good idea",
	"nice to", "get well", "same here", "of course", "please hold", "here is", "here are", "here you", "see attachment",
	"see below", "i'll send", "hold on", "one moment", "wait", "click here", "sign up", "read more", "subscribe", "is there",
	"looking into", "look", "it depends", "long time", "i wonder", "i'm not sure", "not sure", "no idea", "i don't know",
	"i guess", "i love it", "i like it", "i love that", "i like that", "i agree", "you're right", "fair enough",
	"i've saved", "i can help", "i can do that", "i understand", "understood", "done", "noted", "great", "nice", "cool",
	"i'd love", "i'd like", "i would like", "i would love", "i need help", "i just wanted", "i have a question",
	"my question", "i was wondering", "any news", "hope", "as an ai", "here's", "there's nothing", "keep it up", "way to go",
	"what a", "how", "i cannot", "welcome", "have a", "enjoy")

// passing words tell that something is so at the moment only.
var passing = newPhrases("right now", "at the moment", "in a minute", "in a second", "in a sec", "in a bit", "just now",
	"any minute", "now", "again", "finally", "currently", "so far", "tonight", "later", "soon", "is down", "is up",
	"is back")

// feeling words tell how something is felt, which is seldom worth keeping by itself.
var feeling = set(`amazing awesome great inspiring important crucial key fun beautiful wonderful incredible grateful
		thankful proud happy excited exciting rewarding heartwarming special positive fantastic lovely nice good cool glad
		super fabulous impressive meaningful motivated determined passionate joy joyful hopeful powerful truly so
		supportive kindness spreading dream dreams tough wild crazy happiness difference journey moments moment feels
		feeling inspire inspired inspires`)

// feelings counts them.
func (s sentence) feelings() int {
	n := 0
	for _, low := range s.low {
		if feeling[low] {
			n++
		}
	}
	return n
}

// unsure words leave nothing to keep of a sentence.
var unsure = newPhrases("not sure", "i guess", "no idea", "don't know", "do not know", "can't remember", "not decided",
	"haven't decided", "hard to say", "who knows")

var hedges = set("maybe perhaps might could probably possibly guess think suppose seems seem apparently wonder hopefully would")

// states are verbs of lasting things in the first person.
var states = formsOf(`live work own have study teach take use drive play speak run train drink eat write manage lead rent
		collect move start bought sold sign join adopt switch learn learnt plant finish built became quit graduate paid
		hire book got need volunteer grew born`)

// worth is how much a statement of fact is worth keeping.
func (s sentence) worth(e *entry) float64 {
	w := s.subjectWorth()
	names, numbers := s.names(), s.figures()
	w += min(1.5, float64(names)) + min(1.5, float64(numbers))
	w -= min(1, 0.5*float64(s.feelings()))
	switch n := len(analysis.Tokens(s.text)); {
	case n >= 6:
		w += 1
	case n >= 3:
		w += 0.5
	case n < 3 && names+numbers == 0 && e.Speaker != "" && !(n == 2 && s.subjectWorth() == 2 && !hollow[s.low[len(s.low)-1]]):
		w--
	}
	return w - s.loss(e)
}

// subjectWorth is what the subject is worth: a thing, a person, the speaker's state.
func (s sentence) subjectWorth() float64 {
	first, second := word(s.low, 0), word(s.low, 1)
	head, _, _ := strings.Cut(first, "'")
	switch {
	case pronouns[head] || head == "here" || head == "everyone" || head == "everything":
		return 0
	case strings.HasSuffix(first, "ing") && !determiners[second]:
		return 0.5
	case first == "i" || first == "we":
		for i := 1; i < len(s.low) && i < 4; i++ {
			if states[s.low[i]] {
				return 2
			}
			if !adverbs[s.low[i]] && !auxiliaries[s.low[i]] {
				return s.deed(i)
			}
		}
		return 0.5
	case strings.HasPrefix(first, "i'") || strings.HasPrefix(first, "we'"):
		return s.contractedWorth()
	case first == "you" || strings.HasPrefix(first, "you'") || second == "you":
		return 0
	}
	return 1.5
}

// deed is the worth of what the speaker does or did by the verb at word i.
func (s sentence) deed(i int) float64 {
	if low := s.low[i]; (pasts[low] || strings.HasSuffix(low, "ed")) && !mental[low] {
		return 1
	}
	return 0.5
}

// mental verbs tell what goes on in the speaker.
var mental = formsOf("thought felt knew heard meant saw guess agree want hope need wonder appreciate wish like love figure")

// traits are what people are for long; they follow "I'm".
var traits = set(`a an the from allergic vegetarian vegan married single divorced engaged retired pregnant diabetic
		self-employed freelance based born left-handed colour-blind color-blind intolerant afraid responsible`)

// contractedWorth is the worth of "I'm", "I've", "I'll" and what follows.
func (s sentence) contractedWorth() float64 {
	switch _, tail, _ := strings.Cut(s.low[0], "'"); {
	case tail == "ll", tail == "ve" && states[s.afterAdverbs(1)]:
		return 2
	case (tail == "m" || tail == "re") && traits[s.afterAdverbs(1)]:
		if n := len(analysis.Tokens(s.text)); n < 3 {
			return 3 // nothing is lost by being short
		}
		return 2
	}
	return 1
}

// afterAdverbs is the first word from i on that is no adverb.
func (s sentence) afterAdverbs(i int) string {
	for adverbs[word(s.low, i)] {
		i++
	}
	return word(s.low, i)
}

// loss is what takes worth away: guesses, advice, talk of the moment.
func (s sentence) loss(e *entry) float64 {
	w := 0.0
	for i, low := range s.low {
		switch {
		case hedges[low]:
			w += 1.5
		case (low == "you" || low == "your" || strings.HasPrefix(low, "you'")) && i < 12:
			w++
		}
	}
	if passing.in(s.low) {
		w++
		if e.Speaker == "" {
			w -= 0.5
		}
	}
	if strings.HasSuffix(s.text, "!") {
		w += 0.5
	}
	if e.assistant && s.figures() == 0 {
		w++
	}
	return w
}

// names counts words with a capital inside the sentence, rows of them once.
func (s sentence) names() int {
	n, before := 0, false
	for i, w := range s.words {
		low := s.low[i]
		name := i > 0 && prose.FirstIsUpper(w) && !self[low] && !analysis.IsCommon(low) && !weekdays[low]
		if name && !before {
			n++
		}
		before = name
	}
	return n
}

// figures counts numbers and expressions of time.
func (s sentence) figures() int {
	n := len(prose.Numbers(strings.TrimLeft(s.text, "0123456789.) ")))
	if n == 0 && analysis.HasTime(s.text) {
		n++
	}
	for _, low := range s.low {
		if weekdays[low] && strings.HasSuffix(low, "s") {
			n++
		}
	}
	return n
}

// worded tells whether a sentence of a tool or assistant has the small words that
// running text has and log lines lack.
func (s sentence) worded() bool {
	n := 0
	for _, low := range s.low {
		if english[low] {
			n++
		}
	}
	return n >= 2
}

// levels are words that log lines have.
var levels = newPhrases("WARN", "WARNING", "ERROR", "ERR!", "INFO", "DEBUG", "FATAL", "TRACE", "[ERROR]", "[INFO]", "[WARN]")

// markup are tags of hypertext, which stand in words as well as in code.
var markup = regexp.MustCompile(`</?[a-zA-Z][a-zA-Z0-9-]*/?>`)

// isCode tells whether a line is code, a log line or data rather than words.
func isCode(text string) bool {
	if days := prose.Days(text); len(days) > 0 && days[0].Start == 0 && strings.HasPrefix(text[days[0].End:], "T") {
		return true
	}
	if levels.in(strings.Fields(text)) {
		return true
	}
	letters, spaces, signs := 0, 0, 0
	for _, r := range markup.ReplaceAllString(text, "") {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r):
			letters++
		case unicode.IsSpace(r):
			spaces++
		case strings.ContainsRune("{}[]<>=|;\\_@#$^~`", r):
			signs++
		}
	}
	return signs*12 > letters || letters < 3
}
