package analysis

import (
	"slices"
	"testing"
)

func TestSupposes(t *testing.T) {
	for text, want := range map[string]bool{"": false, "It is 25.": false, "If it rains, it is 25.": true, "Maybe it is 25.": true, "Ask whether it is.": true} {
		if got := Supposes(Words(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestIntends(t *testing.T) {
	for text, want := range map[string]bool{"": false, "It is 25.": false, "It will be 25.": true, "It should be 25.": true} {
		if got := Intends(Words(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWithoutOpening(t *testing.T) {
	for text, want := range map[string]struct {
		rest    string
		changed bool
	}{
		"": {"", false}, "The port is 25.": {"The port is 25.", false}, "Port: 25": {"Port: 25", false},
		"UPDATE: the port is 25": {"the port is 25", true}, "- **Note:** the port is 25": {"the port is 25", false},
		"Actually, it is 25": {"it is 25", true}, "The update: none": {"The update: none", false}, "Update:": {"", true},
	} {
		if rest, changed := WithoutOpening(text); rest != want.rest || changed != want.changed {
			t.Errorf("%q: %q, %v", text, rest, changed)
		}
	}
}

func TestKeys(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, "Who has ticket 4711?": {"4711"}, "Is port 25 open?": nil, "When does it open on Monday?": {"monday"}, "Where is it?": nil,
	} {
		if got := Query(text).Keys(); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestIsToDo(t *testing.T) {
	for text, want := range map[string]bool{"": false, "- [ ] call Ana": true, "[x] call Ana": true, "call Ana": false, "- [": false} {
		if got := IsToDo(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
