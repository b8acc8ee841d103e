package screen

import "unicode/utf8"

// extent is a stretch of the text.
type extent struct{ start, end int }

// minRun is the shortest stretch without a blank that may be a key or encoded.
const minRun = 16

// runBreak holds the ASCII punctuation that stands around a key, not in it.
var runBreak = func() (table [utf8.RuneSelf]bool) {
	for c := range table {
		table[c] = c <= ' ' || c == 0x7f
	}
	for _, c := range "\"'`<>()[]{},;|*" {
		table[c] = true
	}
	return table
}()

// findRuns collects the stretches that may be a key or encoded text. They end at
// blanks, quotes and brackets, and at every character above ASCII, since scripts
// without blanks put their letters right beside a key.
func (p *page) findRuns() {
	start := 0
	for i := 0; i < len(p.text); i++ {
		if c := p.text[i]; c >= utf8.RuneSelf || runBreak[c] {
			p.addRun(start, i)
			start = i + 1
		}
	}
	p.addRun(start, len(p.text))
}

func (p *page) addRun(start, end int) {
	if end-start >= minRun {
		p.runs = append(p.runs, extent{start, end})
	}
}
