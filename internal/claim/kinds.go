package claim

import (
	"strings"

	"holdfast/internal/search/analysis"
)

// people are attributes that somebody has: their value is a name.
var people = words(`owner manager lead head chair director boss supervisor ceo cto cfo coo president captain coach mayor
	chairman chairwoman secretary treasurer editor maintainer contact landlord doctor`)

// amountNouns are attributes whose value is a number.
var amountNouns = words(`limit price rate fee budget port quota threshold timeout capacity interval salary rent wage tax
	bill allowance deposit discount temperature speed weight height age duration length count total maximum minimum score
	number`)

// wordNouns are attributes whose value may be any word that is no state.
var wordNouns = words(`status colour size level priority theme format branch language currency plan goal target motto font`)

// fits tells whether a value is of the kind that an attribute with this head has:
// "the captain is injured" names no captain. raw are the words as written.
func fits(head string, v value, raw string) bool {
	switch {
	case !attributeNouns[head]:
		return true
	case people[head]:
		return isName(raw) && !demonyms[strings.ToLower(raw)]
	case head == "email":
		return v.kind == mail && !strings.Contains(raw, " ")
	case head == "phone":
		return v.kind == dial
	case amountNouns[head]:
		return v.kind == number || v.kind == dial
	case head == "deadline" || head == "date":
		return v.kind == day || v.kind == clock
	case wordNouns[head]:
		return v.kind != free || !isState(v.text)
	case head == "url" || head == "website":
		return strings.Contains(raw, ".") && !strings.Contains(raw, " ")
	}
	return isCapital(raw) || strings.ContainsAny(raw, "0123456789_@#-.") || raw != strings.ToLower(raw)
}

var demonyms = words(`american british english irish scottish welsh french german spanish portuguese italian dutch belgian
	swiss austrian polish czech danish swedish norwegian finnish greek turkish russian ukrainian chinese japanese korean
	indian brazilian mexican canadian australian european african asian catholic muslim jewish christian`)

// isState tells a word for how something is.
func isState(text string) bool {
	for w := range strings.FieldsSeq(text) {
		if states[w] {
			return true
		}
		for _, ending := range []string{"ed", "ing", "able", "ible", "less", "ful"} {
			if len(w) > len(ending)+2 && strings.HasSuffix(w, ending) {
				return true
			}
		}
	}
	return false
}

var states = words(`ready broken lost gone fine ok okay clear unclear public secret known unknown final safe unsafe valid
	invalid available free empty full void stale old new good bad better worse wrong right correct unlimited tight
	hidden visible stuck live dead busy sick ill away complete incomplete perfect great nice official`)

// isScoped tells words that say where or for what a value holds: there it is another
// value than the one that holds everywhere.
func isScoped(text string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		if scopes[w] || len(w) > 4 && strings.HasSuffix(w, "ly") && !notAdverbs[w] {
			return true
		}
	}
	return false
}

var (
	scopes = words(`in on at for during within inside outside under over across among near behind from off against only here
		there elsewhere abroad online offline upstairs downstairs indoors outdoors overnight weekdays weekends each apiece`)
	notAdverbs = words(`july italy sicily`)
)

// dimensions are units that measure one thing.
var dimensions = stemmed(map[string]string{
	"millisecond": "time", "second": "time", "minute": "time", "hour": "time", "day": "time", "week": "time", "month": "time",
	"year": "time", "kilobyte": "bytes", "megabyte": "bytes", "gigabyte": "bytes", "terabyte": "bytes",
})

// stemmed has its keys as units of numbers are kept.
func stemmed(list map[string]string) map[string]string {
	out := map[string]string{}
	for unit, measured := range list {
		out[analysis.Stem(unit)] = measured
	}
	return out
}

// measuredAlike tells whether two numbers are of one measure. A bare number is in the
// unit of the other, but not in one per user.
func measuredAlike(a, b string) bool {
	_, a, _ = strings.Cut(a, " ")
	_, b, _ = strings.Cut(b, " ")
	if a == "" || b == "" {
		return !strings.Contains(" "+a+b+" ", " per ")
	}
	return a == b || dimensions[a] != "" && dimensions[a] == dimensions[b]
}
