package screen

import (
	"unicode"
	"unicode/utf8"
)

// oddRune is a character without a shape of its own; whether it may stand where
// it stands is judged by the rules hidden_characters and bidi_characters (R0.70).
type oddRune struct {
	at, size int
	r        rune
}

// Characters that are named below.
const (
	softHyphen = 0x00ad
	zwsp       = 0x200b
	zwnj       = 0x200c
	zwj        = 0x200d
	blackFlag  = 0x1f3f4
	tagSpace   = 0xe0020
	tagCancel  = 0xe007f
)

// isInvisible tells whether a character above ASCII has no shape of its own. The
// variation selectors are among them.
func isInvisible(r rune) bool {
	switch {
	case r < 0x2000:
		return r == softHyphen || r == 0x034f || r == 0x061c || r == 0x115f || r == 0x1160 ||
			r == 0x17b4 || r == 0x17b5 || r >= 0x180b && r <= 0x180f
	case r < 0x2070:
		return r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060
	case r < 0xfe00:
		return r == 0x3164
	case r < 0xe0000:
		return r <= 0xfe0f || r == 0xfeff || r == 0xffa0 || r >= 0xfff9 && r <= 0xfffb
	}
	return r <= 0xe0fff
}

// turnsDirection: the character overrides, embeds or isolates a direction.
func turnsDirection(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// directionMark: an implicit mark, at home in right-to-left text.
func directionMark(r rune) bool { return r == 0x200e || r == 0x200f || r == 0x061c }

func variation(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

func tag(r rune) bool { return r >= 0xe0000 && r <= tagCancel }

// findBidi reports characters that turn the direction of what follows.
func findBidi(p *page) {
	p.reportOdd(func(i int) bool { return turnsDirection(p.odd[i].r) })
}

// findHidden reports characters that hide where nothing needs them.
func findHidden(p *page) {
	p.reportOdd(func(i int) bool {
		return !turnsDirection(p.odd[i].r) && !p.needed(i)
	})
}

// reportOdd reports the odd characters that are bad, neighbours as one place.
func (p *page) reportOdd(bad func(i int) bool) {
	start, end := 0, 0
	for i, o := range p.odd {
		if !bad(i) {
			continue
		}
		if o.at != end || end == 0 {
			p.report(start, end)
			start = o.at
		}
		end = o.at + o.size
	}
	p.report(start, end)
}

// needed tells whether the i-th odd character is at home where it stands.
func (p *page) needed(i int) bool {
	o := p.odd[i]
	before, after := p.around(o)
	switch {
	case o.r == 0xfeff:
		return o.at == 0 // byte order mark
	case o.r == zwj || o.r == zwnj:
		return !p.crowded(i) && (o.r == zwj && emojiJoin(before, after) || joining(before) || joining(after))
	case o.r == zwsp:
		return !p.crowded(i) && breaking(before) && breaking(after)
	case variation(o.r):
		return !p.crowded(i) && varies(before, o.r)
	case tag(o.r):
		return p.inFlag(i)
	case directionMark(o.r):
		return p.rightToLeft()
	case o.r == softHyphen:
		return p.hyphenates(o)
	case o.r >= 0x180b && o.r <= 0x180f:
		return unicode.Is(unicode.Mongolian, before) || unicode.Is(unicode.Mongolian, after)
	case o.r == 0x034f:
		return unicode.Is(unicode.M, before) || unicode.Is(unicode.Hebrew, before)
	case o.r == 0x17b4 || o.r == 0x17b5:
		return unicode.Is(unicode.Khmer, before)
	case o.r == 0x115f || o.r == 0x1160 || o.r == 0x3164 || o.r == 0xffa0:
		return unicode.Is(unicode.Hangul, before) || unicode.Is(unicode.Hangul, after)
	}
	return false
}

// around answers the characters beside an odd one, before it without variation
// selectors and skin tones; 0 at the ends.
func (p *page) around(o oddRune) (before, after rune) {
	at := o.at
	for at > 0 {
		r, size := utf8.DecodeLastRuneInString(p.text[:at])
		at -= size
		if before = r; !variation(r) && !skinTone(r) || o.at-at > 32 {
			break
		}
	}
	after, _ = utf8.DecodeRuneInString(p.text[o.at+o.size:])
	return before, after
}

func skinTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }
