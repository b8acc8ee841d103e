package claim

import (
	"regexp"
	"strings"
)

// A pattern costs microseconds, and most clauses hold no word of most patterns. So a
// form is tried only where the clause has one of its words: all that its pattern
// spells, but those that any sentence may have; of forms without another word, a
// form of "be".

// asking tells which forms may take a clause in.
func asking(line string) []bool {
	out := make([]bool, len(forms))
	for w := range strings.FieldsSeq(line) {
		for _, i := range askedBy[strings.ToLower(w)] {
			out[i] = true
		}
	}
	return out
}

var askedBy = triggers(forms)

func triggers(list []form) map[string][]int {
	out := map[string][]int{}
	for i, f := range list {
		own := ownWords(f.pattern.String())
		if len(own) == 0 {
			own = words("am is are")
		}
		for w := range own {
			out[w] = append(out[w], i)
		}
	}
	return out
}

var (
	patternSyntax = regexp.MustCompile(`\(\?P<\w+>|\(\?i?[:)]`)
	patternWord   = regexp.MustCompile(`[a-z]+\??`)
	ordinary      = words(`am is are was were be been the a an my our its his her their s to until till
		from in on at for by with as and of back up down forward over off under behind inside above below beside near or`)
)

func ownWords(pattern string) map[string]bool {
	out := map[string]bool{}
	for _, w := range patternWord.FindAllString(patternSyntax.ReplaceAllString(pattern, " "), -1) {
		full, optional := strings.CutSuffix(w, "?")
		for _, one := range []string{full, full[:len(full)-1]} {
			if (one == full || optional) && one != "" && !ordinary[one] {
				out[one] = true
			}
		}
	}
	return out
}
