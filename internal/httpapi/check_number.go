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
	whole, ok := w.numberToken()
	if !ok {
		w.fail()
		return
	}
	token := string(w.src[start:w.pos])
	switch r.kind {
	case wholeKind:
		w.wholeRules(r, token, whole)
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
