package claim

import "strings"

// holderForms tell who has a role: its subject is the role, its value the person,
// as in "the owner of the module is Ana".
var holderForms = []form{
	rule(`^(?P<v>.+?) (?P<verb>owns?|leads?|manages?|heads?|chairs?|maintains?) (?P<o>.+)$`, false, holds),
	rule(`^(?P<o>.+?) is (?P<verb>owned|led|managed|headed|chaired|maintained) by (?P<v>.+)$`, false, holds),
	rule(`^(?P<v>.+?) (?:am|is) (?:the|our) (?P<r>.+)$`, false, isRole),
	rule(`^(?P<v>.+?) (?:became|has become|have become) (?:the|our) (?P<r>.+)$`, true, isRole),
	rule(`^(?P<v>.+?) (?:has |have )?(?:replaced|succeeded) (?P<f>.+?) as (?:the |our )?(?P<r>.+)$`, true, isRole),
	rule(`^(?P<v>.+?) (?:has taken|have taken|took) over from (?P<f>.+?) as (?:the |our )?(?P<r>.+)$`, true, isRole),
	rule(`^(?P<v>.+?) (?:has taken|have taken|took) over as (?:the |our )?(?P<r>.+?)(?: from (?P<f>.+))?$`, true, isRole),
	rule(`^(?P<v>.+?) (?:has taken|have taken|took) over (?P<o>the .+?)(?: from (?P<f>.+))?$`, true, takesOver),
}

var holding = map[string]string{
	"own": "owner", "lead": "lead", "led": "lead", "manage": "manager", "head": "head", "chair": "chair", "maintain": "maintainer",
}

func holds(p parts) (Claim, bool) {
	verb := strings.ToLower(p["verb"])
	noun := ""
	for stem, n := range holding {
		if verb == stem || verb == stem+"s" || verb == stem+"ed" || verb == stem+"d" {
			noun = n
		}
	}
	if noun == "" || !isDefinite(p["o"]) {
		return Claim{}, false
	}
	p["r"] = noun + " of " + p["o"]
	return holder(p)
}

func takesOver(p parts) (Claim, bool) {
	p["r"] = "owner of " + p["o"]
	return holder(p)
}

// isRole takes only what is known as a role: "Ana is the tallest" is none.
func isRole(p parts) (Claim, bool) {
	c, ok := holder(p)
	return c, ok && roles[head(c.Subject)]
}

func holder(p parts) (Claim, bool) {
	if low := strings.ToLower(p["v"]); low != "i" && !isName(p["v"]) || low == "we" {
		return Claim{}, false
	}
	if f := p["f"]; f != "" && !isName(f) && !strings.EqualFold(f, "me") {
		return Claim{}, false
	}
	c, ok := made(p["r"], "is/"+free, person(p["v"]), person(p["f"]))
	c.Change = c.Change || strings.Contains(" "+strings.ToLower(p["r"])+" ", " new ")
	return c, ok
}

// person is a name in small letters; the speaker is "i".
func person(name string) string {
	low := strings.ToLower(name)
	if low == "me" {
		return "i"
	}
	return low
}
