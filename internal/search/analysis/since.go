package analysis

import (
	"slices"
	"strings"
	"time"
)

// WithoutSince leaves out since when a text says that it holds ("As of 4 May 2031, the
// port is 25"): two statements that say so are the same but for what they state.
// English only.
func WithoutSince(text string) string {
	from, end := since(text)
	if end == 0 {
		return text
	}
	return strings.TrimSpace(strings.TrimSpace(text[:from]) + " " + strings.TrimSpace(text[end:]))
}

// presents say that something holds now.
var presents = [][]string{{"lately"}, {"nowadays"}, {"at", "the", "moment"}, {"at", "present"}, {"these", "days"}, {"right", "now"}, {"for", "now"}, {"by", "now"}}

// atPresent counts the words at the beginning that do so.
func atPresent(words []field) int {
	for _, p := range presents {
		if len(words) >= len(p) && slices.EqualFunc(words[:len(p)], p, field.is) {
			return len(p)
		}
	}
	return 0
}

// sinces are words before the day from which on something holds, with "as of".
var sinces = []string{"as of", "since", "from", "effective", "starting"}

// sinceSigns are words of which every such expression has one.
var sinceSigns = append(slices.Clone(sinces), "moment", "present", "these", "now", "lately", "nowadays")

// since finds the first such expression; 0, 0: there is none.
func since(text string) (from, end int) {
	if !slices.ContainsFunc(sinceSigns, func(word string) bool { return mayHold(text, word) }) {
		return 0, 0 // most texts
	}
	words := fieldsOf(text)
	for i, w := range words {
		if n := atPresent(words[i:]); n > 0 {
			return w.from, words[i+n-1].end
		}
		next := i + 1
		switch {
		case w.is("as") && next < len(words) && words[next].is("of"):
			next++
		case !slices.Contains(sinces, w.folded):
			continue
		}
		if last := max(dateFrom(words, next), nowFrom(words, next)); last >= next && !isAny(words, last+1, "to", "until") {
			if isAny(words, last+1, "on", "onwards") {
				last++
			}
			return w.from, words[last].end
		}
	}
	return 0, 0
}

// field is a word with the signs beside it, in its place.
type field struct {
	from, end int
	folded    string // without the signs
	stops     bool   // a comma or its like stands behind it
}

func (f field) is(word string) bool { return f.folded == word }

func (f field) isMonth() bool {
	_, ok := monthNames[f.folded]
	return ok
}

func (f field) isYear() bool {
	_, ok := asYear(f.folded)
	return ok
}

// isISO tells 2031-05-04.
func (f field) isISO() bool {
	return len(f.folded) == len(time.DateOnly) && isNumber(f.folded) && strings.Count(f.folded, "-") == 2
}

func fieldsOf(text string) []field {
	var out []field
	at := 0
	for f := range strings.FieldsSeq(text) {
		at += strings.Index(text[at:], f)
		core := strings.TrimRight(f, ",.;:!?")
		out = append(out, field{from: at, end: at + len(f), folded: strings.ToLower(core), stops: len(core) < len(f)})
		at += len(f)
	}
	return out
}

// isAny tells whether a word is one of some.
func isAny(words []field, at int, of ...string) bool {
	return at < len(words) && slices.Contains(of, words[at].folded)
}

// nowFrom answers the last word of now, today, this quarter or last Monday; below its first:
// there is none.
func nowFrom(words []field, at int) int {
	switch {
	case isAny(words, at, "now", "today", "tomorrow", "immediately"):
		return at
	case isAny(words, at, "this", "next", "last") && at+1 < len(words) && (stretches[words[at+1].folded] || weekdays[words[at+1].folded]):
		return at + 1
	}
	return at - 1
}

// stretches are what this, next and last stand before.
var stretches = set("day week month quarter year season term summer winter spring autumn fall morning evening")

// dateFrom answers the last word of a date with a month or a year that begins at a word;
// below it: there is none.
func dateFrom(words []field, at int) int {
	last, sure := at-1, false
	for i := at; i < len(words) && i < at+longestDate; i++ {
		w := words[i]
		switch {
		case w.isYear(), w.isMonth(), w.isISO():
			last, sure = i, true
		case isDay(w.folded):
			last = i
		case w.folded != "the" && w.folded != "of":
			i = len(words)
		}
		if w.stops && !(i+1 < len(words) && words[i+1].isYear()) {
			break
		}
	}
	if !sure {
		return at - 1
	}
	return last
}

const longestDate = 6 // the 4th of May of 2031

// isDay tells a day of a month, also with an ending.
func isDay(word string) bool {
	return word != "" && len(word) <= len("31st") && isNumber(word) && (len(word) < 3 || !isNumber(word[2:]))
}
