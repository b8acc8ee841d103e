package extract

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"holdfast/internal/extract/prose"
	"holdfast/internal/search/analysis"
)

// source is an entry, or a sentence, that is cited by its number. It is read for
// checks when it is first cited.
type source struct {
	Entry
	number  int
	done    bool
	runes   int             // length of the text, in code points
	folded  string          // small letters, each row of white space one space
	at      []int           // by code point of folded: the code point of the text
	tokens  map[string]bool // content stems of text and speaker
	words   map[string]bool // small words of text and speaker
	numbers map[string]bool
	starts  map[int]bool // code points where a sentence begins
	ends    map[int]bool // and where one ends
	clauses []clause     // nil: not read
	dates   []prose.Date // relative and absolute
}

// clause is a clause with its sentence's form.
type clause struct {
	tokens      map[string]bool
	stance      prose.Stance
	question    bool
	conditional bool
}

// sourcesOf numbers entries from 1.
func sourcesOf(entries []Entry) []*source {
	out := make([]*source, len(entries))
	for i, e := range entries {
		out[i] = &source{Entry: e, number: i + 1}
	}
	return out
}

// sourcesOfSentences numbers sentences as entries of nobody and no time.
func sourcesOfSentences(sentences []Sentence) []*source {
	out := make([]*source, len(sentences))
	for i, s := range sentences {
		out[i] = &source{Entry: Entry{Text: s.Text}, number: i + 1}
	}
	return out
}

// read reads the text, once.
func (s *source) read() {
	if s.done {
		return
	}
	s.done = true
	s.fold()
	s.borders()
	s.tokens = tokensOf(s.Text + "\n" + s.Speaker)
	s.words, s.numbers = map[string]bool{}, map[string]bool{}
	for _, word := range prose.Lower(s.Text + "\n" + s.Speaker) {
		s.words[word], s.words[strings.TrimSuffix(word, "'s")] = true, true
		for part := range strings.SplitSeq(word, "-") {
			s.words[part] = true
		}
	}
	for _, number := range prose.Numbers(s.Text) {
		s.numbers[number] = true
	}
	s.dates = append(prose.Relative(s.Text, s.At), prose.Absolute(s.Text)...)
}

// allClauses answers the clauses of the text, which are read when they are first
// asked for: whole sentences need none.
func (s *source) allClauses() []clause {
	if s.clauses == nil {
		s.clauses = clausesOf(s.Text)
	}
	return s.clauses
}

// fold sets the text that pieces are looked for in.
func (s *source) fold() {
	var b strings.Builder
	i, space := 0, false
	for _, r := range s.Text {
		if unicode.IsSpace(r) {
			if !space {
				b.WriteByte(' ')
				s.at = append(s.at, i)
			}
			space = true
		} else {
			b.WriteRune(unicode.ToLower(r))
			s.at = append(s.at, i)
			space = false
		}
		i++
	}
	s.folded, s.runes = b.String(), i
}

// borders notes where sentences begin and end.
func (s *source) borders() {
	s.starts, s.ends = map[int]bool{}, map[int]bool{}
	at, runes := 0, 0
	for _, sentence := range prose.Sentences(s.Text) {
		runes += utf8.RuneCountInString(s.Text[at:sentence.Start])
		s.starts[runes] = true
		runes += utf8.RuneCountInString(sentence.Of(s.Text))
		s.ends[runes] = true
		at = sentence.End
	}
}

func tokensOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, token := range analysis.Tokens(text) {
		out[token] = true
	}
	return out
}

func clausesOf(text string) []clause {
	var out []clause
	for _, sentence := range prose.Sentences(text) {
		whole := sentence.Of(text)
		question, conditional := prose.IsQuestion(whole), prose.IsConditional(whole)
		for _, c := range prose.Clauses(whole) {
			piece := c.Of(whole)
			out = append(out, clause{tokensOf(piece), prose.StanceOf(piece), question, conditional})
		}
	}
	return out
}

// names tells whether the text names a day, or a week, month or year beginning then.
func (s *source) names(day time.Time) bool {
	for _, d := range s.dates {
		if d.From.Equal(day) {
			return true
		}
	}
	return false
}
