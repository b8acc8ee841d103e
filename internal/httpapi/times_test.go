package httpapi

import (
	"encoding/json"
	"testing"
	"time"
)

// TestT13TimesGoOutInUTCWithZ whatever zone they are in.
func TestT13TimesGoOutInUTCWithZ(t *testing.T) {
	east := time.FixedZone("east", 2*3600)
	for want, at := range map[string]time.Time{
		`"2026-03-01T00:00:00Z"`:           time.Date(2026, 3, 1, 2, 0, 0, 0, east),
		`"2026-03-01T00:00:00.25Z"`:        time.Date(2026, 3, 1, 0, 0, 0, 250_000_000, time.UTC),
		`"0001-01-01T00:00:00Z"`:           {},
		`"2026-03-01T00:00:00.000000001Z"`: time.Date(2026, 3, 1, 2, 0, 0, 1, east),
	} {
		raw, err := json.Marshal(Time{at})
		if err != nil || string(raw) != want {
			t.Errorf("%s, %v; want %s", raw, err, want)
		}
	}
	at := time.Date(2026, 3, 1, 2, 0, 0, 0, east)
	if AtOrNull(nil) != nil || AtOrNull(&at).Location() != time.UTC || (*Time)(nil).Or() != nil || AtOrNull(&at).Or().Location() != time.UTC {
		t.Error("null and UTC")
	}
	var back Time
	if err := json.Unmarshal([]byte(`"soon"`), &back); err == nil {
		t.Error("«soon» was read")
	}
	if err := json.Unmarshal([]byte(`7`), &back); err == nil {
		t.Error("a number was read")
	}
}

// FuzzParseTime: what is read is a time that says the same when it is written.
func FuzzParseTime(f *testing.F) {
	for _, seed := range []string{"2026-03-01T00:00:00Z", "2026-03-01T00:00:00.123456789+23:59", "2026-02-29T00:00:00Z", "2024-02-29T23:59:59-00:00",
		"9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+00:01", "2026-03-01T00:00:00", "2026-3-1T0:0:0Z", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, ok := ParseTime(text)
		if !ok {
			return
		}
		strict, err := time.Parse(time.RFC3339Nano, text)
		if err != nil || !strict.Equal(at) || at.Location() != time.UTC {
			t.Fatalf("%q read as %v, %v", text, at, err)
		}
		again, ok := ParseTime(Time{at}.text())
		if !ok || !again.Equal(at) {
			t.Fatalf("%q written as %q", text, Time{at}.text())
		}
	})
}

// FuzzParseTags: no header breaks the parser; the version's own tag is found in
// any list that it is put into.
func FuzzParseTags(f *testing.F) {
	for _, seed := range []string{`"1"`, `W/"1", "2"`, `*`, ``, `"a,b"`, `"`, `,,`, `"x" , `} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		tags, ok := ParseTags(header)
		if !ok && (tags.Strong(`"3"`) || tags.Weak(`"3"`)) {
			t.Fatalf("%q is malformed and matches", header)
		}
		if !ok || tags.any {
			return
		}
		longer, ok := ParseTags(header + `, "3"`)
		if !ok || !longer.Strong(`"3"`) {
			t.Fatalf("%q with another tag: %+v, %v", header, longer, ok)
		}
	})
}

// FuzzTraceparent: whatever is continued has the form of the standard.
func FuzzTraceparent(f *testing.F) {
	f.Add("00-" + traceID + "-" + parentID + "-01")
	f.Add("cc-" + traceID + "-" + parentID + "-01-more")
	f.Add("")
	f.Fuzz(func(t *testing.T, value string) {
		sent := readTrace(map[string][]string{headerTrace: {value}})
		if sent.id == "" {
			return
		}
		next := sent.next("0190aaaa-0000-7000-8000-000000000001")
		if again := readTrace(map[string][]string{headerTrace: {next}}); again.id != sent.id || len(next) != 55 {
			t.Fatalf("%q continued as %q", value, next)
		}
	})
}
