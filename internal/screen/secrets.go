package screen

import (
	"math"
	"strings"
)

// tokenForm is how one issuer writes its keys: a fixed beginning, then at least
// min characters of an alphabet. Forms are those that the issuers document.
type tokenForm struct {
	prefix string
	min    int
	also   string // what the alphabet has beside letters and digits
}

// tokenForms are the keys told by their beginning.
var tokenForms = []tokenForm{
	{"ghp_", 30, ""}, {"gho_", 30, ""}, {"ghu_", 30, ""}, {"ghs_", 30, ""}, {"ghr_", 30, ""}, // GitHub
	{"github_pat_", 22, "_"},
	{"glpat-", 20, "-_"}, {"gldt-", 20, "-_"}, {"glrt-", 20, "-_"}, // GitLab
	{"xoxb-", 20, "-"}, {"xoxp-", 20, "-"}, {"xoxa-", 20, "-"}, {"xoxr-", 20, "-"}, {"xoxs-", 20, "-"}, {"xoxe-", 20, "-"}, {"xapp-", 20, "-"}, // Slack
	{"sk_live_", 16, ""}, {"rk_live_", 16, ""}, {"whsec_", 24, "+/="}, // Stripe
	{"sk-ant-", 20, "-_"}, {"sk-proj-", 20, "-_"}, {"sk-svcacct-", 20, "-_"}, {"sk-or-", 20, "-_"}, {"sk-", 32, ""}, // model vendors
	{"AIza", 35, "-_"}, {"GOCSPX-", 24, "-_"}, {"ya29.", 30, "-_."}, // Google
	{"hf_", 30, ""}, {"r8_", 32, ""}, {"gsk_", 40, ""}, {"xai-", 40, ""}, // model hubs
	{"npm_", 30, ""}, {"pypi-AgE", 40, "-_"}, {"dckr_pat_", 20, "-_"}, {"rubygems_", 40, ""}, // registries
	{"SG.", 40, "-_."}, {"key-", 32, ""}, // mail senders
	{"dop_v1_", 40, ""}, {"glsa_", 32, "_"}, {"hvs.", 24, "-_"}, {"shpat_", 32, ""}, {"lin_api_", 32, ""}, {"sntrys_", 40, "_=+/"},
	{"AGE-SECRET-KEY-1", 40, ""},
	{"hooks.slack.com/services/T", 24, "/"}, {"discord.com/api/webhooks/", 40, "/-_"},
	{"holdfast_", 40, "_"}, // our own (T.2)
}

// findTokens reports keys told by their beginning.
func findTokens(p *page) {
	for _, r := range p.runs {
		for i := range tokenForms {
			p.findForm(r, &tokenForms[i])
		}
	}
}

func (p *page) findForm(r extent, f *tokenForm) {
	for at := r.start; ; {
		next := strings.Index(p.text[at:r.end], f.prefix)
		if next < 0 {
			return
		}
		start := at + next
		body := start + len(f.prefix)
		end := body
		for end < r.end && (alnum(p.text[end]) || strings.IndexByte(f.also, p.text[end]) >= 0) {
			end++
		}
		if end-body >= f.min && !p.inWord(start) && random(p.text[body:end]) {
			p.report(start, end)
		}
		at = end
	}
}

// inWord: the key would start in the middle of a word.
func (p *page) inWord(start int) bool {
	return start > 0 && (alnum(p.text[start-1]) || p.text[start-1] == '_')
}

// awsKey is the length of an AWS access key id, its four-letter kind included.
const awsKey = 20

// findAWS reports access key ids of AWS; those of its documentation, which end in
// EXAMPLE, pass.
func findAWS(p *page) {
	for _, r := range p.runs {
		for at := r.start; at+awsKey <= r.end; at++ {
			key := p.text[at : at+awsKey]
			if key[0] != 'A' || !strings.HasPrefix(key, "AKIA") && !strings.HasPrefix(key, "ASIA") {
				continue
			}
			ends := at+awsKey == r.end || !alnum(p.text[at+awsKey])
			if ends && !p.inWord(at) && capitals(key) && !strings.HasSuffix(key, "EXAMPLE") && random(key[4:]) {
				p.report(at, at+awsKey)
			}
		}
	}
}

