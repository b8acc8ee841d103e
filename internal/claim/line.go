package claim

import (
	"regexp"
	"strings"
)

// reading is a claim with the place of its value in the clause.
type reading struct {
	Claim
	at    int    // where the value's words begin
	event bool   // the form tells of an event, which a time in the past may date
	who   string // the subject's words
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
