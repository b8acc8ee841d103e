package analysis

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Words answers the folded words of a text in order, nothing left out and
// unstemmed. Accents stay. A run of a script without spaces is one word, since
// its words cannot be told apart without a dictionary.
func Words(text string) []string {
	out := make([]string, 0, len(text)/5+1)
	scan(text, func(w word) { out = append(out, w.text) })
	return out
}

// Tokens answers the content tokens of a text in order, repeated as often as
// they occur: what the index counts.
func Tokens(text string) []string { return tokenize(text, true) }

// tokenizer gathers the tokens of words.
type tokenizer struct {
	out     []string
	stemmer stemmer
	singles bool // single characters beside the pairs of a script without spaces
}

// tokenizers are kept for their working space and their known stems.
var tokenizers = sync.Pool{New: func() any {
	return &tokenizer{stemmer: stemmer{memo: map[string]string{}}}
}}

func tokenize(text string, singles bool) []string {
	t, _ := tokenizers.Get().(*tokenizer)
	defer tokenizers.Put(t)
	t.out, t.singles = make([]string, 0, len(text)/7+1), singles
	scan(text, t.add)
	out := t.out
	t.out = nil
	return out
}

func (t *tokenizer) add(w word) {
	if w.dense {
		t.dense(w.text)
		return
	}
	text := bared(w.text)
	if text == "" {
		return
	}
	if i := strings.IndexByte(text, '\''); i > 0 {
		t.contracted(text, i)
		return
	}
	t.plain(text)
	if strings.Count(text, ".") > 1 {
		t.parts(text)
	}
}

// plain adds one word unless it carries no content.
func (t *tokenizer) plain(text string) {
	if isStop(text) {
		return
	}
	t.out = append(t.out, t.stemmer.stem(text))
}

// parts adds the numbers of a dotted series beside the series: dates, versions
// and addresses are looked for by either.
func (t *tokenizer) parts(text string) {
	for part := range strings.SplitSeq(text, ".") {
		if part != "" {
			t.plain(part)
		}
	}
}

// contracted adds a word with an apostrophe at i: what stands before a clitic
// (you're, can't), or both parts (O'Brien, l'eau).
func (t *tokenizer) contracted(text string, i int) {
	if strings.HasSuffix(text, "n't") {
		return // do, can, will and their like, negated: none has content
	}
	head, tail := text[:i], text[i+1:]
	t.plain(head)
	switch tail {
	case "s", "m", "d", "re", "ve", "ll":
		return
	}
	for part := range strings.SplitSeq(tail, "'") {
		if part != "" {
			t.plain(part)
		}
	}
}

// dense adds a run of a script without spaces: each pair of neighbouring
// characters (with their marks); a run of one character as it is; and, unless a
// query is read, the single characters of Han and Hangul, which may be words.
func (t *tokenizer) dense(run string) {
	prev, at := -1, 0
	for at < len(run) {
		next := at + cluster(run[at:])
		alone := prev < 0 && next == len(run)
		if alone || t.singles && isIdeograph(run[at:]) {
			t.out = append(t.out, run[at:next])
		}
		if prev >= 0 {
			t.out = append(t.out, run[prev:next])
		}
		prev, at = at, next
	}
}

// cluster is the length in bytes of the first character with its marks.
func cluster(run string) int {
	_, n := utf8.DecodeRuneInString(run)
	for n < len(run) {
		r, size := utf8.DecodeRuneInString(run[n:])
		if !unicode.IsMark(r) {
			break
		}
		n += size
	}
	return n
}

// bared is bare of folded text, most often rune by rune.
func bared(text string) string {
	if isASCII(text) {
		return text
	}
	if out, ok := baredQuickly(text); ok {
		return out
	}
	return bare(text)
}

// baredQuickly is bare of folded text; false where it has marks to drop, or is none.
func baredQuickly(text string) (string, bool) {
	var b []byte // nil: nothing to drop so far
	loses := false
	for at, size := 0, 0; at < len(text); at += size {
		var r rune
		if r, size = utf8.DecodeRuneInString(text[at:]); r == utf8.RuneError {
			return "", false
		}
		t := traitOf(r)
		if t.mark && loses {
			return "", false
		}
		letter := text[at : at+size]
		if t.inside && !t.mark {
			letter = t.bare
		}
		if !t.mark {
			loses = t.loses
		}
		if b == nil && len(letter) == size && letter == text[at:at+size] {
			continue
		}
		if b == nil {
			b = append(make([]byte, 0, len(text)), text[:at]...)
		}
		b = append(b, letter...)
	}
	if b == nil {
		return text, true
	}
	return string(b), true
}

// bare drops accents from Latin and Greek, points from Hebrew and Arabic, and
// stress marks from Cyrillic, where й stays a letter of its own.
func bare(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	var base rune
	for _, r := range norm.NFD.String(text) {
		if !unicode.IsMark(r) {
			base = r
		} else if losesMark(base, r) {
			continue
		}
		writeBare(&b, r)
	}
	return norm.NFC.String(b.String())
}

const (
	breve   = '\u0306'
	tatweel = '\u0640' // stretches an Arabic word, without meaning
)

func losesMark(base, mark rune) bool {
	if unicode.Is(unicode.Cyrillic, base) {
		return mark != breve
	}
	return unicode.In(base, unicode.Latin, unicode.Greek, unicode.Arabic, unicode.Hebrew)
}

// writeBare writes a letter, the Latin ones that do not decompose by their base.
func writeBare(b *strings.Builder, r rune) {
	switch r {
	case 'ø':
		b.WriteByte('o')
	case 'ł':
		b.WriteByte('l')
	case 'đ', 'ð':
		b.WriteByte('d')
	case 'æ':
		b.WriteString("ae")
	case 'œ':
		b.WriteString("oe")
	case tatweel:
	default:
		b.WriteRune(r)
	}
}
