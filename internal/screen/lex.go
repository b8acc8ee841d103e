package screen

import (
	"strings"
	"unicode/utf8"
)

// token is one word, address, link or number of the text.
type token struct {
	start, end int32
	word       uint16 // its place in the vocabulary
	place      place
}

// place says what stands before a token.
type place uint8

const (
	clauseStart   place = 1 << iota // punctuation, or the start of a line
	lineStart                       // the start of a line
	sentenceStart                   // the end of a sentence, an empty line, a list mark
)

// Words of the vocabulary that stand for kinds of tokens.
const (
	unknownWord uint16 = iota
	linkWord
	trapWord // a link or address that collects what is sent
	addressWord
	numberWord
	reservedWords
)

// reader walks over the text once.
type reader struct {
	*page
	at       int
	place    place
	unspaced bool // the last token is a letter of an unspaced script
	word     wordBuffer
}

// read fills tokens, odd characters, runs and the steps seen.
func (p *page) read() {
	r := reader{page: p, place: clauseStart | lineStart | sentenceStart}
	for r.at < len(p.text) {
		if c := p.text[r.at]; c < utf8.RuneSelf {
			r.readASCII(c)
		} else {
			r.readRune()
		}
	}
	p.findRuns()
	p.mergeSeen()
}

func (r *reader) readASCII(c byte) {
	switch ascii[c] {
	case letter, digit:
		r.readWord()
		return
	case newline:
		r.endLine()
		return
	case blank:
	case joiner:
		if !r.betweenLetters() {
			r.place |= clauseStart
		}
	case stop:
		r.place |= clauseStart
		if r.endsSentence() {
			r.place |= sentenceStart
		}
	case control:
		r.odd = append(r.odd, oddRune{at: r.at, size: 1, r: rune(c)})
	default: // an apostrophe outside a word is a quotation mark
		r.place |= clauseStart
		if c == '|' {
			r.place |= sentenceStart
		}
	}
	r.at++
}

// betweenLetters: the character at hand has a letter or digit on both sides.
func (r *reader) betweenLetters() bool {
	return r.at > 0 && r.at+1 < len(r.text) && alnum(r.text[r.at-1]) && alnum(r.text[r.at+1])
}

func alnum(c byte) bool {
	return c < utf8.RuneSelf && (ascii[c] == letter || ascii[c] == digit)
}

// endsSentence: the stop at hand is followed by a blank, a quote, the end, or,
// where somebody lost the blank, by a capital after a small letter. A quotation that
// ends in a stop does not end a sentence that goes on in small letters; nor do dots
// in a row.
func (r *reader) endsSentence() bool {
	rest := r.text[r.at+1:]
	if rest == "" {
		return true
	}
	if rest[0] == '.' || r.at > 0 && r.text[r.at-1] == '.' && goesOn(rest) {
		return false
	}
	if upper(rest[0]) {
		return r.at > 0 && lower(r.text[r.at-1])
	}
	if rest[0] == '"' && len(rest) > 2 && rest[1] == ' ' {
		return !lower(rest[2])
	}
	return !alnum(rest[0]) && strings.IndexByte("/_-", rest[0]) < 0
}

// goesOn: small letters follow, at once or after one blank.
func goesOn(rest string) bool {
	rest = strings.TrimPrefix(rest, " ")
	return rest != "" && lower(rest[0])
}

func lower(c byte) bool { return c >= 'a' && c <= 'z' }

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

// endLine reads one or more line ends with the blanks around them.
func (r *reader) endLine() {
	r.place |= clauseStart | lineStart
	lines := 0
	for ; r.at < len(r.text); r.at++ {
		c := r.text[r.at]
		if c == '\n' || c == '\r' && (r.at+1 == len(r.text) || r.text[r.at+1] != '\n') {
			lines++
		} else if c != '\r' && c != ' ' && c != '\t' {
			break
		}
	}
	if lines > 1 || r.at < len(r.text) && listMark(r.text[r.at]) {
		r.place |= sentenceStart
	}
}

func listMark(c byte) bool { return c == '-' || c == '*' || c == '#' || c == '>' || c == '`' }

func (r *reader) readRune() {
	c, size := utf8.DecodeRuneInString(r.text[r.at:])
	switch kindOf(c) {
	case letter, digit:
		r.readWord()
		return
	case alone:
		r.readAlone(c, size)
		return
	case newline:
		r.place |= clauseStart | lineStart
	case stop:
		r.place |= clauseStart
		if c != '…' || !goesOn(r.text[r.at+size:]) {
			r.place |= sentenceStart
		}
	case invisible, control:
		r.odd = append(r.odd, oddRune{at: r.at, size: size, r: c})
	case blank, mark, quote:
	default:
		r.place |= clauseStart
	}
	r.at += size
}

// emit adds a token and moves to its end.
func (r *reader) emit(start, end int, word uint16) {
	r.at, r.unspaced = end, false
	r.tokens = append(r.tokens, token{start: int32(start), end: int32(end), word: word, place: r.place})
	r.place = 0
}

// mergeSeen joins the steps that the tokens satisfy.
func (p *page) mergeSeen() {
	for i := range p.tokens {
		if w := p.tokens[i].word; w != unknownWord {
			p.seen.merge(&p.steps[w])
		}
	}
}
