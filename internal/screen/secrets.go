package screen

import "strings"

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
	{"SG.", 40, "-_."}, // mail senders
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
