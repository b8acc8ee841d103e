package deliver

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// MaxURL is the most bytes of an address.
const MaxURL = 2048

// target is an address that can be looked up.
type target struct {
	host    string
	port    string
	plain   bool       // http
	literal netip.Addr // the host where it is an address itself; else invalid
}

// The rules that addresses break.
const (
	ruleForm   = "must be an https address such as https://hooks.example.com/memory, without user and fragment"
	ruleHost   = "must name a host or an address in its usual form"
	ruleTarget = "must not lead to a private, loopback, link-local or otherwise reserved address"
	ruleScheme = "must be https"
)

// parse reads an address, or says which rule it breaks.
func parse(text string) (t target, rule string) {
	u, err := url.Parse(text)
	if err != nil || len(text) > MaxURL || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil ||
		u.Opaque != "" || u.Fragment != "" || strings.HasSuffix(text, "#") {
		return target{}, ruleForm
	}
	t = target{host: u.Hostname(), port: u.Port(), plain: u.Scheme == "http"}
	if strings.HasSuffix(u.Host, ":") || t.port != "" && !isPort(t.port) {
		return target{}, ruleForm
	}
	if t.port == "" {
		t.port = map[bool]string{true: "80", false: "443"}[t.plain]
	}
	if strings.HasPrefix(u.Host, "[") || endsInNumber(t.host) {
		t.literal, err = netip.ParseAddr(t.host)
		if err != nil || t.literal.Zone() != "" {
			return target{}, ruleHost
		}
		return t, ""
	}
	if !isName(t.host) {
		return target{}, ruleHost
	}
	return t, ""
}

func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0 && strconv.FormatUint(n, 10) == text
}

// endsInNumber tells hosts that some resolvers read as an IPv4 address in one of its
// old forms, such as 0x7f.1 or 2130706433: only the usual form is taken.
func endsInNumber(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := strings.ToLower(host[strings.LastIndex(host, ".")+1:])
	digits := strings.TrimLeft(last, "0123456789") == "" && last != ""
	return digits || strings.HasPrefix(last, "0x") && strings.Trim(last[2:], "0123456789abcdef") == ""
}

// isName tells names of hosts as DNS knows them: of ASCII letters, digits, hyphens
// and underscores.
func isName(host string) bool {
	host = strings.TrimSuffix(host, ".")
	if host == "" || len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(strings.ToLower(host), ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
		if strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
			return false
		}
	}
	return true
}
