package httpapi

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// number reads a number and holds it against the rule.
func (w *walker) number(r *rule) {
	start := w.pos
	plain, ok := w.numberToken()
	if !ok {
		w.fail()
		return
	}
	token := string(w.src[start:w.pos])
	switch r.kind {
	case wholeKind:
		text, whole := token, true
		if !plain || token == "-0" {
			if text, whole = wholeOf(token); whole {
				w.out.respell = append(w.out.respell, spelling{start, w.pos, text})
			}
		}
		w.wholeRules(r, text, whole)
	case numberKind, anyKind:
		if value, err := strconv.ParseFloat(token, cmp.Or(r.bits, 64)); err != nil || math.IsInf(value, 0) {
			w.fault("must be a number that fits")
		} else if r.kind == numberKind {
			w.bounds(r, value)
		}
	case rawKind:
	default:
		w.fault(r.say.typ)
	}
}

func (w *walker) wholeRules(r *rule, token string, whole bool) {
	if !whole {
		w.fault(r.say.typ)
		return
	}
	value, err := strconv.ParseInt(token, 10, r.bits)
	if err != nil {
		if message := outOf(r, token); message != "" {
			w.fault(message)
			return
		}
		w.fault("must be a number that fits")
		return
	}
	w.bounds(r, float64(value))
}

// outOf names the bound that a number too long for a machine word is beyond.
func outOf(r *rule, token string) string {
	if strings.HasPrefix(token, "-") {
		return r.say.low
	}
	return r.say.high
}

func (w *walker) bounds(r *rule, value float64) {
	switch {
	case r.low != nil && value < *r.low:
		w.fault(r.say.low)
	case r.above != nil && value <= *r.above:
		w.fault(r.say.above)
	case r.high != nil && value > *r.high:
		w.fault(r.say.high)
	case r.below != nil && value >= *r.below:
		w.fault(r.say.below)
	}
	if r.step != nil && math.Mod(value, *r.step) != 0 {
		w.fault(r.say.step)
	}
	if r.numbers != nil && !slices.Contains(r.numbers, value) {
		w.fault(r.say.enum)
	}
}

// wholeOf writes a JSON number without fraction and exponent, exactly, where its
// value is whole: 64.0 and 1e3 are integers by JSON Schema (2020-12, section 6.1.1).
// Of one that no machine word holds only the first zeros are written out.
func wholeOf(token string) (string, bool) {
	mantissa, power, _ := strings.Cut(strings.ToLower(token), "e")
	digits, negative := strings.CutPrefix(mantissa, "-")
	before, after, _ := strings.Cut(digits, ".")
	all := strings.TrimLeft(before+after, "0")
	if all == "" {
		return "0", true
	}
	short := strings.TrimRight(all, "0")
	zeros := len(all) - len(short) - len(after) + exponent(power)
	if zeros < 0 {
		return "", false
	}
	if negative {
		short = "-" + short
	}
	return short + strings.Repeat("0", min(zeros, 20)), true
}

// exponent reads an exponent within bounds that are beyond any body's length.
func exponent(text string) int {
	const beyond = 1 << 40
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil && n == 0 {
		return 0 // none
	}
	return int(min(max(n, -beyond), beyond)) // ParseInt answers the bound that was passed
}

// numberToken reads a number by the grammar of RFC 8259, section 6; whole tells
// that it has neither fraction nor exponent.
func (w *walker) numberToken() (whole, ok bool) {
	if w.peek() == '-' {
		w.pos++
	}
	if w.peek() == '0' {
		w.pos++
	} else if !w.digits() {
		return false, false
	}
	whole = true
	if w.peek() == '.' {
		w.pos++
		if whole = false; !w.digits() {
			return false, false
		}
	}
	if c := w.peek(); c == 'e' || c == 'E' {
		w.pos++
		if c := w.peek(); c == '+' || c == '-' {
			w.pos++
		}
		if whole = false; !w.digits() {
			return false, false
		}
	}
	return whole, true
}

func (w *walker) digits() bool {
	start := w.pos
	for c := w.peek(); c >= '0' && c <= '9'; c = w.peek() {
		w.pos++
	}
	return w.pos > start
}
