package screen

import "strings"

// Private keys: the line that opens one (RFC 7468), and how much of it must follow.
const (
	keyOpening = "PRIVATE KEY"
	keyHeader  = 40
	keyReach   = 300
	keyBody    = 24
)

// findPrivateKeys reports private keys in text form; the opening line alone, as
// manuals show it, passes.
func findPrivateKeys(p *page) {
	for at := 0; ; {
		next := strings.Index(p.text[at:], keyOpening)
		if next < 0 {
			return
		}
		at += next + len(keyOpening)
		open := strings.LastIndex(p.text[max(0, at-keyHeader):at], "-----BEGIN ")
		if open < 0 {
			continue
		}
		rest := p.text[at:min(len(p.text), at+keyReach)]
		body, ok := strings.CutPrefix(strings.TrimPrefix(rest, " BLOCK"), "-----")
		if ok && hasKeyBody(body) {
			p.report(max(0, at-keyHeader)+open, at)
		}
	}
}

// keyBreaks turns the ways in which a key's line ends are kept into line ends.
var keyBreaks = strings.NewReplacer(`\r`, "\n", `\n`, "\n", "\r", "\n", " ", "\n")

// hasKeyBody: after the opening line, and header fields if any, comes base64 as long
// as the start of a key.
func hasKeyBody(s string) bool {
	for line := range strings.SplitSeq(keyBreaks.Replace(s), "\n") {
		n := keyLength(line, "+/")
		switch {
		case n >= keyBody:
			return random(line[:n])
		case line != "" && !headerPart(line):
			return false
		}
	}
	return false
}

// headerPart: a word of a header field, as encrypted and armored keys have them
// ("Proc-Type: 4,ENCRYPTED").
func headerPart(word string) bool {
	return strings.HasSuffix(word, ":") || strings.HasPrefix(word, "4,") || strings.Contains(word, "-CBC,") || strings.Contains(word, "GnuPG")
}
