package claim

import (
	"regexp"
	"strings"
)

// reading is a claim with the place of its value in the clause.
type reading struct {
	Claim
	at      int  // where the value's words begin
	event   bool // the form tells of an event, which a time in the past may date
	trailer string
}

// readLine reads a flattened text: one clause, or one that denies the old value
// beside one that gives the new.
func readLine(line string) (Claim, bool) {
	if strings.Count(line, " ") >= mostWords || strings.Count(line, ";") > 1 {
		return Claim{}, false
	}
	if temporary.MatchString(line) {
		return Claim{}, false
	}
	if strings.Contains(line, " changed ") {
		line = changedTo.ReplaceAllString(line, "$1 is now $2")
	}
	line, c := strip(line)
	if c.future {
		return Claim{}, false
	}
	for _, read := range []func(string) (Claim, bool){readContrast, readInstead} {
		if out, ok := read(line); ok {
			return out, true
		}
	}
	if strings.Contains(line, ";") {
		return Claim{}, false
	}
	r, ok := readClause(line, c)
	return r.Claim, ok
}

const mostWords = 30

var temporary = regexp.MustCompile(`(?i)\b(?:(?:by|until|for|right|up to|even) now|now that|used to be|as well|too|in the past)\b|\bwas .*\bin the past\b`)

// changedTo reads "has changed, it is now".
var changedTo = regexp.MustCompile(`(?i)^(.+?) (?:has |was |has been )?changed [,;] it is (?:now )?(.+)$`)

// frame is what stands around a clause: words of change and of time.
type frame struct{ change, dated, future bool }

// strip takes off what leads into a clause, and notes what it says.
func strip(line string) (string, frame) {
	var f frame
	for {
		low := strings.ToLower(line)
		if m := changeWord.FindString(low); m != "" {
			f.change, line = true, line[len(m):]
		} else if m := neutralWord.FindString(low); m != "" {
			line = line[len(m):]
		} else if m := eventWord.FindString(low); m != "" {
			f.dated, line = true, line[len(m):]
		} else {
			f.future = f.future || futureWord.MatchString(low)
			return line, f
		}
	}
}

const (
	saysChange = `(?:from now on|as of (?:now|today|yesterday|this \w+|last \w+)|effective (?:immediately|today|now)|starting (?:now|today)|` +
		`since (?:today|yesterday|this (?:week|month|morning|year|spring|summer|autumn|winter)|last \w+)|with immediate effect|instead)`
	saysNothing = `(?:these days|nowadays|currently|since \d{4}|since ` + anyMonth + `(?: \d{4})?|for (?:the (?:last|past) )?(?:\w+ )?(?:years?|months|weeks))`
	saysWhen    = `(?:today|yesterday|recently|last (?:week|month|night|weekend|` + anyDay + `)|this (?:week|month|morning|weekend)|on ` + anyDay + `|in ` + anyMonth + `)`
	anyMonth    = `(?:january|february|march|april|may|june|july|august|september|october|november|december)`
	anyDay      = `(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)`
)

var (
	changeWord  = regexp.MustCompile(`^(?:now |` + saysChange + ` )(?:, )?`)
	neutralWord = regexp.MustCompile(`^` + saysNothing + ` (?:, )?`)
	eventWord   = regexp.MustCompile(`^` + saysWhen + ` (?:, )?`)
	futureWord  = regexp.MustCompile(`^(?:as of|from|starting|beginning|effective|since|next|tomorrow|in|on) `)
	changeTail  = regexp.MustCompile(`(?: ,)? ` + saysChange + `$`)
	neutralTail = regexp.MustCompile(`(?: ,)? ` + saysNothing + `$`)
	eventTail   = regexp.MustCompile(`(?: ,)? ` + saysWhen + `$`)
	futureTail  = regexp.MustCompile(` (?:as of|starting|beginning|effective) (?:next|tomorrow|` + anyDay + `|` + anyMonth + `|\d)|` +
		` from (?:next|tomorrow)| from ` + anyDay + ` on$`)
	willBe = regexp.MustCompile(`(?i) will be (on|at) `)
)

// readClause reads one clause within its frame.
func readClause(line string, f frame) (reading, bool) {
	low := strings.ToLower(line)
	if futureTail.MatchString(low) {
		return reading{}, false
	}
	line, f = withoutTail(line, f)
	line, f = withoutAdverbs(line, f)
	line, f = withoutTail(line, f)
	if f.change {
		line = willBe.ReplaceAllString(line, " is $1 ")
	}
	r, ok := reading{}, false
	if m := eventTail.FindString(strings.ToLower(line)); m != "" {
		if r, ok = match(line[:len(line)-len(m)]); !r.event {
			ok = false
		}
	}
	if !ok {
		r, ok = match(line)
	}
	r.Change = r.Change || f.change
	return r, ok && (!f.dated || r.event)
}

// withoutTail takes off what ends a clause beside the value.
func withoutTail(line string, f frame) (string, frame) {
	for {
		low := strings.ToLower(line)
		if m := changeTail.FindString(low); m != "" {
			f.change, line = true, line[:len(line)-len(m)]
		} else if m := neutralTail.FindString(low); m != "" {
			line = line[:len(line)-len(m)]
		} else {
			return line, f
		}
	}
}

// withoutAdverbs takes out words of time that may stand anywhere.
func withoutAdverbs(line string, f frame) (string, frame) {
	var out []string
	for w := range strings.FieldsSeq(line) {
		switch strings.ToLower(w) {
		case "now":
			f.change = true
		case "just", "recently", "finally", "officially", "permanently", "currently":
		default:
			out = append(out, w)
		}
	}
	return strings.Trim(strings.Join(out, " "), " ,"), f
}

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
	who := was.trailer
	tries := []string{after, who + " " + opening.ReplaceAllString(after, "")}
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
