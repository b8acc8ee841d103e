package httpapi

import (
	"encoding/json"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Time is an instant on the wire: RFC 3339 with a zone in, UTC with Z out (T.13).
// Inputs and outputs use Time or *Time; the service's own types use time.Time.
type Time struct{ time.Time }

// At makes the Time of an instant.
func At(t time.Time) Time { return Time{t.UTC()} }

// AtOrNull makes the Time of an instant that may be missing.
func AtOrNull(t *time.Time) *Time {
	if t == nil {
		return nil
	}
	at := At(*t)
	return &at
}

// Or answers the instant in UTC, or nil for nil.
func (t *Time) Or() *time.Time {
	if t == nil {
		return nil
	}
	utc := t.UTC()
	return &utc
}

const timeRule = "must be an RFC 3339 time with a zone, such as 2026-03-01T09:30:00Z"

// ParseTime reads an RFC 3339 date-time (section 5.6) with its zone and answers
// it in UTC, to the nanosecond. Leap seconds are refused, since Go has none.
func ParseTime(text string) (time.Time, bool) {
	if !timeShape(text) {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || at.UTC().Year() < 1 || at.UTC().Year() > 9999 {
		return time.Time{}, false
	}
	return at.UTC(), true
}

// timeShape holds what time.Parse lets pass: hours of one digit, a comma before
// the fraction, an offset out of range, more than nine digits of a second.
func timeShape(s string) bool {
	const shape = "dddd-dd-ddTdd:dd:dd"
	if len(s) < len(shape)+1 || len(s) > 40 || !shaped(s[:len(shape)], shape) {
		return false
	}
	zone := s[len(shape):]
	if zone[0] == '.' {
		n := 1
		for n < len(zone) && zone[n] >= '0' && zone[n] <= '9' {
			n++
		}
		if n == 1 || n > 10 {
			return false
		}
		zone = zone[n:]
	}
	if zone == "Z" {
		return true
	}
	return len(zone) == 6 && (zone[0] == '+' || zone[0] == '-') && shaped(zone[1:], "dd:dd") &&
		zone[1:3] <= "23" && zone[4:6] <= "59"
}

func shaped(s, shape string) bool {
	for i := range len(shape) {
		if shape[i] == 'd' {
			if s[i] < '0' || s[i] > '9' {
				return false
			}
		} else if s[i] != shape[i] {
			return false
		}
	}
	return true
}

// MarshalJSON writes the instant in UTC with Z.
func (t Time) MarshalJSON() ([]byte, error) { return []byte(strconv.Quote(t.text())), nil }

// MarshalText is MarshalJSON without quotes.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.text()), nil }

func (t Time) text() string { return t.UTC().Format(time.RFC3339Nano) }

// UnmarshalJSON reads what ParseTime reads.
func (t *Time) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return errShape
	}
	return t.UnmarshalText([]byte(text))
}

// UnmarshalText reads what ParseTime reads.
func (t *Time) UnmarshalText(text []byte) error {
	at, ok := ParseTime(string(text))
	if !ok {
		return errShape
	}
	t.Time = at
	return nil
}

// TransformSchema states the format, so that the check and the document know it.
func (Time) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Format = "date-time"
	return s
}

var timeType = reflect.TypeFor[Time]()
