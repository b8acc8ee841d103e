package store

import (
	"strconv"
	"strings"
)

// The range of a number's magnitude, as powers of ten
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html).
const (
	minMagnitude = -130 // least power of ten of the first digit
	maxMagnitude = 125  // greatest
	maxExponent  = 1000 // greatest exponent that is read at all
	maxNumber    = 200  // bytes of a number's text
)

// normalNumber is a number's normal text, or empty when it is none, has over 38
// significant digits or is out of range. Two numbers are equal when their normal
// texts are. The form is sign, digits without outer zeros, 'e', power of ten.
func normalNumber(s string) string {
	if plainWhole(s) {
		return wholeNormal(s)
	}
	sign, digits, exp, ok := splitNumber(s)
	if !ok {
		return ""
	}
	trimmed := strings.TrimRight(digits, "0")
	exp += len(digits) - len(trimmed)
	trimmed = strings.TrimLeft(trimmed, "0")
	if trimmed == "" {
		return "0e0"
	}
	first := exp + len(trimmed) - 1
	if len(trimmed) > MaxDigits || first < minMagnitude || first > maxMagnitude {
		return ""
	}
	return sign + trimmed + "e" + strconv.Itoa(exp)
}

// validNumber tells whether a number is within the limits.
func validNumber(s string) bool { return plainWhole(s) || normalNumber(s) != "" }

// plainWhole tells the everyday case: digits that fit 64 bits, perhaps with a
// minus, which needs no closer look.
func plainWhole(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > 18 {
		return false
	}
	return allDigits(digits)
}

func wholeNormal(s string) string {
	digits, minus := strings.CutPrefix(s, "-")
	digits = strings.TrimLeft(digits, "0")
	trimmed := strings.TrimRight(digits, "0")
	if trimmed == "" {
		return "0e0"
	}
	text := trimmed + "e" + strconv.Itoa(len(digits)-len(trimmed))
	if minus {
		return "-" + text
	}
	return text
}

// splitNumber parses [+-] digits [. digits] [e [+-] digits] into sign, all
// digits and the power of ten of the last one.
func splitNumber(s string) (sign, digits string, exp int, ok bool) {
	if len(s) > maxNumber {
		return "", "", 0, false
	}
	mantissa, power, hasPower := cutExponent(s)
	if hasPower {
		var err error
		if exp, err = strconv.Atoi(power); err != nil || exp > maxExponent || exp < -maxExponent {
			return "", "", 0, false
		}
	}
	if rest, minus := strings.CutPrefix(mantissa, "-"); minus {
		sign, mantissa = "-", rest
	} else {
		mantissa = strings.TrimPrefix(mantissa, "+")
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = whole + fraction
	return sign, digits, exp - len(fraction), digits != "" && allDigits(digits)
}

func cutExponent(s string) (mantissa, power string, found bool) {
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// wholeNumber reads a whole number of 64 bits, in any form ("5", "5.0", "5e0").
func wholeNumber(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err == nil {
		return n, true
	}
	digits, power, _ := cutExponent(normalNumber(s))
	zeros, err := strconv.Atoi(power)
	if err != nil || zeros < 0 || zeros > 18 {
		return 0, false
	}
	n, err = strconv.ParseInt(digits+strings.Repeat("0", zeros), 10, 64)
	return n, err == nil
}

// AddWhole adds n to a stored number's text. It is not ok when the text is no
// whole number of 64 bits or the sum is none.
func AddWhole(text string, n int64) (sum string, ok bool) {
	old, ok := wholeNumber(text)
	total := old + n
	if !ok || n > 0 && total < old || n < 0 && total > old {
		return "", false
	}
	return strconv.FormatInt(total, 10), true
}
