package analysis

import "strings"

// clauseSigns part what a text says in one sentence or several.
var clauseSigns = []string{"; ", ". ", ": ", " - ", " – ", " — ", ", and ", ", so ", ", but ", ", now ", " and ", " so "}

// leastClause is the fewest words of a clause that says something on its own.
const leastClause = 3

// mostClauses is how many a text has at most; one of more is a list or a story.
const mostClauses = 6

// Clauses are the parts of a text that say something each; none where it is one, or of too
// many.
func Clauses(text string) []string {
	parts := []string{text}
	for _, sign := range clauseSigns {
		var next []string
		for _, part := range parts {
			next = append(next, strings.Split(part, sign)...)
		}
		parts = next
	}
	if len(parts) > mostClauses {
		return nil
	}
	var out []string
	for _, part := range parts {
		framed := withoutFrame(part)
		if (len(parts) > 1 || framed != part) && len(strings.Fields(framed)) >= leastClause {
			out = append(out, framed)
		}
	}
	return out
}

// withoutFrame leaves out since or after what something is so, where a text begins with it:
// "since the move", with a comma or as three words.
func withoutFrame(text string) string {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return text
	}
	if first := strings.ToLower(fields[0]); first != "since" && !outsets[first] {
		return text
	}
	if _, rest, ok := strings.Cut(text, ", "); ok {
		return rest
	}
	if len(fields) > 3 && determiners[strings.ToLower(fields[1])] {
		return strings.Join(fields[3:], " ")
	}
	return text
}
