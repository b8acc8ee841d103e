package analysis

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Question is what a query asks, as far as ranking uses it.
type Question struct {
	Terms       []string   // distinct content tokens, in order
	Words       []string   // folded words, in order
	Names       []string   // folded words written with a capital inside a sentence
	Compounds   []Compound // names of two words
	Quoted      []string   // what stands in double quotes
	Qualifiers  []string   // content tokens behind a preposition: for breakfast, in staging
	Owned       []string   // content tokens of what is somebody's: Maria's brother
	Months      []Month    // months that are named
	Years       []int      // years that are named, 1900 to 2099
	AsksTime    bool       // asks when, how long, what date
	FirstPerson bool       // speaks of the asker
	Summary     bool       // asks for an overview
	Several     bool       // asks which of several: which rooms, what languages
	Present     bool       // asks how things are, not how they were or when something was
}

// Month is a named month; Year is 0 where none stands beside it.
type Month struct {
	Month time.Month
	Year  int
}

// Query analyses the text of a query. Its terms are tokens of the index; of a
// script without spaces only the pairs, since single characters find too much.
func Query(text string) Question {
	words := Words(text)
	return Question{
		Terms:       Terms(text),
		Words:       words,
		Names:       names(text),
		Compounds:   slices.DeleteFunc(Compounds(text), func(c Compound) bool { return c.isDoing(words) }),
		Quoted:      quoted(text),
		Qualifiers:  Qualified(words),
		Owned:       Owned(text, false),
		Months:      months(words),
		Years:       years(words),
		AsksTime:    asksTime(words),
		FirstPerson: slices.ContainsFunc(words, isFirstPerson),
		Summary:     slices.ContainsFunc(words, isSummary),
		Several:     asksSeveral(words),
		Present:     (slices.ContainsFunc(words, isPresent) || contracted(text) || asksBy(words)) && !slices.ContainsFunc(words, isPast),
	}
}

// Terms answers the distinct content tokens of a query.
func Terms(text string) []string {
	all := tokenize(text, false)
	seen := make(map[string]bool, min(len(all), 16))
	return slices.DeleteFunc(all, func(term string) bool {
		again := seen[term]
		seen[term] = true
		return again
	})
}

var (
	firstPerson = set("i i'm i've i'd i'll me my mine myself we we're we've we'd we'll us our ours ourselves")
	summary     = set("summary summaries summarize summarise summarizing overview recap outline")
	timeUnits   = set("time times date day days month months year years week weeks hour hours season")
	present     = set("is are am do does should can")
	past        = set("did was were had ago last used before previously formerly originally first")
	auxiliaries = set("is are was were do does did has have had will would can could should")
)

func isFirstPerson(word string) bool { return firstPerson[word] }
func isSummary(word string) bool     { return summary[word] }
func isPresent(word string) bool     { return present[word] }
func isPast(word string) bool        { return past[word] }

// contracted finds what's and its like, whose verb no word is left of.
func contracted(text string) bool {
	text = strings.ReplaceAll(strings.ToLower(text), "\u2019", "'")
	return slices.ContainsFunc([]string{"what's", "where's", "who's", "how's"}, func(w string) bool { return strings.Contains(text, w) })
}

// asksBy finds who, what or which before a verb in the present: who owns, which port
// serves. English only.
func asksBy(words []string) bool {
	for i, word := range words {
		switch word {
		case "who":
			if inPresent(at(words, i+1)) {
				return true
			}
		case "what", "which":
			if inPresent(at(words, i+1)) || inPresent(at(words, i+2)) {
				return true
			}
		}
	}
	return false
}

func inPresent(word string) bool {
	return len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us")
}

