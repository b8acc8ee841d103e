package claim

import (
	"regexp"
	"slices"
	"strings"

	"holdfast/internal/search/analysis"
)

// exactly is the claim's value with what tells it from others that are read alike;
// false where that cannot be told.
func (c Claim) exactly(text string) (string, bool) {
	low := strings.ToLower(text)
	list := plainWords(low)
	if c.other || cased[head(c.plain)] || unsure.MatchString(low) || slices.ContainsFunc(list, isRecurring) ||
		strings.HasSuffix(c.Attribute, day) && strings.Contains(low, " at ") ||
		c.Attribute == work && strings.Contains(low, " as ") {
		return "", false
	}
	value := c.Value
	if strings.HasSuffix(c.Attribute, day) { // "3 May", "May 3"
		value = sortedWords(value)
	}
	out := append([]string{value}, c.unstemmed(list)...)
	if m := halfOfDay.FindStringSubmatch(low); m != nil && strings.HasSuffix(c.Attribute, clock) {
		out = append(out, m[1]+"m")
	}
	if c.Attribute == uses {
		out = append(out, usedBy(list))
	}
	return strings.Join(out, "|"), true
}

var (
	// unsure are numbers that are written in two ways, and spans of time.
	unsure    = regexp.MustCompile(`\d,\d|\bfor (?:\w+ ){1,3}(?:years?|months?|weeks?|days?)\b`)
	halfOfDay = regexp.MustCompile(`\d ?([ap])\.?m\b`)
	// cased are attributes whose values differ in case.
	cased     = words(`password username url website nickname branch`)
	recurring = words(`next every coming each tomorrow today tonight`)
)

// isRecurring tells a word by which a day is another than the one that is read.
func isRecurring(w string) bool {
	single, several := strings.CutSuffix(w, "s")
	return recurring[w] || several && weekdays[single]
}

// unstemmed are the words, in the order of the alphabet, of which the value has only
// a stem that other words share.
func (c Claim) unstemmed(list []string) []string {
	stems := words(c.Value)
	var out []string
	for _, w := range list {
		full, short := units[w]
		if !short {
			full = singular(w)
		}
		if stem := analysis.Stem(full); stem != full && stems[stem] && !stems[full] {
			out = append(out, full)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func singular(w string) string {
	if s, ok := strings.CutSuffix(w, "ies"); ok {
		return s + "y"
	}
	if strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is") {
		return w
	}
	return strings.TrimSuffix(w, "s")
}

// usedBy tells in what way a thing is used: an instrument is played, or sat on.
func usedBy(list []string) string {
	for _, w := range list {
		if stem := singular(w); stem == "play" || stem == "eat" || stem == "drink" {
			return stem
		}
	}
	return ""
}

// isOwn tells a text with a word for its speaker.
func isOwn(text string) bool {
	return slices.ContainsFunc(plainWords(strings.ToLower(signs.Replace(text))), func(w string) bool {
		head, _, _ := strings.Cut(w, "'")
		return speakers[head]
	})
}

var speakers = words(`i me my mine myself we us our ours ourselves`)

// plainWords are the words of a text in small letters without the signs around them.
func plainWords(low string) []string {
	return strings.FieldsFunc(low, func(r rune) bool { return strings.ContainsRune(" \t\n.,;:!?()\"=", r) })
}

func sortedWords(text string) string {
	list := strings.Fields(text)
	slices.Sort(list)
	return strings.Join(list, " ")
}
