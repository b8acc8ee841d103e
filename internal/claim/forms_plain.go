package claim

import (
	"strings"

	"holdfast/internal/search/analysis"
)

// plainForms tell what is so.
var plainForms = []form{
	rule(subjectPart+`costs (?P<v>.+)$`, false, price),
	rule(subjectPart+`(?:has|have|holds?|contains?|counts?) (?P<v>.+)$`, false, amounts),
	rule(subjectPart+`(?P<verb>needs?|allows?|takes?|lasts?|weighs?|requires?) (?P<v>.+)$`, false, measures),
	rule(subjectPart+`(?P<verb>starts?|begins?|opens?|closes?|ends?|finishes|meets?|gathers?|arrives?|departs?|leaves?|expires?|trains?|rehearses?|deploys?|runs?) (?:at |on |every )?(?P<v>.+)$`, false, timetable),
	rule(subjectPart+`(?P<verb>[a-z]+s) every (?P<v>.+)$`, false, measures),
	rule(subjectPart+`(?:takes place|happens|`+is+`(?:scheduled|planned|held|booked)) (?P<p>on|at|for|every) (?P<v>.+)$`, false, scheduled),
	rule(subjectPart+is+`(?P<verb>due) (?:on |at |by )?(?P<v>.+)$`, false, timetable),
	rule(subjectPart+is+`(?P<verb>written|hosted|stored) (?:in|on|with|at|by) (?P<v>.+)$`, false, madeOf),
	rule(subjectPart+`(?P<verb>reports?) to (?P<v>.+)$`, false, madeOf),
	rule(subjectPart+`drives? (?:a|an|the) (?P<v>.+)$`, false, drives),
	rule(subjectPart+`(?:uses?|drinks?|plays?|eats?|`+is+`using|runs on) (?P<v>.+)$`, false, usage),
	rule(subjectPart+is+`set to (?P<v>.+)$`, false, copula),
	rule(subjectPart+is+`(?P<v>.+)$`, false, copula),
}

func price(p parts) (Claim, bool) {
	v, ok := parse(p["v"], false)
	if !ok || v.kind != number {
		return Claim{}, false
	}
	c, ok := made(p["s"], "is/"+number, v.text, "")
	return c.of("price"), ok
}

// amounts reads how many of something there are.
func amounts(p parts) (Claim, bool) {
	v, ok := parse(p["v"], false)
	if !ok || v.kind != number || v.unit == "" {
		return Claim{}, false
	}
	return made(p["s"], number+" "+v.unit, v.text, "")
}

func measures(p parts) (Claim, bool) {
	c, ok := amounts(p)
	c.Attribute = verb(p) + "/" + c.Attribute
	return c, ok
}

func verb(p parts) string {
	v := strings.ToLower(p["verb"])
	if v == "finishes" {
		return "end"
	}
	if v == "begins" || v == "begin" {
		return "start"
	}
	return analysis.Stem(v)
}

// timetable reads when something regularly or once begins, ends or takes place.
func timetable(p parts) (Claim, bool) {
	v, ok := parse(p["v"], true)
	if !ok || v.kind != day && v.kind != clock {
		return Claim{}, false
	}
	return made(p["s"], verb(p)+"/"+v.kind, v.text, "")
}

func scheduled(p parts) (Claim, bool) {
	c, ok := timetable(p)
	c.Attribute = "is" + c.Attribute
	return c, ok
}

// madeOf reads what can be only one thing at a time.
func madeOf(p parts) (Claim, bool) {
	if !isName(p["v"]) {
		return Claim{}, false
	}
	return freely(p, participle(p))
}

// participle is a verb of madeOf as an attribute.
func participle(p parts) string {
	v := strings.ToLower(p["verb"])
	if strings.HasPrefix(v, "report") {
		return "reports"
	}
	return v
}

func drives(p parts) (Claim, bool) {
	if isScoped(p["v"]) {
		return Claim{}, false
	}
	return freely(p, "drive")
}

// usage reads what is used; where and what for would make it another thing.
func usage(p parts) (Claim, bool) {
	for w := range strings.FieldsSeq(strings.ToLower(p["v"])) {
		if prepositions[w] {
			return Claim{}, false
		}
	}
	return freely(p, uses)
}

var prepositions = words("in on at to of under into from near down up out off during")

// copula reads "is".
func copula(p parts) (Claim, bool) { return typed(p, false) }
