package screen

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shortest encoded stretches that can hold an order, in bytes.
const (
	minBase64 = 20
	minHex    = 32
)

// findEncoded opens what is encoded and reports it when the text inside is not
// clean; what was found inside is reported for the same place.
func findEncoded(p *page) {
	if p.depth >= maxDepth {
		return
	}
	p.openRuns()
	p.openTags()
	p.openWhole()
}

// reveal screens a decoded text that stood at text[start:end].
func (p *page) reveal(start, end int, decoded string) {
	if readable(decoded) {
		p.adopt(start, end, p.engine.check(decoded, p.depth+1).Reasons)
	}
}

// revealAll screens another reading of the whole text.
func (p *page) revealAll(reading string) { p.revealNew(0, len(p.text), reading) }

// adopt reports the place and, for the same place, the reasons found inside.
func (p *page) adopt(start, end int, reasons []string) {
	if len(reasons) == 0 {
		return
	}
	p.report(start, end)
	for _, code := range reasons {
		if p.count(code) < maxSpans {
			p.spans = append(p.spans, Span{Rule: code, Start: start, End: end})
		}
	}
}

// readable: valid UTF-8, nearly all of it printable, and words rather than one.
func readable(s string) bool {
	if len(s) < 12 || !utf8.ValidString(s) {
		return false
	}
	bad, letters := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letters++
		case !unicode.IsSpace(r) && !unicode.IsPrint(r):
			bad++
		}
	}
	return letters*2 > len(s)/2 && bad*20 <= len(s)
}

func (p *page) openRuns() {
	for _, r := range joinLines(p.text, p.runs) {
		p.openBlocks(r)
	}
}

// openBlocks decodes the hexadecimal and base64 stretches of a run. Padding ends
// a stretch, so that "name=value" is two.
func (p *page) openBlocks(r extent) {
	for start := r.start; start < r.end; {
		end := start
		for end < r.end && base64Byte[p.text[end]] {
			end++
		}
		if end-start >= minBase64 && !p.openBlock(start, end) {
			p.openParts(start, end)
		}
		for end < r.end && !base64Byte[p.text[end]] {
			end++
		}
		start = end
	}
}

// openParts tries the parts of a stretch that is the path of an address.
func (p *page) openParts(start, end int) {
	for start < end {
		part := strings.IndexByte(p.text[start:end], '/')
		if part < 0 {
			part = end - start
		}
		if part >= minBase64 {
			p.openBlock(start, start+part)
		}
		start += part + 1
	}
}

// openBlock tells whether the stretch could be decoded to a text.
func (p *page) openBlock(start, end int) bool {
	block := dropLineEnds(p.text[start:end])
	raw, err := hex.DecodeString(block)
	if err != nil || len(block) < minHex {
		if raw, err = fromBase64(block); err != nil {
			return false
		}
	}
	decoded := string(raw)
	p.reveal(start, end, decoded)
	return readable(decoded)
}

// urlAlphabet turns the URL-safe alphabet of base64 (RFC 4648 §5) into the other.
var urlAlphabet = strings.NewReplacer("-", "+", "_", "/")

// fromBase64 decodes either alphabet; a last letter that carries no whole byte is
// dropped, as it is where text was cut.
func fromBase64(s string) ([]byte, error) {
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	return base64.RawStdEncoding.DecodeString(urlAlphabet.Replace(s))
}

// base64Byte: the byte occurs in base64 of either alphabet, line ends included,
// padding left out.
var base64Byte = func() (table [256]bool) {
	for c := range table {
		b := byte(c)
		table[c] = alnum(b) || strings.IndexByte("+/-_\r\n", b) >= 0
	}
	return table
}()

func dropLineEnds(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.NewReplacer("\r", "", "\n", "").Replace(s)
}

// wrapped is the shortest line, in bytes, that goes on in the next one.
const wrapped = 40

// joinLines joins runs that are lines of one encoded block.
func joinLines(text string, runs []extent) []extent {
	var joined []extent
	for _, r := range runs {
		last := len(joined) - 1
		if last >= 0 && r.start-joined[last].end <= 2 && strings.Trim(text[joined[last].end:r.start], "\r\n") == "" &&
			r.start > joined[last].end && joined[last].end-joined[last].start >= wrapped {
			joined[last].end = r.end
			continue
		}
		joined = append(joined, r)
	}
	return joined
}
