package claim

import "strings"

// placeForms tell where somebody lives or something is.
var placeForms = []form{
	rule(subjectPart+`(?:live|lives|reside|resides) in (?P<v>.+)$`, false, place),
	rule(subjectPart+is+`(?:living|based|located|residing|situated) in (?P<v>.+)$`, false, place),
	rule(subjectPart+`(?:have|has) (?:lived|been living) in (?P<v>.+)$`, false, place),
	rule(subjectPart+wasMade+moves+` (?:back )?`+fromPart+toValue, true, move),
	rule(actor+`(?:moved|relocated|transferred) `+known+fromPart+toValue, true, moveIt),
	rule(subjectPart+is+`(?P<p>in|on|under|behind|at|inside|above|below|beside|near) (?P<v>.+)$`, false, position),
}

// place reads where somebody lives or something is; at weekends or for a purpose
// would make it another place.
func place(p parts) (Claim, bool) {
	if isPerson(p["s"]) && isScoped(p["v"]) {
		return Claim{}, false
	}
	return freely(p, where)
}

// move reads "moved to": another time, another place, or another value.
func move(p parts) (Claim, bool) {
	if c, ok := level(p); ok {
		return c, true
	}
	v := p["v"]
	known := strings.HasPrefix(strings.ToLower(v), "the ") || strings.HasPrefix(strings.ToLower(v), "our ") || strings.HasPrefix(strings.ToLower(v), "my ")
	if isName(v) && !p.isHome() || !isName(v) && (isPerson(p["s"]) || !known || isNumbered(v)) {
		return exchanged(p)
	}
	if !isPerson(p["s"]) && !isDefinite(p["s"]) {
		return Claim{}, false
	}
	c, ok := place(p)
	if c.From != "" {
		c.also = candidates
	}
	return c, ok
}

func moveIt(p parts) (Claim, bool) {
	p.own()
	return move(p)
}

// isNumbered tells a number that is none of a floor.
func isNumbered(text string) bool {
	return strings.ContainsAny(text, "0123456789") && !strings.HasSuffix(text, " floor")
}

// own puts the one who acts in the place of "her", "its" and their like.
func (p parts) own() {
	first, rest, _ := strings.Cut(p["s"], " ")
	switch strings.ToLower(first) {
	case "her", "his", "its", "their":
		p["s"] = p["a"] + "'s " + rest
	}
}

// position reads where a thing is. Where a person is today is no residence.
func position(p parts) (Claim, bool) {
	v := p["v"]
	if isPerson(p["s"]) || !isDefinite(p["s"]) {
		return Claim{}, false
	}
	timed := strings.EqualFold(p["p"], "at")
	if c, ok := typed(p, timed); ok && (strings.HasSuffix(c.Attribute, day) || strings.HasSuffix(c.Attribute, clock)) {
		return c, true
	}
	first, _, _ := strings.Cut(strings.ToLower(v), " ")
	if !isName(v) && first != "the" && first != "my" && first != "our" || isNumbered(v) {
		return Claim{}, false
	}
	c, ok := place(p)
	if prep := strings.ToLower(p["p"]); prep != "in" && prep != "at" {
		c.Value = prep + " " + c.Value
	}
	return c, ok
}
