package store

import (
	"math"
	"math/big"
	"strings"
	"testing"
)

func TestNumbersHaveOneNormalForm(t *testing.T) {
	digits := strings.Repeat("9", MaxDigits)
	for _, c := range []struct{ text, want string }{
		{"0", "0e0"}, {"-0", "0e0"}, {"0.000", "0e0"}, {"000", "0e0"}, {"0e5", "0e0"},
		{"7", "7e0"}, {"007", "7e0"}, {"+7", "7e0"}, {"7.0", "7e0"}, {"70e-1", "7e0"}, {"0.07e2", "7e0"},
		{"-120", "-12e1"}, {"-1.2E2", "-12e1"}, {".5", "5e-1"}, {"5.", "5e0"}, {"0.00120", "12e-4"},
		{"1000000000000000000000", "1e21"}, {"1e21", "1e21"}, {digits, digits + "e0"}, {digits + "0", digits + "e1"},
		{"1e125", "1e125"}, {"1e-130", "1e-130"}, {"12e124", "12e124"},
		{"", ""}, {"-", ""}, {".", ""}, {"e1", ""}, {"1e", ""}, {"1e1.5", ""}, {"1e1e1", ""}, {"0x10", ""}, {"1_000", ""},
		{"1/2", ""}, {"٣", ""}, {" 1", ""}, {"NaN", ""}, {"Inf", ""}, {"+-1", ""}, {"1e126", ""}, {"1e-131", ""}, {"12e125", ""},
		{digits + "9", ""}, {"1." + digits, ""}, {"1e999999999999999999999", ""}, {"1e-1001", ""},
		{strings.Repeat("0", maxNumber) + "1", ""},
	} {
		if got := normalNumber(c.text); got != c.want {
			t.Errorf("%q is %q, not %q", c.text, got, c.want)
		}
		if validNumber(c.text) != (c.want != "") {
			t.Errorf("%q: valid %v", c.text, validNumber(c.text))
		}
	}
}

// FuzzNormalNumber compares with exact fractions: two numbers have one normal form
// when they are equal, and only then.
func FuzzNormalNumber(f *testing.F) {
	for _, pair := range [][2]string{{"1", "1.0"}, {"-0", "0"}, {"1e2", "100"}, {".5", "5e-1"}, {"0x1", "1"}, {"12345678901234567890", "1"}} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := normalNumber(a), normalNumber(b)
		if x == "" || y == "" {
			return
		}
		left, okLeft := new(big.Rat).SetString(a)
		right, okRight := new(big.Rat).SetString(b)
		if !okLeft || !okRight {
			t.Fatalf("%q or %q is no number", a, b)
		}
		if (left.Cmp(right) == 0) != (x == y) {
			t.Errorf("%q and %q are %q and %q", a, b, x, y)
		}
		if again := normalNumber(x); again != x {
			t.Errorf("%q is %q, and that is %q", a, x, again)
		}
	})
}

func TestAddWhole(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int64
		want string // empty: refused
	}{
		{"0", 0, "0"}, {"5", -7, "-2"}, {"-5", 5, "0"}, {"5.0", 1, "6"}, {"50e-1", 1, "6"}, {"1e3", 1, "1001"},
		{"9223372036854775806", 1, "9223372036854775807"}, {"9223372036854775807", 1, ""},
		{"-9223372036854775808", -1, ""}, {"-9223372036854775808", math.MaxInt64, "-1"},
		{"-1", math.MinInt64, ""}, {"0", math.MinInt64, "-9223372036854775808"},
		{"9223372036854775808", -1, ""}, {"0.5", 1, ""}, {"1e19", 1, ""}, {"", 1, ""}, {"x", 1, ""},
	} {
		got, ok := AddWhole(c.text, c.n)
		if ok != (c.want != "") || got != c.want {
			t.Errorf("%s + %d is %q, %v", c.text, c.n, got, ok)
		}
	}
}
