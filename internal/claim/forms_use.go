package claim

import "strings"

// candidates are the attributes that "from A to B" may mean where neither tells:
// the value that was says which.
var candidates = []string{"hosted", "written", "stored", "drive", work, where}

// useForms tell what somebody or something uses in place of another.
var useForms = []form{
	rule(subjectPart+`(?:has |have |was |has been )?(?:switched|changed|migrated|moved|converted|swapped|upgraded) `+direction+`from (?P<f>.+?) to (?P<v>.+)$`, true, exchanged),
	rule(actor+`(?:replaced|swapped) (?P<f>.+?) (?:with|by|for) (?P<v>.+?) in (?P<s>(?:the|our|my) .+)$`, true, exchanged),
	rule(subjectPart+`(?:has |have )?(?:replaced|swapped) (?P<f>.+?) (?:with|by|for) (?P<v>.+)$`, true, exchanged),
}

// exchanged reads one thing in the place of another that is named.
func exchanged(p parts) (Claim, bool) {
	if p["f"] == "" || isPerson(p["s"]) && places[strings.ToLower(p["f"])] && !isPlace(p["v"]) {
		return Claim{}, false
	}
	p["v"] = possessive.ReplaceAllString(p["v"], "")
	c, ok := freely(p, uses)
	c.also = candidates
	return c, ok
}
