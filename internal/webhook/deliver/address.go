package deliver

import (
	"net/netip"
	"slices"
)

// reserved are the IPv4 networks that are not the Internet's, and what lies on it but
// answers only to the machine that asks.
var reserved = prefixes(
	"0.0.0.0/8",        // this network
	"10.0.0.0/8",       // private
	"100.64.0.0/10",    // shared by carriers
	"127.0.0.0/8",      // loopback
	"168.63.129.16/32", // a cloud's platform address
	"169.254.0.0/16",   // link-local, instance metadata
	"172.16.0.0/12",    // private
	"192.0.0.0/24",     // protocol assignments
	"192.0.2.0/24",     // documentation
	"192.31.196.0/24",  // AS112
	"192.52.193.0/24",  // AMT
	"192.88.99.0/24",   // 6to4 relays
	"192.168.0.0/16",   // private
	"192.175.48.0/24",  // AS112
	"198.18.0.0/15",    // benchmarks
	"198.51.100.0/24",  // documentation
	"203.0.113.0/24",   // documentation
	"224.0.0.0/4",      // multicast
	"240.0.0.0/4",      // reserved, broadcast
)

// global is the IPv6 space that hosts of the Internet have their addresses in. It
// leaves out the rest, so also ::, ::1, addresses that hold one of IPv4 (::/96,
// NAT64 64:ff9b::/96 and 64:ff9b:1::/48), unique local, link-local and multicast ones.
var global = netip.MustParsePrefix("2000::/3")

// reserved6 are the parts of global that are not hosts'.
var reserved6 = prefixes(
	"2001::/23",         // protocol assignments, Teredo
	"2001:db8::/32",     // documentation
	"2002::/16",         // 6to4, which holds an IPv4 address
	"2620:4f:8000::/48", // AS112
	"3fff::/20",         // documentation
)

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

// public tells an address of the Internet. An IPv4 address in IPv6 form counts as
// what it is.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	if a.Is4() {
		return !within(reserved, a)
	}
	return global.Contains(a) && !within(reserved6, a)
}

func within(networks []netip.Prefix, a netip.Addr) bool {
	a = a.Unmap()
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(a) })
}
