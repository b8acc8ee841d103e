package claim

import "strings"

// levelForms tell that a value went from one to another.
var levelForms = []form{
	rule(subjectPart+wasMade+shifts+` `+direction+fromPart+toValue, true, shift),
	rule(subjectPart+`(?:has |have )?`+drifts+` `+direction+fromPart+toValue, true, shift),
	rule(actor+shifts+` `+known+direction+fromPart+toValue, true, shiftIt),
	rule(actor+`set `+known+`from (?P<f>.+?) to (?P<v>.+)$`, true, shiftIt),
	rule(subjectPart+`(?:was |has been )(?:rewritten|reimplemented) in (?P<v>.+)$`, true, rewritten),
	rule(actor+`(?:rewrote|rewritten|reimplemented) `+known+`in (?P<v>.+)$`, true, rewrittenIt),
}

func shift(p parts) (Claim, bool) {
	if c, ok := level(p); ok {
		return c, true
	}
	return exchanged(p)
}

func shiftIt(p parts) (Claim, bool) {
	p.own()
	return shift(p)
}

// level reads a value by its kind; a time may be that of the start, or of the end.
func level(p parts) (Claim, bool) {
	c, ok := typed(p, false)
	if !ok {
		return Claim{}, false
	}
	if strings.HasPrefix(c.Attribute, number) && c.From == "" {
		return Claim{}, false // "cut to 3 slices": of what, cannot be told
	}
	if attributeNouns[head(c.Subject)] {
		return c, true
	}
	switch c.Attribute {
	case "is/" + day:
		c.also = []string{"end/" + day, "start/" + day, "due/" + day}
	case "is/" + clock:
		c.also = []string{"start/" + clock}
	}
	return c, true
}

func rewritten(p parts) (Claim, bool) { return freely(p, "written") }

func rewrittenIt(p parts) (Claim, bool) {
	p.own()
	return rewritten(p)
}
