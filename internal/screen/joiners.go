package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// crowded: another odd character stands right before or after, as in bits hidden
// in a row of them; a selector before a joiner is how emoji are written.
func (p *page) crowded(i int) bool {
	o := p.odd[i]
	if i > 0 && p.odd[i-1].at+p.odd[i-1].size == o.at && !(o.r == zwj && p.odd[i-1].r == 0xfe0f) {
		return true
	}
	next := o.at + o.size
	return i+1 < len(p.odd) && p.odd[i+1].at == next && !(p.odd[i+1].r == zwj && o.r == 0xfe0f)
}

// emojiJoin: both sides are pictures, as in families and professions.
func emojiJoin(before, after rune) bool { return pictograph(before) && pictograph(after) }

// pictograph covers the blocks that Extended_Pictographic of Unicode draws on.
func pictograph(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r == 0x3030 || r == 0x303d ||
		r == 0x3297 || r == 0x3299 || r == 0xa9 || r == 0xae || r == 0x2122 || r == 0x2139 || r == 0x203c || r == 0x2049
}

// joining tells whether a script uses the joiners to shape its letters.
func joining(r rune) bool {
	return r >= 0x600 && unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Mandaic,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
		unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Tibetan, unicode.Myanmar,
		unicode.Khmer, unicode.Balinese, unicode.Javanese, unicode.Tai_Tham, unicode.Adlam)
}

// breaking tells whether a script parts its words by a space without width.
func breaking(r rune) bool {
	return r >= 0xe00 && unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// varies: the selector has a base that comes in variants: a picture, a digit or
// sign of a keycap, an ideograph, a mathematical sign.
func varies(before, selector rune) bool {
	if selector >= 0xe0100 {
		return unicode.Is(unicode.Han, before)
	}
	return pictograph(before) || before >= '0' && before <= '9' || before == '#' || before == '*' ||
		unicode.In(before, unicode.Han, unicode.Sm, unicode.Myanmar) || before >= 0x3000 && before <= 0x303f ||
		before >= 0xff00 && before <= 0xff0f || before >= 0xa840 && before <= 0xa877
}

// regionFlags are the flags written with tag characters (the only ones that
// Unicode recommends for interchange): England, Scotland, Wales.
var regionFlags = map[string]bool{"gbeng": true, "gbsct": true, "gbwls": true}

// inFlag: the tag character is part of a black flag's region code.
func (p *page) inFlag(i int) bool {
	const longest = 6
	first, last := i, i
	for first > 0 && i-first < longest && p.follows(first) {
		first--
	}
	for last+1 < len(p.odd) && last-i < longest && p.follows(last+1) {
		last++
	}
	base, _ := utf8.DecodeLastRuneInString(p.text[:p.odd[first].at])
	if base != blackFlag || p.odd[last].r != tagCancel {
		return false
	}
	return regionFlags[tagText(p.odd[first:last])]
}

// follows: the i-th odd character and the one before it are tags side by side.
func (p *page) follows(i int) bool {
	a, b := p.odd[i-1], p.odd[i]
	return a.at+a.size == b.at && tag(a.r) && tag(b.r)
}

// tagText reads tag characters as the ASCII that they stand for.
func tagText(odd []oddRune) string {
	text := make([]byte, 0, len(odd))
	for _, o := range odd {
		if o.r >= tagSpace && o.r < tagCancel {
			text = append(text, byte(o.r-0xe0000))
		}
	}
	return string(text)
}

// rightToLeft: the text has a letter of a script that runs from right to left.
func (p *page) rightToLeft() bool {
	if p.rtl == unknown {
		p.rtl = no
		if strings.ContainsFunc(p.text, rightToLeft) {
			p.rtl = yes
		}
	}
	return p.rtl == yes
}

// rightToLeft covers the blocks of such scripts, direction marks left out.
func rightToLeft(r rune) bool {
	return !directionMark(r) && (r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff ||
		r >= 0xfe70 && r <= 0xfefc || r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff)
}

// longWord is the shortest word, in bytes, that typesetters hyphenate.
const longWord = 10

// hyphenates: the soft hyphen stands where typeset text may break a word: inside
// a long one, with two letters or more on either side.
func (p *page) hyphenates(o oddRune) bool {
	left, right := lettersBefore(p.text[:o.at]), lettersAfter(p.text[o.at+o.size:])
	return left >= 2 && right >= 2 && left+right >= longWord
}

// lettersBefore and lettersAfter measure the word, soft hyphens of it included,
// on one side, in bytes, as far as it matters.
func lettersBefore(s string) int {
	n := 0
	for n < longWord {
		r, size := utf8.DecodeLastRuneInString(s[:len(s)-n])
		if size == 0 || !unicode.IsLetter(r) && (r != softHyphen || n == 0) {
			break
		}
		n += size
	}
	return n
}

func lettersAfter(s string) int {
	n := 0
	for n < longWord {
		r, size := utf8.DecodeRuneInString(s[n:])
		if size == 0 || !unicode.IsLetter(r) && (r != softHyphen || n == 0) {
			break
		}
		n += size
	}
	return n
}
