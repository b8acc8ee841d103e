package extract

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"holdfast/internal/extract/prose"
)

const (
	minWord  = 3  // fewest letters and digits of a text worth keeping
	maxCited = 12 // what rests on more entries rests on none in particular
	maxSpans = 64 // of one statement or sentence
)

// keeper gathers what holds of the answers to one call.
type keeper struct {
	clean      func(text string) bool
	statements []Statement
	stated     map[string]int // by key: the statement's place
	sentences  []Sentence
	counts     Counts
	tokens     int
}

func newKeeper(clean func(text string) bool) *keeper {
	return &keeper{clean: clean, stated: map[string]int{}}
}

// keep adds what holds of an answer, each text once.
func (k *keeper) keep(out Output, sources []*source) {
	for _, given := range out.Statements {
		text, cited, ok := k.check(OutputSentence{Text: given.Text, Entries: given.Entries}, sources)
		if ok {
			k.addStatement(statement(given, text, cited))
		}
	}
	var sentences []placed
	for _, given := range out.Sentences {
		if text, cited, ok := k.check(given, sources); ok {
			sentences = append(sentences, placed{Sentence{Text: text, Spans: spans(text, cited)}, cited[0].number})
		}
	}
	slices.SortStableFunc(sentences, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	next := make([]Sentence, len(sentences))
	for i, s := range sentences {
		next[i] = s.Sentence
	}
	k.sentences = union(k.sentences, next)
}

// placed is a sentence with the first entry that it rests on.
type placed struct {
	Sentence
	at int
}

// check answers a text with the entries that it rests on, false where it is not
// grounded in them or is not safe.
func (k *keeper) check(given OutputSentence, sources []*source) (text string, cited []*source, ok bool) {
	text = strings.TrimSpace(given.Text)
	for _, n := range given.Entries {
		if n < 1 || n > len(sources) {
			k.counts.Outside++
		} else if s := sources[n-1]; !slices.Contains(cited, s) {
			s.read()
			cited = append(cited, s)
		}
	}
	if len(cited) == 0 || len(cited) > maxCited || !sound(text) || !grounded(text, cited) {
		k.counts.Ungrounded++
		return "", nil, false
	}
	if !k.clean(text) {
		k.counts.Unsafe++
		return "", nil, false
	}
	slices.SortFunc(cited, func(a, b *source) int { return cmp.Compare(a.number, b.number) })
	return text, cited, true
}

// sound tells whether a text can be stored and says something.
func sound(text string) bool {
	return prose.WordRunes(text) >= minWord && strings.IndexByte(text, 0) < 0
}

// statement makes the statement of a text that holds.
func statement(given OutputStatement, text string, cited []*source) Statement {
	s := Statement{Type: given.Type, Text: text, Speaker: cited[0].Speaker, Spans: spans(text, cited)}
	for _, c := range cited {
		if c.Weak && s.Type != Decision {
			s.Type = Fact
		}
		if c.Speaker != s.Speaker {
			s.Speaker = ""
		}
	}
	s.ValidFrom = validFrom(given.ValidFrom, cited)
	return s
}

// validFrom reads a day, which has to be one that a cited entry names, not after the
// entry was written; nil otherwise.
func validFrom(value string, cited []*source) *time.Time {
	day, err := time.Parse(time.DateOnly, value)
	if err != nil {
		return nil
	}
	for _, c := range cited {
		if c.names(day) && (c.At.IsZero() || !day.After(c.At)) {
			return &day
		}
	}
	return nil
}

// addStatement adds a statement, or its spans to the one that says the same.
func (k *keeper) addStatement(s Statement) {
	key := same(s.Text)
	if i, ok := k.stated[key]; ok {
		known := &k.statements[i]
		known.Spans = addSpans(known.Spans, s.Spans...)
		if known.Speaker != s.Speaker {
			known.Speaker = ""
		}
		return
	}
	k.stated[key] = len(k.statements)
	k.statements = append(k.statements, s)
}

// same is equal for texts of the same words.
func same(text string) string { return strings.Join(prose.Lower(text), " ") }

// spans answers where the text stands in what it cites: exactly where it is a piece
// of the entry, else the whole entry.
func spans(text string, cited []*source) []Span {
	var out []Span
	for _, c := range cited {
		s := Span{EntryID: c.ID, End: c.runes}
		if start, end, ok := c.find(text); ok {
			s.Start, s.End = start, end
		}
		out = addSpans(out, s)
	}
	return out
}

// addSpans adds spans that are not there yet.
func addSpans(spans []Span, more ...Span) []Span {
	for _, s := range more {
		if len(spans) < maxSpans && !slices.Contains(spans, s) {
			spans = append(spans, s)
		}
	}
	return spans
}
