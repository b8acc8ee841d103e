package claim

import "strings"

// workForms tell where and as what somebody works.
var workForms = []form{
	rule(subjectPart+`(?:work|works|have worked|has worked|`+is+`working|`+is+`employed) (?:at|for|by|with) (?P<v>.+?)(?: as (?:a|an|the|our) .+)?$`, false, employed),
	rule(subjectPart+`(?:have |has )?joined (?P<v>.+?)(?: as (?:a|an|the|our) .+)?$`, true, joins),
	rule(subjectPart+`(?:have |has )?(?:started|begun) (?:a new job |a job |work |working )?(?:at|with) (?P<v>.+)$`, true, joins),
	rule(subjectPart+`(?:have |has )?left (?P<f>.+?) (?:and joined|to join|for|and (?:works|work) (?:at|for)) (?P<v>.+)$`, true, joins),
	rule(subjectPart+`(?:work|works|serve|serves|`+is+`working) as (?:a |an |the )?(?P<v>.+)$`, false, profession),
	rule(subjectPart+`(?:was |were |got |has been |have been )promoted (?:from (?P<f>.+?) )?to (?P<v>.+)$`, true, profession),
	rule(subjectPart+is+`(?:a|an) (?P<v>.+)$`, false, job),
	rule(subjectPart+`(?:became|has become|have become) (?:a|an) (?P<v>.+)$`, true, job),
}

func employed(p parts) (Claim, bool) {
	first, _, _ := strings.Cut(strings.ToLower(p["v"]), " ")
	if !isName(p["v"]) && first != "the" && first != "a" && first != "an" {
		return Claim{}, false
	}
	return freely(p, work)
}

func joins(p parts) (Claim, bool) {
	if !isName(p["v"]) || services[strings.ToLower(p["v"])] || !isPerson(p["s"]) {
		return Claim{}, false
	}
	return freely(p, work)
}

func profession(p parts) (Claim, bool) { return freely(p, role) }

// job reads "is a nurse" where the word is one of a profession.
func job(p parts) (Claim, bool) {
	list := strings.Fields(strings.ToLower(p["v"]))
	if len(list) == 0 || !roles[list[len(list)-1]] {
		return Claim{}, false
	}
	return freely(p, role)
}
