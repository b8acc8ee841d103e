package claim

import "strings"

// workForms tell where and as what somebody works.
var workForms = []form{
	rule(subjectPart+`(?:work|works|have worked|has worked|`+is+`working|`+is+`employed) (?:at|for|by) (?P<v>.+?)(?: as (?:a|an|the|our) .+)?$`, false, employed),
	rule(subjectPart+`(?:have |has )?joined (?P<v>.+?) as (?:a|an|the|our) (?P<r>.+)$`, true, joinsAs),
	rule(subjectPart+`(?:have |has )?(?:started|begun) (?:a new job|a job|work|working) (?:at|with) (?P<v>.+)$`, true, joins),
	rule(subjectPart+`(?:have |has )?left (?P<f>.+?) (?:and joined|to join|for|and (?:works|work) (?:at|for)) (?P<v>.+)$`, true, joins),
	rule(`^(?P<s>my|our|.+?'s) (?P<o>new )?employer is (?P<v>.+)$`, false, employer),
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
	if isScoped(p["v"]) {
		return Claim{}, false
	}
	return freely(p, work)
}

// employer reads "my new employer is".
func employer(p parts) (Claim, bool) {
	if !isName(p["v"]) {
		return Claim{}, false
	}
	c, ok := freely(p, work)
	c.Change = p["o"] != ""
	return c, ok
}

// joinsAs takes a profession for employment: one joins clubs, shops and schools too,
// but as a member or a student.
func joinsAs(p parts) (Claim, bool) {
	list := strings.Fields(strings.ToLower(p["r"]))
	for _, w := range list {
		if unpaid[w] {
			return Claim{}, false
		}
	}
	if len(list) == 0 || !jobs[list[len(list)-1]] {
		return Claim{}, false
	}
	return joins(p)
}

var (
	unpaid = words(`volunteer guest honorary part-time freelance student visiting amateur side`)
	jobs   = words(`engineer developer programmer designer architect analyst scientist researcher nurse doctor surgeon dentist
		lawyer accountant consultant manager pilot chef cook waiter plumber electrician mechanic driver assistant
		intern trainee apprentice administrator technician pharmacist therapist psychologist salesperson specialist
		coordinator recruiter`)
)

func joins(p parts) (Claim, bool) {
	if !isName(p["v"]) || places[strings.ToLower(p["v"])] || services[strings.ToLower(p["v"])] || !isPerson(p["s"]) {
		return Claim{}, false
	}
	return freely(p, work)
}

func profession(p parts) (Claim, bool) {
	if isScoped(p["v"]) {
		return Claim{}, false
	}
	return freely(p, role)
}

// job reads "is a nurse" where the word is one of a profession.
func job(p parts) (Claim, bool) {
	list := strings.Fields(strings.ToLower(p["v"]))
	if len(list) == 0 || !roles[list[len(list)-1]] {
		return Claim{}, false
	}
	return freely(p, role)
}
