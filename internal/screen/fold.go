package screen

import (
	"unicode"
	"unicode/utf8"
)

// kind says what a character is to the reader.
type kind uint8

const (
	other     kind = iota // punctuation and symbols: they part words and clauses
	letter                // part of a word
	digit                 // part of a word
	blank                 // parts words
	newline               // parts words and lines
	quote                 // an apostrophe: dropped inside a word
	joiner                // - _ / between letters: parts words, not clauses
	stop                  // . ! ? : may end a sentence
	control               // a C0 or C1 control character
	alone                 // a letter of a script without blanks: a word by itself
	invisible             // has no shape of its own: dropped, judged in hidden.go
	mark                  // combines with the letter before it: dropped
)

// ascii is the kind of each ASCII character.
var ascii = func() (table [utf8.RuneSelf]kind) {
	for c := range table {
		switch r := rune(c); {
		case r == ' ' || r == '\t':
			table[c] = blank
		case r == '\n' || r == '\r':
			table[c] = newline
		case r < ' ' || r == 0x7f:
			table[c] = control
		case r >= '0' && r <= '9':
			table[c] = digit
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			table[c] = letter
		}
	}
	table['\''] = quote
	for _, c := range "-_/" {
		table[c] = joiner
	}
	for _, c := range ".!?" {
		table[c] = stop
	}
	return table
}()

// twins lists, for a Latin letter, letters that readers take for it: with marks,
// of other alphabets, small capitals.
var twins = map[byte]string{
	'a': "àáâãäåāăąǎǻạảấầẩẫậắằẳẵặаαɑᴀАΑ",
	'b': "ƀɓʙВΒЬ",
	'c': "çćĉċčсϲᴄС",
	'd': "ďđɗԁᴅ",
	'e': "èéêëēĕėęěẹẻẽếềểễệеєɛᴇЕΕ",
	'f': "ƒ",
	'g': "ĝğġģǧɡɢց",
	'h': "ĥħһհʜНΗ",
	'i': "ìíîïĩīĭįıǐịỉіϊιɩɪІΙ",
	'j': "ĵјᴊЈ",
	'k': "ķƙкκᴋКΚ",
	'l': "ĺļľŀłӏʟ",
	'm': "мᴍМΜ",
	'n': "ñńņňŉոηɴΝ",
	'o': "òóôõöøōŏőǒọỏốồổỗộớờởỡợơоοσօᴏОΟ",
	'p': "рρᴘРΡ",
	'q': "ԛ",
	'r': "ŕŗřʀ",
	's': "śŝşšșѕЅ",
	't': "ţťŧțтτᴛТΤ",
	'u': "ùúûüũūŭůűųǔụủưứừửữựυսᴜ",
	'v': "νѵᴠ",
	'w': "ŵẁẃẅԝωᴡ",
	'x': "хχХΧ",
	'y': "ýÿŷỳỵỷỹуγʏУΥ",
	'z': "źżžᴢΖ",
}

// twinOf answers the Latin letter that a character passes for, 0 for none.
var twinOf = func() (table [0x2000]byte) {
	for latin, others := range twins {
		for _, r := range others {
			if int(r) < len(table) {
				table[r] = latin
			}
			if up := unicode.ToUpper(r); int(up) < len(table) && unicode.Is(unicode.Latin, r) {
				table[up] = latin
			}
		}
	}
	return table
}()

// lookalike answers the Latin letter or digit that a character above ASCII passes
// for, 0 for none: the letters of twins, and the styled alphabets of Unicode.
func lookalike(r rune) byte {
	switch {
	case int(r) < len(twinOf):
		return twinOf[r]
	case r == 0xa730:
		return 'f'
	case r == 0xa731:
		return 's'
	case r >= 0xff10 && r <= 0xff19: // full width
		return '0' + byte(r-0xff10)
	case r >= 0xff21 && r <= 0xff3a:
		return 'a' + byte(r-0xff21)
	case r >= 0xff41 && r <= 0xff5a:
		return 'a' + byte(r-0xff41)
	case r >= 0x24b6 && r <= 0x24e9: // circled
		return 'a' + byte((r-0x24b6)%26)
	case r >= 0x1d400 && r <= 0x1d6a3: // mathematical alphabets
		return 'a' + byte((r-0x1d400)%26)
	case r >= 0x1d7ce && r <= 0x1d7ff:
		return '0' + byte((r-0x1d7ce)%10)
	case r >= 0x1f130 && r <= 0x1f149, r >= 0x1f150 && r <= 0x1f169, r >= 0x1f170 && r <= 0x1f189: // boxed
		return 'a' + byte((r-0x1f130)%32)
	}
	return 0
}

// kindOf answers what a character above ASCII is.
func kindOf(r rune) kind {
	switch {
	case r < 0xa0:
		return control
	case unspaced(r):
		return alone
	case isInvisible(r):
		return invisible
	case r == 0xa0 || r >= 0x2000 && r <= 0x200a || r == 0x202f || r == 0x205f || r == 0x3000:
		return blank
	case r == 0x2028 || r == 0x2029:
		return newline
	case r == '’' || r == '‘' || r == 'ʼ':
		return quote
	case r == '。' || r == '！' || r == '？' || r == '…' || r == '؟' || r == '।':
		return stop
	case lookalike(r) != 0 || unicode.IsLetter(r):
		return letter
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.IsDigit(r):
		return digit
	}
	return other
}

// unspaced tells whether a script writes its words without blanks, or glues
// endings to them: Han, Kana and Hangul.
func unspaced(r rune) bool {
	return r >= 0x3040 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 || r >= 0x20000 && r <= 0x3ffff
}