func capitals(s string) bool {
	for i := range len(s) {
		if !upper(s[i]) && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return true
}

// findJWT reports signed tokens (RFC 7519): three parts, the first two JSON.
func findJWT(p *page) {
	for _, r := range p.runs {
		run := p.text[r.start:r.end]
		at := strings.Index(run, "eyJ")
		if at < 0 {
			continue
		}
		parts := strings.SplitN(run[at:], ".", 4)
		if len(parts) < 3 || !strings.HasPrefix(parts[1], "eyJ") || len(parts[0])+len(parts[1]) < 30 {
			continue
		}
		if n := keyLength(parts[2], "-_"); n >= 16 && random(parts[2][:n]) {
			p.report(r.start+at, r.start+at+len(parts[0])+len(parts[1])+n+2)
		}
	}
}

func keyLength(s, also string) int {
	n := 0
	for n < len(s) && (alnum(s[n]) || strings.IndexByte(also, s[n]) >= 0) {
		n++
	}
	return n
}

// Private keys: the line that opens one (RFC 7468), and how much of it must follow.
const (
	keyOpening = "PRIVATE KEY"
	keyHeader  = 40
	keyReach   = 300
	keyBody    = 24
)

// findPrivateKeys reports private keys in text form; the opening line alone, as
// manuals show it, passes.
func findPrivateKeys(p *page) {
	for at := 0; ; {
		next := strings.Index(p.text[at:], keyOpening)
		if next < 0 {
			return
		}
		at += next + len(keyOpening)
		open := strings.LastIndex(p.text[max(0, at-keyHeader):at], "-----BEGIN ")
		if open < 0 {
			continue
		}
		rest := p.text[at:min(len(p.text), at+keyReach)]
		body, ok := strings.CutPrefix(strings.TrimPrefix(rest, " BLOCK"), "-----")
		if ok && hasKeyBody(body) {
			p.report(max(0, at-keyHeader)+open, at)
		}
	}
}

// keyBreaks turns the ways in which a key's line ends are kept into line ends.
var keyBreaks = strings.NewReplacer(`\r`, "\n", `\n`, "\n", "\r", "\n", " ", "\n")

// hasKeyBody: after the opening line, and header fields if any, comes base64 as long
// as the start of a key.
func hasKeyBody(s string) bool {
	for line := range strings.SplitSeq(keyBreaks.Replace(s), "\n") {
		n := keyLength(line, "+/")
		switch {
		case n >= keyBody:
			return random(line[:n])
		case line != "" && !headerPart(line):
			return false
		}
	}
	return false
}

// headerPart: a word of a header field, as encrypted and armored keys have them
// ("Proc-Type: 4,ENCRYPTED").
func headerPart(word string) bool {
	return strings.HasSuffix(word, ":") || strings.HasPrefix(word, "4,") || strings.Contains(word, "-CBC,") || strings.Contains(word, "GnuPG")
}

// findConnections reports addresses with a password in them (scheme://user:password@host).
func findConnections(p *page) {
	for _, r := range p.runs {
		run := p.text[r.start:r.end]
		scheme := strings.Index(run, "://")
		if scheme < 1 {
			continue
		}
		user, host, ok := strings.Cut(authority(run[scheme+3:]), "@")
		_, password, both := strings.Cut(user, ":")
		if ok && both && host != "" && strong(password) {
			p.report(r.start, r.start+scheme+3+len(user))
		}
	}
}

// authority is the part of an address before its path.
func authority(s string) string {
	if end := strings.IndexAny(s, "/?#"); end >= 0 {
		return s[:end]
	}
	return s
}

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

// random: the characters look drawn, not written: enough different ones, more
// than one sort, no placeholder.
func random(s string) bool {
	return entropy(s) >= min(3.2, math.Log2(float64(len(s)))*0.75) && sorts(s) >= 2 && !filler(s)
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
