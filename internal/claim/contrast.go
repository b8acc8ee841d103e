package claim

import (
	"regexp"
	"strings"
)

// denials are the ways to say that a value is over, each with what is left of the
// clause when the denial is taken out.
var denials = []struct {
	over  *regexp.Regexp
	stays string
}{
	{regexp.MustCompile(`(?i)^(.+?) no longer (.+)$`), "$1 $2"},
	{regexp.MustCompile(`(?i)^(.+?) (is|are|am|has|have) no longer (.+)$`), "$1 $2 $3"},
	{regexp.MustCompile(`(?i)^(.+?) does not (\w+) (.+) (?:any more|any longer)$`), "$1 ${2}s $3"},
	{regexp.MustCompile(`(?i)^(.+?) do not (\w+) (.+) (?:any more|any longer)$`), "$1 $2 $3"},
	{regexp.MustCompile(`(?i)^(.+?) (is|are|am) not (.+) (?:any more|any longer)$`), "$1 $2 $3"},
	{regexp.MustCompile(`(?i)^(.+?) used to (.+)$`), "$1 $2"},
}

var joint = regexp.MustCompile(`(?i) (?:; |, )?(?:but now|and now|but|now|;|,) `)

// readContrast reads "no longer A but B", "used to A, now B" and their like.
func readContrast(line string) (Claim, bool) {
	for _, at := range joint.FindAllStringIndex(line, 3) {
		before, after := line[:at[0]], line[at[1]:]
		for _, d := range denials {
			if !d.over.MatchString(before) {
				continue
			}
			was, ok := readClause(d.over.ReplaceAllString(before, d.stays), frame{})
			if !ok {
				continue
			}
			if is, ok := was.other(d.over.ReplaceAllString(before, d.stays), after); ok {
				return is, true
			}
		}
	}
	return Claim{}, false
}

var opening = regexp.MustCompile(`^(?i:he|she|it|they|i|we) `)

// other reads what follows a denial: a clause of its own, one without its subject,
// or a value alone.
func (was reading) other(clause, after string) (Claim, bool) {
	if strings.Contains(after, " ;") || was.Change {
		return Claim{}, false
	}
	after, f := strip(after)
	tries := []string{after, was.who + " " + opening.ReplaceAllString(after, "")}
	if was.at > 0 && was.at <= len(clause) {
		prefix := strings.TrimSpace(clause[:was.at])
		tail := withoutRepeat(prefix, after)
		_, unit, _ := strings.Cut(clause[was.at:], " ")
		tries = append(tries, prefix+" "+tail, prefix+" "+tail+" "+unit)
	}
	for _, try := range tries {
		is, ok := readClause(try, f)
		if ok && is.Subject == was.Subject && is.Attribute == was.Attribute && !same(is.Value, was.Value) {
			is.Change, is.From = true, was.Value
			return is.Claim, true
		}
	}
	return Claim{}, false
}

// withoutRepeat drops a preposition that the clause before has already.
func withoutRepeat(prefix, after string) string {
	first, rest, _ := strings.Cut(after, " ")
	if strings.HasSuffix(prefix, " "+first) {
		return rest
	}
	return after
}

var insteadOf = regexp.MustCompile(`(?i) (?:instead of|rather than|, (?:and )?not|, no longer) `)

// readInstead reads "B instead of A" and "B, not A".
func readInstead(line string) (Claim, bool) {
	at := insteadOf.FindStringIndex(line)
	if at == nil {
		return Claim{}, false
	}
	clause, f := withoutAdverbs(line[:at[0]], frame{})
	clause = strings.TrimSuffix(clause, " these days")
	is, ok := readClause(clause, f)
	if !ok || is.at == 0 || is.at > len(clause) {
		return Claim{}, false
	}
	prefix := strings.TrimSpace(clause[:is.at])
	was, ok := readClause(prefix+" "+withoutRepeat(prefix, line[at[1]:]), frame{})
	if !ok {
		_, unit, _ := strings.Cut(clause[is.at:], " ")
		was, ok = readClause(prefix+" "+line[at[1]:]+" "+unit, frame{})
	}
	if !ok || was.Subject != is.Subject || kindOf(was.Attribute) != kindOf(is.Attribute) {
		return Claim{}, false
	}
	is.Change, is.From = true, was.Value
	return is.Claim, true
}

// kindOf is an attribute without the unit of its numbers.
func kindOf(attribute string) string {
	kind, _, _ := strings.Cut(attribute, " ")
	return kind
}
