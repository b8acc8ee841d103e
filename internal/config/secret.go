package config

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a value that no print, log line or JSON text shows.
type Secret string

const hidden = "[hidden]"

// Reveal answers the value itself.
func (s Secret) Reveal() string { return string(s) }

func (s Secret) shown() string {
	if s == "" {
		return ""
	}
	return hidden
}

// String hides the value.
func (s Secret) String() string { return s.shown() }

// Format hides the value from every verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.shown()) }

// MarshalText hides the value, in JSON too.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.shown()), nil }

// LogValue hides the value from slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.shown()) }
