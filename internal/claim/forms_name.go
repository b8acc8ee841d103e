package claim

import "strings"

// nameForms tell what something is called.
var nameForms = []form{
	rule(subjectPart+is+`(?:called|named) (?P<v>.+)$`, false, named),
	rule(subjectPart+`(?:was |were |has been |have been |got |is )renamed `+fromPart+`(?:to |as )?(?P<v>.+)$`, true, named),
	rule(actor+`renamed `+known+fromPart+`(?:to |as )(?P<v>.+)$`, true, namedIt),
	rule(subjectPart+`(?:has|have) a new (?P<o>\w+) , (?P<v>.+)$`, true, renewed),
}

func named(p parts) (Claim, bool) {
	if !isName(p["v"]) {
		return Claim{}, false
	}
	c, ok := freely(p, "is/"+free)
	c.Subject += " name"
	return c, ok
}

func namedIt(p parts) (Claim, bool) {
	p.own()
	return named(p)
}

// renewed reads "has a new address, …".
func renewed(p parts) (Claim, bool) {
	if !attributeNouns[strings.ToLower(p["o"])] {
		return Claim{}, false
	}
	p["s"] += "'s " + p["o"]
	return typed(p, false)
}
