package analysis

import "strings"

// openings stand before a statement and say nothing of it; correcting ones among them that it
// replaces another.
var (
	openings   = set("update updated edit correction corrected actually note fyi btw info reminder")
	correcting = set("update updated edit correction corrected actually")
)

// WithoutOpening leaves out the word that opens a text before a colon or a comma ("Update: the
// port is 25"), and tells whether it says that something changed. English only.
func WithoutOpening(text string) (rest string, changed bool) {
	at := strings.IndexAny(text, ":,")
	if at < 0 {
		return text, false
	}
	word := strings.ToLower(strings.Trim(text[:at], " *-#"))
	if !openings[word] {
		return text, false
	}
	return strings.TrimLeft(text[at+1:], " *"), correcting[word]
}
