package config

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The sorts of values. Each answers a setter; a setter answers the rule that the
// value breaks, in words that do not repeat the value.

func text(at func(*Config) *string) func(*Config, string) string {
	return func(c *Config, value string) string {
		*at(c) = value
		return printable(value)
	}
}

// printable is the rule of values that go into requests and file names.
func printable(value string) string {
	if !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl) || strings.TrimSpace(value) != value {
		return "must be text without control characters and without white space around it"
	}
	return ""
}

func secret(at func(*Config) *Secret) func(*Config, string) string {
	return func(c *Config, value string) string {
		*at(c) = Secret(value)
		return printable(value)
	}
}

// minRootKey is the least length of a root key in characters (T.37).
const minRootKey = 32

func rootKey(at func(*Config) *Secret) func(*Config, string) string {
	return func(c *Config, value string) string {
		*at(c) = Secret(value)
		if value != "" && utf8.RuneCountInString(value) < minRootKey {
			return "must have at least 32 characters"
		}
		return printable(value)
	}
}

// engine takes the name of an engine.
func engine(at func(*Config) *string, known ...string) func(*Config, string) string {
	return func(c *Config, value string) string {
		*at(c) = value
		if slices.Contains(known, value) {
			return ""
		}
		return "must be one of " + strings.Join(known, ", ")
	}
}

func address(at func(*Config) *string) func(*Config, string) string {
	return func(c *Config, value string) string {
		*at(c) = value
		_, port, err := net.SplitHostPort(value)
		if n, perr := strconv.ParseUint(port, 10, 16); err != nil || perr != nil || strconv.FormatUint(n, 10) != port {
			return "must be host:port with a port from 0 to 65535, such as 127.0.0.1:8080"
		}
		return ""
	}
}

func link(at func(*Config) *string) func(*Config, string) string {
	return func(c *Config, value string) string {
		*at(c) = strings.TrimRight(value, "/")
		if value == "" {
			return ""
		}
		u, err := url.Parse(value)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return "must be an http or https address without user, query and fragment"
		}
		return ""
	}
}

// The highest values of counts.
const (
	maxRate      = 1_000_000 // calls a minute
	maxDimension = 65_536
	maxWait      = 5_000 // milliseconds: half of what a retrieve has
)

func count(at func(*Config) *int, most uint64) func(*Config, string) string {
	return func(c *Config, value string) string {
		if value == "" {
			return ""
		}
		n, err := strconv.ParseUint(value, 10, 31)
		if err != nil || n > most {
			return fmt.Sprintf("must be a whole number from 0 to %d", most)
		}
		*at(c) = int(n)
		return ""
	}
}

// millis takes a number of milliseconds, at least 1.
func millis(at func(*Config) *time.Duration, most int) func(*Config, string) string {
	return func(c *Config, value string) string {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > most {
			return fmt.Sprintf("must be a whole number from 1 to %d", most)
		}
		*at(c) = time.Duration(n) * time.Millisecond
		return ""
	}
}

func flag(at func(*Config) *bool) func(*Config, string) string {
	return func(c *Config, value string) string {
		*at(c) = value == "1"
		if value != "0" && value != "1" {
			return "must be 0 or 1"
		}
		return ""
	}
}

// networks reads CIDR prefixes; a single address is a network of its own.
func networks(c *Config, value string) string {
	for _, part := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' }) {
		network, err := netip.ParsePrefix(part)
		if addr, aerr := netip.ParseAddr(part); err != nil && aerr == nil && addr.Zone() == "" {
			network, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return "must be networks such as 127.0.0.0/8, separated by commas"
		}
		c.WebhookAllow = append(c.WebhookAllow, network.Masked())
	}
	return ""
}

func level(c *Config, value string) string {
	switch value {
	case "debug":
		c.LogLevel = slog.LevelDebug
	case "info":
		c.LogLevel = slog.LevelInfo
	case "warn":
		c.LogLevel = slog.LevelWarn
	case "error":
		c.LogLevel = slog.LevelError
	default:
		return "must be debug, info, warn or error"
	}
	return ""
}