// asksSeveral finds which or what before a plural, and questions what or who are, for any,
// or what something is like. English only.
func asksSeveral(words []string) bool {
	for i, word := range words {
		if asking := word == "what" || word == "who" || word == "which"; word == "any" || asking && (at(words, i+1) == "are" ||
			at(words, i+1) == "is" && words[len(words)-1] == "like") {
			return true
		}
		if next := at(words, i+1); (word == "which" || word == "what") && len(next) > len("bus") && strings.HasSuffix(next, "s") &&
			!strings.HasSuffix(next, "ss") && !strings.HasSuffix(next, "us") && !auxiliaries[next] {
			return true
		}
	}
	return false
}

// asksTime finds "when" as a question ("when did", "since when", at the start),
// "how long", "how often", "what date", "which year", "how many days".
func asksTime(words []string) bool {
	for i, word := range words {
		next, second := at(words, i+1), at(words, i+2)
		switch word {
		case "when":
			if i == 0 || auxiliaries[next] || words[i-1] == "since" {
				return true
			}
		case "how":
			if next == "long" || next == "often" || next == "many" && timeUnits[second] {
				return true
			}
		case "what", "which":
			if timeUnits[next] {
				return true
			}
		}
	}
	return false
}

func at(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return words[i]
}

// quotes are the signs that open and close a quotation. A single straight or curly
// one is an apostrophe more often and counts as none.
const quotes = "\"\u201c\u201d\u201e\u00ab\u00bb"

// quoted answers what stands between double quotes, without the space around it;
// a quotation that is not closed is none.
func quoted(text string) []string {
	var out []string
	from := -1
	for i, r := range text {
		if !strings.ContainsRune(quotes, r) {
			continue
		}
		if from < 0 {
			from = i + utf8.RuneLen(r)
			continue
		}
		if part := strings.TrimSpace(text[from:i]); part != "" {
			out = append(out, part)
		}
		from = -1
	}
	return out
}

// names answers the folded words that begin with a capital and do not begin a
// sentence, without I, months and days of the week.
func names(text string) []string {
	var out []string
	eachName(text, func(word string) bool {
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
		return true
	})
	return out
}

// HasName tells whether a text holds a word that names would answer.
func HasName(text string) bool {
	found := false
	eachName(text, func(string) bool { found = true; return false })
	return found
}

// eachName calls yield with each name in order until it answers false.
func eachName(text string, yield func(string) bool) {
	start := true
	for field := range strings.FieldsSeq(text) {
		if word, ok := capitalised(field); ok && !start && !yield(word) {
			return
		}
		start = strings.ContainsAny(field[len(field)-1:], ".!?:")
	}
}

// capitalised answers the folded form of a word with a capital letter that may
// be a name.
func capitalised(field string) (string, bool) {
	field = strings.TrimLeftFunc(field, func(r rune) bool { return !unicode.IsLetter(r) })
	r, _ := utf8.DecodeRuneInString(field)
	if !unicode.IsUpper(r) && !unicode.IsTitle(r) {
		return "", false
	}
	words := Words(field)
	if len(words) == 0 {
		return "", false
	}
	word := words[0]
	_, month := monthNames[word]
	return word, !month && !weekdays[word] && !firstPerson[word]
}

// Meaning answers what of a query's text is embedded: all but the names, which say
// little of meaning and draw the vector to whoever is named (retrieval.md, section 1:
// vector recall .41 with them, .60 without); the whole text where
// nothing else is left.
func (q Question) Meaning(text string) string {
	if out := WithoutNames(text, q.Names); out != "" {
		return out
	}
	return text
}

// WithoutNames answers the text without the words that fold to one of names: a
// speaker's name in embedded text or in an embedded query hides what it is about
// (design: retrieval, section 1: recall .41 with names, .60 without).
func WithoutNames(text string, names []string) string {
	if len(names) == 0 {
		return text
	}
	fields := strings.Fields(text)
	kept := slices.DeleteFunc(fields, func(field string) bool {
		words := Words(field)
		return len(words) == 1 && slices.Contains(names, words[0])
	})
	return strings.Join(kept, " ")
}
