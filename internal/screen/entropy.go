package screen

import (
	"math"
	"slices"
	"strings"
)

// placeholders are parts of values that stand where a secret would.
var placeholders = []string{
	"example", "sample", "placeholder", "your", "xxxx", "change", "replace", "redacted", "dummy", "insert", "secret", "password", "token",
	"abcdef", "123456", "....", "****", "0000", "test", "todo", "value", "here", "fake", "none", "null", "undefined", "false",
}

// placeheld: the value only stands where a secret would.
func placeheld(s string) bool {
	low := strings.ToLower(s)
	for _, p := range placeholders {
		if strings.Contains(low, p) {
			return true
		}
	}
	return false
}

// entropy is the Shannon entropy of the characters, in bits a character.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			share := float64(n) / float64(len(s))
			bits -= share * math.Log2(share)
		}
	}
	return bits
}

// Least entropy of a drawn value, in bits a character, and the least share of what
// its length allows. Names of things in English have 2.5 to 3.2 bits, drawn letters
// and digits over 3.5.
const (
	minEntropy = 3.2
	minShare   = 0.75
)

// random: the characters look drawn, not written: many different ones, not the name
// of a thing, no placeholder.
func random(s string) bool {
	return entropy(s) >= min(minEntropy, math.Log2(float64(len(s)))*minShare) && !identifier(s) && !filler(s)
}

// filler: the value shows its form only ("xxxx…", "0123…", "abcd…").
func filler(s string) bool {
	low := strings.ToLower(s)
	for _, f := range []string{"xxxx", "example", "placeholder", "your", "0000", "1234567", "abcdefg", "redacted"} {
		if strings.Contains(low, f) {
			return true
		}
	}
	return false
}

// strong: a password that somebody chose or drew to be one: at least 8 characters
// of three sorts, or a long drawn one.
func strong(s string) bool {
	if len(s) < 8 || placeheld(s) || strings.Count(s, "/") > 1 || strings.ContainsAny(s, "${}<>()[]") {
		return false
	}
	return sorts(s) >= 3 && strings.ContainsAny(s, "0123456789") || len(s) >= 16 && random(s)
}

// minHumps is the fewest capitals behind small letters in a drawn row of letters.
const minHumps = 3

// humped: letters in mixed case, as a drawn password without digits or one of words
// run together has them.
func humped(s string) bool {
	humps := 0
	for i := range len(s) {
		if i > 0 && upper(s[i]) && lower(s[i-1]) {
			humps++
		} else if !upper(s[i]) && !lower(s[i]) {
			return false
		}
	}
	return humps >= minHumps && len(s) >= 10 && !placeheld(s)
}

// sorts counts which of small letters, capitals, digits and signs occur.
func sorts(s string) int {
	var small, capital, number, sign int
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			small = 1
		case upper(c):
			capital = 1
		case c >= '0' && c <= '9':
			number = 1
		default:
			sign = 1
		}
	}
	return small + capital + number + sign
}

// identifier: the name of a thing, whose parts are each only letters or only digits
// ("prod-eu-west-1-cluster"), or a UUID. A long part in mixed case is no word.
func identifier(s string) bool {
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("-_./", r) })
	if len(parts) == 5 && len(s) == 36 {
		return true
	}
	return !slices.ContainsFunc(parts, func(part string) bool {
		return sorts(part) > 1 && (len(part) >= minDrawn || strings.ContainsAny(part, "0123456789"))
	})
}
