package screen

import (
	"strings"
	"unicode/utf8"
)

// How far from a name its value may stand, and the lengths of values, in bytes.
const (
	maxBetween = 12
	maxValue   = 200
	minDrawn   = 16
)

// assignment finds values given to a name such as api_key or password: after a colon,
// an equals sign or "is", one stretch that is drawn, not written.
type assignment struct {
	names, passwords, key, kinds, bearer int // steps
	api, unspaced                        int
	statement
}

func (a *assignment) prepare(v *vocabulary) {
	a.names, a.passwords = v.step("{secretname}"), v.step("{passwordname}")
	a.key, a.kinds, a.bearer = v.step("{keyword}"), v.step("{keykind}"), v.step("bearer")
	a.api, a.unspaced = v.step("api"), v.step("{lastsign}")
	a.statement.prepare(v)
}

func (a *assignment) find(p *page) {
	if !p.seen.has(a.names) && !p.seen.has(a.passwords) && !p.seen.has(a.key) && !p.seen.has(a.bearer) && !p.seen.has(a.unspaced) {
		return
	}
	for i, t := range p.tokens {
		if start, end := a.value(p, i, int(t.end)); start < end {
			p.report(start, end)
		}
	}
}

// value answers where the secret stands that token i names, 0, 0 for none.
func (a *assignment) value(p *page, i, at int) (start, end int) {
	ok := false
	switch {
	case a.isPassword(p, i):
		start, end = a.set(p, i, at)
		ok = strong(p.text[start:end]) || humped(p.text[start:end])
	case a.isKey(p, i):
		start, end = a.set(p, i, at)
		ok = end-start >= minDrawn && drawn(p.text[start:end])
	case p.has(i, a.bearer):
		if strings.HasPrefix(p.text[at:], " ") {
			start, end = p.valueAt(at)
		} else {
			start, end = p.assigned(at)
		}
		ok = end-start >= minDrawn && drawn(p.text[start:end])
	}
	if !ok {
		return 0, 0
	}
	return start, end
}

// isPassword: token i is a word for passwords, or ends one.
func (a *assignment) isPassword(p *page, i int) bool {
	if p.has(i, a.unspaced) {
		return hasAnySuffix(p.text[:p.tokens[i].end], unspacedPasswords)
	}
	return p.has(i, a.passwords)
}

// isKey: token i names a key: "token", "API key", "clave de API".
func (a *assignment) isKey(p *page, i int) bool {
	switch {
	case p.has(i, a.names):
		return true
	case p.has(i, a.key):
		return i > 0 && p.has(i-1, a.kinds)
	case p.has(i, a.api):
		return i > 0 && p.has(i-1, a.key) || i > 1 && p.has(i-2, a.key)
	}
	return false
}

// unspacedPasswords are words for passwords in scripts without blanks.
var unspacedPasswords = []string{"密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "암호"}

func hasAnySuffix(s string, suffixes []string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}

// set answers the value that is given to token i by a sign or by a sentence.
func (a *assignment) set(p *page, i, at int) (start, end int) {
	if start, end = p.assigned(at); start < end {
		return start, end
	}
	return a.statement.value(p, i)
}

// assigned answers where the value stands that the name before at is given by a
// sign.
func (p *page) assigned(at int) (start, end int) {
	rest := p.text[at:min(len(p.text), at+maxBetween)]
	sign := strings.IndexAny(rest, "=:：")
	if sign < 0 || strings.Trim(rest[:sign], "\"'`* _)") != "" {
		return at, at
	}
	_, size := utf8.DecodeRuneInString(rest[sign:])
	return p.valueAt(at + sign + size)
}

// valueAt answers where the value is that stands from at on, behind quotes and
// blanks.
func (p *page) valueAt(at int) (start, end int) {
	between := p.text[at:min(len(p.text), at+maxBetween)]
	start = at + len(between) - len(strings.TrimLeft(between, "=:>\"'`*„“«「 \t"))
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
	return digits >= 2 && digits < len(s) && random(s)
}
