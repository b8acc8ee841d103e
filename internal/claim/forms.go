package claim

import (
	"regexp"
	"strings"
)

// Attributes that forms name; others come from the kind of the value (typed).
const (
	uses  = "uses" // one subject may use several things
	where = "where"
	work  = "work"
	role  = "role"
)

// form is a sentence pattern with the meaning of its parts.
type form struct {
	pattern *regexp.Regexp
	event   bool // it tells of a change
	build   func(p parts) (Claim, bool)
}

// parts are the named parts of a match: s subject, v value, f earlier value, o
// object, r role, verb, p preposition, a who acts.
type parts map[string]string

func (f form) read(line string) (reading, bool) {
	m := f.pattern.FindStringSubmatchIndex(line)
	if m == nil {
		return reading{}, false
	}
	p, at := parts{}, 0
	for i, name := range f.pattern.SubexpNames() {
		if name == "" || m[2*i] < 0 {
			continue
		}
		p[strings.TrimRight(name, "2")] = line[m[2*i]:m[2*i+1]]
		if name == "v" && at == 0 || name == "p" {
			at = m[2*i]
		}
	}
	c, ok := f.build(p)
	c.Change = c.Change || f.event
	return reading{Claim: c, at: at, event: f.event, who: p["s"]}, ok && c.Subject != "" && c.Value != ""
}

// match reads a clause by the first form that takes it in.
func match(line string) (reading, bool) {
	if doubtful(line) {
		return reading{}, false
	}
	for i, asked := range asking(line) {
		if !asked {
			continue
		}
		if r, ok := forms[i].read(line); ok {
			return r, true
		}
	}
	return reading{}, false
}

func doubtful(line string) bool {
	for w := range strings.FieldsSeq(line) {
		if low := strings.ToLower(w); doubts[low] && w != "May" {
			return true
		}
	}
	return hedged.MatchString(strings.ToLower(line))
}

var hedged = regexp.MustCompile(`\b(?:plan|plans|planned|planning|decided|going|about|trying|agreed|wish|due) to\b|\bat (?:least|most)\b|\bused to\b`)

const (
	subjectPart = `^(?P<s>.+?) `
	actor       = `^(?P<a>.+?) (?:has |have )?`
	is          = `(?:am|is|are) `
	wasMade     = `(?:(?:has|have)(?: been| got)? |was |were |got |gets |is |are )?`
	fromPart    = `(?:from (?P<f>.+?) )?`
	toValue     = `(?:to|until|till) (?P<v>.+?)(?: from (?P<f2>.+))?$`
	direction   = `(?:(?:back|up|down|forward|over) )?`
	known       = `(?P<s>(?:the|my|our|its|his|her|their|[^ ]+'s) .+?) `
)

var (
	shifts = alternatives(`raised lowered increased decreased reduced changed cut bumped updated moved postponed rescheduled
		shifted pushed brought delayed upgraded downgraded adjusted corrected passed transferred switched slowed shortened
		extended prolonged migrated ported converted`)
	drifts = alternatives(`rose risen fell fallen grew grown dropped went gone climbed jumped sank shrank`)
	moves  = `(?P<verb>moved|relocated|moved house)`
)

func rule(pattern string, event bool, build func(parts) (Claim, bool)) form {
	return form{regexp.MustCompile(`(?i)` + pattern), event, build}
}

// forms in the order in which they are tried: what is narrower comes first.
var forms = joined(placeForms, nameForms, workForms, holderForms, stateForms, levelForms, useForms, plainForms)

func joined(lists ...[]form) []form {
	var out []form
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// made is a claim of a subject's text and what it has.
func made(s, attribute, v, from string) (Claim, bool) {
	normal, plain, fresh, ok := subject(s)
	named := attributeNouns[head(normal)]
	return Claim{Subject: normal, Attribute: attribute, Value: v, From: from, Change: fresh && named,
		plain: plain, other: fresh && !named}, ok
}

// freely reads value and earlier value as words.
func freely(p parts, attribute string) (Claim, bool) {
	v, ok := parse(p["v"], false)
	if !ok {
		return Claim{}, false
	}
	from, ok := p.from(false)
	if !ok {
		return Claim{}, false
	}
	return made(p["s"], attribute, v.text, from)
}

// from is the earlier value, normalised; empty where none is named.
func (p parts) from(timed bool) (string, bool) {
	f, there := p["f"]
	if !there {
		return "", true
	}
	f = possessive.ReplaceAllString(f, "")
	v, ok := parse(f, timed)
	return v.text, ok
}

var possessive = regexp.MustCompile(`^(?i:her|his|its|their|my|our) `)

// typed reads a value by its kind; what cannot be told by kind needs a subject
// that names an attribute.
func typed(p parts, timed bool) (Claim, bool) {
	v, ok := parse(p["v"], timed)
	from, known := p.from(timed)
	if !ok || !known {
		return Claim{}, false
	}
	c, ok := made(p["s"], "", v.text, from)
	if !ok {
		return Claim{}, false
	}
	c.Attribute = v.attribute(head(c.Subject))
	if v.kind != day && v.kind != state && isScoped(p["v"]) || !fits(head(c.Subject), v, p["v"]) {
		return Claim{}, false
	}
	return c, c.Attribute != ""
}

// texts are attributes whose values are words even where they begin with a number.
var texts = words(`address name phone email password username title url website version nickname`)

// attribute is what a value of this kind is of, for a subject with this head;
// empty: it cannot be told.
func (v value) attribute(head string) string {
	named := attributeNouns[head]
	switch {
	case texts[head], named && (v.kind == free || v.kind == mail || v.kind == dial):
		return "is/" + free
	case v.kind == number && !named:
		return number + " " + v.unit
	case v.kind == state:
		return "is/" + v.scale
	case v.kind == free, v.kind == mail, v.kind == dial:
		return ""
	}
	return "is/" + v.kind
}
