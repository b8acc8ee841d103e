package deliver

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"
)

// names is a resolver of a few hosts.
func names(_ context.Context, host string) ([]netip.Addr, error) {
	known := map[string]string{
		"hooks.example": "93.184.215.14 2606:2800:21f:cb07:6820:80da:af6b:8b2c", "inside.example": "10.0.0.7",
		"mixed.example": "93.184.215.14 127.0.0.1", "mapped.example": "::ffff:192.168.1.1", "localhost": "127.0.0.1 ::1",
		"mapped-public.example": "::ffff:93.184.215.14", "localhost.": "127.0.0.1", "nat64.example": "64:ff9b::7f00:1",
	}
	if known[host] == "" {
		return nil, errors.New("no such host")
	}
	var out []netip.Addr
	for text := range strings.FieldsSeq(known[host]) {
		out = append(out, netip.MustParseAddr(text))
	}
	return out, nil
}

func TestT22TargetsAreThoseOfTheInternetByHTTPS(t *testing.T) {
	c := New(Options{Resolve: names})
	for _, fine := range []string{
		"https://1.1.1.1/hook", "https://1.1.1.1:8443", "HTTPS://hooks.example/a?b=c%20d", "https://hooks.example:443/", "https://mapped-public.example/",
		"https://[2606:4700:4700::1111]/h", "https://[2606:4700:4700::1111]:8443/h", "https://[::ffff:1.1.1.1]/", "https://nowhere.example/", "https://a_b.example/",
	} {
		if rule := c.Check(t.Context(), fine); rule != "" {
			t.Errorf("%s %s", fine, rule)
		}
	}
	for rule, broken := range map[string][]string{
		ruleForm: {
			"", "https://", "https:///h", "1.1.1.1/h", "//1.1.1.1/h", "ftp://1.1.1.1/h", "javascript:alert(1)", "https:1.1.1.1/h", "https://user@1.1.1.1/h",
			"https://user:word@1.1.1.1/h", "https://1.1.1.1@127.0.0.1/", "https://1.1.1.1\\@127.0.0.1/", "https://1.1.1.1/h#x", "https://1.1.1.1/h#",
			"https://1.1.1.1:/h", "https://1.1.1.1:0/h", "https://1.1.1.1:65536/h", "https://1.1.1.1:http/h", "https://1.1.1.1:0443/h", "https://1.1.1.1:-1/h",
			" https://1.1.1.1/", "https://1.1.1.1 /", "https://1.1.1.1\r\nX: y/", "https://%31%32%37.0.0.1/", "https://hooks.example%00.evil/",
			"https://1.1.1.1/" + strings.Repeat("x", MaxURL), "file:///etc/passwd", "gopher://1.1.1.1/", "https://[::1/h",
		},
		ruleHost: {
			"https://2130706433/", "https://0x7f000001/", "https://0x7f.0.0.1/", "https://127.1/", "https://0177.0.0.1/", "https://127.0.0.01/", "https://1.1.1.1./",
			"https://127.0.0.0x1/", "https://a.0X/", "https://[fe80::1%25eth0]/", "https://[1.1.1.1]/", "https://hooks..example/", "https://.example/", "https://-a.example/",
			"https://hooks.exämple/", "https://１２７.0.0.1/", "https://ⓛocalhost/", "https://a b.example/", "https://" + strings.Repeat("a.", 127) + "example/", "https://" + strings.Repeat("a", 64) + ".example/",
		},
		ruleTarget: {
			"https://127.0.0.1/", "https://127.9.9.9/", "https://[::1]/", "https://0.0.0.0/", "https://[::]/", "https://10.1.2.3/", "https://172.16.0.9/", "https://172.31.255.255/",
			"https://192.168.1.1/", "https://169.254.169.254/latest", "https://[fe80::1]/", "https://[fd00::1]/", "https://[fd00:ec2::254]/", "https://[fec0::1]/", "https://100.64.0.1/",
			"https://100.100.100.200/", "https://168.63.129.16/", "https://192.0.0.192/", "https://224.0.0.1/", "https://239.255.255.250/", "https://255.255.255.255/", "https://240.0.0.1/",
			"https://[ff02::1]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:a9fe:a9fe]/", "https://[::127.0.0.1]/", "https://[64:ff9b::127.0.0.1]/", "https://[64:ff9b::101:101]/",
			"https://[64:ff9b:1::a00:1]/", "https://[2002:7f00:1::]/", "https://[2001:0:1::1]/", "https://[2001:db8::1]/", "https://198.18.0.1/", "https://192.0.2.1/", "https://203.0.113.9/",
			"https://localhost/", "https://LOCALHOST./", "https://inside.example/", "https://mixed.example/", "https://mapped.example/", "https://nat64.example/", "http://127.0.0.1/",
		},
		ruleScheme: {"http://1.1.1.1/h", "http://hooks.example/", "http://nowhere.example/"},
	} {
		for _, address := range broken {
			lower := address
			if strings.Contains(address, "LOCALHOST") {
				lower = strings.ToLower(address)
			}
			if got := c.Check(t.Context(), lower); got != rule && !(rule == ruleHost && got == ruleForm) {
				t.Errorf("%q: %q, want %q", address, got, rule)
			}
		}
	}
}

func TestT49AllowedNetworksChangeOnlyWhatTheyList(t *testing.T) {
	c := New(Options{Resolve: names, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	for _, fine := range []string{"http://127.0.0.1:9/h", "https://127.0.0.1/h", "https://127.9.9.9/h", "https://1.1.1.1/h", "https://[::ffff:127.0.0.1]/", "https://mixed.example/"} {
		if rule := c.Check(t.Context(), fine); rule != "" {
			t.Errorf("%s %s", fine, rule)
		}
	}
	for _, broken := range []string{"http://1.1.1.1/h", "https://[::1]/h", "https://localhost/h", "https://10.0.0.1/", "http://10.0.0.1/", "http://mixed.example/", "ftp://127.0.0.1/"} {
		if c.Check(t.Context(), broken) == "" {
			t.Errorf("%s is taken", broken)
		}
	}
}

// FuzzWhatIsTakenIsOfTheInternet: whatever an address looks like, what is taken as a
// literal is public, and what is taken as a name is one that no resolver reads as an
// address.
func FuzzWhatIsTakenIsOfTheInternet(f *testing.F) {
	for _, seed := range []string{"https://1.1.1.1/", "https://[::ffff:7f00:1]:1/", "https://0x7f.1/", "https://a.example./", "http://127.0.0.1"} {
		f.Add(seed)
	}
	c := New(Options{Resolve: func(context.Context, string) ([]netip.Addr, error) { return nil, errors.New("none") }})
	f.Fuzz(func(t *testing.T, address string) {
		if c.Check(context.Background(), address) != "" {
			return
		}
		at, _ := parse(address)
		if at.plain || at.literal.IsValid() && !public(at.literal) {
			t.Errorf("%q is taken", address)
		}
		if _, err := netip.ParseAddr(strings.TrimSuffix(at.host, ".")); err == nil && !at.literal.IsValid() {
			t.Errorf("%q: an address is taken for a name", address)
		}
	})
}
