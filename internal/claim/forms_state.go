package claim

import "strings"

// stateForms tell that something came into another state of a scale.
var stateForms = []form{
	rule(subjectPart+`(?:has been|have been|was|got|is) (?:switched|turned) (?P<v>on|off)$`, true, inState),
	rule(actor+`(?:switched|turned) (?P<v>on|off) `+strings.TrimSpace(known)+`$`, true, inStateIt),
	rule(actor+`(?:switched|turned) `+known+`(?P<v>on|off)$`, true, inStateIt),
	rule(actor+`(?P<v>`+alternatives(events)+`) `+strings.TrimSpace(known)+`$`, true, inStateIt),
	rule(subjectPart+`(?:has been|have been|was|were|got) (?P<v>`+alternatives(events)+`)$`, true, inState),
	rule(subjectPart+`(?:has been|have been) (?P<v>opened|closed|shut|locked|unlocked|blocked|finished|done)$`, true, inState),
	rule(subjectPart+`(?:has |have )?(?:got|gone|went|become|became|turned) (?P<v>.+)$`, true, inState),
}

func inState(p parts) (Claim, bool) {
	v, ok := parse(p["v"], false)
	if !ok || v.kind != state {
		return Claim{}, false
	}
	return made(p["s"], "is/"+v.scale, v.text, "")
}

func inStateIt(p parts) (Claim, bool) {
	p.own()
	return inState(p)
}
