package claim

import (
	"regexp"
	"strconv"
	"strings"

	"holdfast/internal/search/analysis"
)

// Kinds of values.
const (
	number = "number"
	clock  = "clock"
	day    = "day"
	colour = "colour"
	state  = "state" // of a scale
	mail   = "mail"
	dial   = "dial" // a telephone number
	free   = "free"
)

// value is what an attribute has.
type value struct {
	kind  string
	scale string // of kind state
	unit  string // of kind number
	text  string // normalised words
}

// parse reads a value; timed tells that a bare number is a time of day.
func parse(text string, timed bool) (value, bool) {
	list := strings.Fields(text)
	if len(list) == 0 || len(list) > 7 {
		return value{}, false
	}
	for i, w := range list {
		low := strings.ToLower(w)
		switch {
		case low == "may" && w == "May":
		case doubts[low], breaks[low], i > 0 && pronouns[low], pronouns[low] && low != "my" && low != "our":
			return value{}, false
		}
	}
	low := strings.ToLower(strings.TrimSpace(text))
	for _, read := range []func(string, bool) (value, bool){readDay, readClock, readDial, readNumber, readState} {
		if v, ok := read(low, timed); ok {
			return v, true
		}
	}
	return readFree(low)
}

// breaks are words that begin another clause or another item.
var breaks = words(`and or but ; , & with without by through via since because so that more less fewer over under between
	plus least most up-to as for who`)

var pronouns = words(`i he she it they we you his her its their my our your us them him me`)

var ordinal = regexp.MustCompile(`^(\d{1,2})(?:st|nd|rd|th)$`)

// readDay reads a weekday or a date: its words, in any order.
func readDay(text string, _ bool) (value, bool) {
	text, _, _ = strings.Cut(text, " at ")
	var out []string
	named := false
	for w := range strings.FieldsSeq(text) {
		if m := ordinal.FindStringSubmatch(w); m != nil {
			w = m[1]
		}
		w = strings.TrimSuffix(w, ",")
		single := strings.TrimSuffix(w, "s")
		switch {
		case weekdays[single]:
			w, named = single, true
		case months[w], w == "tomorrow", isoDate.MatchString(w):
			named = true
		case w == "the" || w == "of" || w == "on" || w == "next" || w == "every" || w == "coming":
			continue
		case !digits.MatchString(w) || len(w) > 4:
			return value{}, false
		}
		out = append(out, w)
	}
	return value{kind: day, text: strings.Join(out, " ")}, named
}

var (
	digits    = regexp.MustCompile(`^\d+$`)
	isoDate   = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	timeOfDay = regexp.MustCompile(`^(\d{1,2})(?:[:.h](\d\d))?h? ?(am|pm|a\.m|p\.m|o'clock)?$`)
	halfPast  = regexp.MustCompile(`^(half|quarter) (past|to) (\w+)$`)
)

// readClock reads a time of day, to the minute.
func readClock(text string, timed bool) (value, bool) {
	text = strings.TrimPrefix(text, "at ")
	switch text {
	case "noon":
		return value{kind: clock, text: "12:00"}, true
	case "midnight":
		return value{kind: clock, text: "0:00"}, true
	}
	if m := halfPast.FindStringSubmatch(text); m != nil {
		return spoken(m[1], m[2], m[3])
	}
	if n, ok := numbers[text]; ok {
		text = n
	}
	m := timeOfDay.FindStringSubmatch(text)
	if m == nil || !timed && m[3] == "" && !strings.Contains(text, ":") {
		return value{}, false
	}
	hour, _ := strconv.Atoi(m[1])
	if m[3] != "" && m[3][0] == 'p' && hour < 12 {
		hour += 12
	}
	minute := m[2]
	if minute == "" {
		minute = "00"
	}
	return value{kind: clock, text: strconv.Itoa(hour) + ":" + minute}, hour < 25
}

// spoken reads half past nine and a quarter to ten.
func spoken(part, side, hour string) (value, bool) {
	if n, ok := numbers[hour]; ok {
		hour = n
	}
	h, err := strconv.Atoi(hour)
	if err != nil || h > 24 {
		return value{}, false
	}
	minutes := map[string]string{"half past": "30", "quarter past": "15", "quarter to": "45"}[part+" "+side]
	if side == "to" {
		h--
	}
	return value{kind: clock, text: strconv.Itoa(h) + ":" + minutes}, minutes != ""
}

var dialled = regexp.MustCompile(`^\+?[\d -]{7,20}$`)

func readDial(text string, _ bool) (value, bool) {
	if !dialled.MatchString(text) {
		return value{}, false
	}
	return value{kind: dial, text: strings.NewReplacer(" ", "", "-", "").Replace(text)}, true
}

var amount = regexp.MustCompile(`^([€$£])?(\d[\d,]*(?:\.\d+)?)(%|[a-z]{1,2})?((?: [a-z]+){0,3})$`)

// readNumber reads a number with its unit.
func readNumber(text string, _ bool) (value, bool) {
	first, rest, _ := strings.Cut(text, " ")
	if n, ok := numbers[first]; ok {
		text = strings.TrimSpace(n + " " + rest)
	}
	m := amount.FindStringSubmatch(text)
	if m == nil {
		return value{}, false
	}
	var unit []string
	for w := range strings.FieldsSeq(m[1] + " " + m[3] + m[4]) {
		if full, ok := units[w]; ok {
			w = full
		}
		unit = append(unit, analysis.Stem(w))
	}
	v := value{kind: number, unit: strings.Join(unit, " ")}
	v.text = strings.TrimSpace(strings.ReplaceAll(m[2], ",", "") + " " + v.unit)
	return v, true
}

// readState reads a colour or a state of a scale.
func readState(text string, _ bool) (value, bool) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "a "), "switched ")
	if colours[text] {
		return value{kind: colour, text: text}, true
	}
	name, ok := scales[strings.ReplaceAll(text, " ", "_")]
	return value{kind: state, scale: name, text: text}, ok
}

// readFree reads any other value: its words without articles.
func readFree(text string) (value, bool) {
	kind := free
	if strings.Contains(text, "@") {
		kind = mail
	}
	var out []string
	for w := range strings.FieldsSeq(text) {
		if w == "the" || w == "a" || w == "an" || w == "my" || w == "our" {
			continue
		}
		out = append(out, strings.TrimSuffix(w, "'s"))
	}
	return value{kind: kind, text: strings.Join(out, " ")}, len(out) > 0
}

// same tells whether two values may be one: the words of one are among the other's.
func same(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	return within(a, b) || within(b, a)
}

func within(a, b string) bool {
	all := words(b)
	for w := range strings.FieldsSeq(a) {
		if !all[w] {
			return false
		}
	}
	return true
}
