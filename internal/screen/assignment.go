package screen

import (
	"strings"
	"unicode/utf8"
)

// Names that a secret is given, and how far from the name its value may stand.
const (
	maxBetween = 12
	maxValue   = 200
	minValue   = 8
	minDrawn   = 16
)

// assignment finds values given to a name such as api_key or password: a colon or
// an equals sign, then one stretch that is drawn, not written.
type assignment struct{ names, passwords, key, kinds int }

func (a *assignment) prepare(v *vocabulary) {
	a.names, a.passwords = v.step("{secretname}"), v.step("{passwordname}")
	a.key, a.kinds = v.step("key"), v.step("{keykind}")
}

func (a *assignment) find(p *page) {
	if !p.seen.has(a.names) && !p.seen.has(a.passwords) && !p.seen.has(a.key) {
		return
	}
	for i := range p.tokens {
		password := p.has(i, a.passwords)
		if !password && !p.has(i, a.names) && !(i > 0 && p.has(i, a.key) && p.has(i-1, a.kinds)) {
			continue
		}
		start, end := p.assigned(int(p.tokens[i].end))
		value := p.text[start:end]
		if password && len(value) >= minValue && strong(value) || !password && len(value) >= minDrawn && drawn(value) {
			p.report(start, end)
		}
	}
}

// assigned answers where the value stands that the name before at is given.
func (p *page) assigned(at int) (start, end int) {
	rest := p.text[at:min(len(p.text), at+maxBetween)]
	sign := strings.IndexAny(rest, "=:：")
	if sign < 0 || strings.Trim(rest[:sign], "\"'`* _)") != "" {
		return at, at
	}
	_, size := utf8.DecodeRuneInString(rest[sign:])
	start = at + sign + size
	between := p.text[start:min(len(p.text), start+maxBetween)]
	start += len(between) - len(strings.TrimLeft(between, "=:>\"'`* \t"))
	end = start
	for end < len(p.text) && end-start < maxValue && p.text[end] > ' ' && p.text[end] < 0x7f && strings.IndexByte("\"'`,;&", p.text[end]) < 0 {
		end++
	}
	return start, start + len(strings.TrimRight(p.text[start:end], ".!?)"))
}

// drawn: the value of a key: letters and digits in one stretch, of high entropy,
// neither a path, a name, an address nor an expression.
func drawn(s string) bool {
	if strings.ContainsAny(s, "${}<>()[]@:\\") || placeheld(s) || strings.Count(s, ".") > 2 || strings.Count(s, "/") > 2 {
		return false
	}
	digits := 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			digits++
		}
	}
	return digits >= 2 && digits < len(s) && entropy(s) >= 3.3 && !identifier(s)
}

// identifier: parts joined by signs that each are only letters or only digits, as
// in names of things ("prod-eu-west-1-cluster"), or a UUID.
func identifier(s string) bool {
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("-_./", r) })
	if len(parts) == 5 && len(s) == 36 {
		return true
	}
	mixed := 0
	for _, part := range parts {
		if strings.ContainsAny(part, "0123456789") && sorts(part) > 1 {
			mixed++
		}
	}
	return mixed == 0
}
