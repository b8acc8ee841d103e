package claim

import "strings"

// nameForms tell what something is called.
var nameForms = []form{
	rule(subjectPart+is+`(?:called|named) (?P<v>.+)$`, false, named),
	rule(subjectPart+`(?:was |were |has been |have been |got |is )renamed `+fromPart+`(?:to |as )?(?P<v>.+)$`, true, renamed),
	rule(actor+`renamed `+known+fromPart+`(?:to |as )(?P<v>.+)$`, true, namedIt),
	rule(subjectPart+`(?:has|have) a new (?P<o>\w+) , (?P<v>.+)$`, true, renewed),
}

func named(p parts) (Claim, bool) {
	if !isName(p["v"]) {
		return Claim{}, false
	}
	return renamed(p)
}

// renamed takes a name in small letters too, where it is one word.
func renamed(p parts) (Claim, bool) {
	if !isName(p["v"]) && strings.Contains(p["v"], " ") {
		return Claim{}, false
	}
	c, ok := freely(p, "is/"+free)
	if !attributeNouns[head(c.Subject)] {
		c = c.of("name")
	}
	return c, ok
}

func namedIt(p parts) (Claim, bool) {
	p.own()
	return renamed(p)
}

// renewed reads "has a new address, …".
func renewed(p parts) (Claim, bool) {
	if !attributeNouns[strings.ToLower(p["o"])] {
		return Claim{}, false
	}
	p["s"] += "'s " + p["o"]
	return typed(p, false)
}
