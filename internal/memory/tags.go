package memory

import "golang.org/x/text/unicode/norm"

// composed is the form in which texts that are kept as sent are compared (T.8):
// canonically equivalent spellings are equal, nothing else is.
func composed(text string) string { return norm.NFC.String(text) }

// tagOf answers the value of a tag, whichever way its key is composed.
func tagOf(tags map[string]string, key string) (string, bool) {
	if value, there := tags[key]; there {
		return value, true
	}
	want := composed(key)
	for k, value := range tags {
		if composed(k) == want {
			return value, true
		}
	}
	return "", false
}

// Tagged tells whether the memory has every given pair (R0.13).
func (m *Memory) Tagged(pairs map[string]string) bool {
	for key, value := range pairs {
		got, there := tagOf(m.Tags, key)
		if !there || got != value && composed(got) != composed(value) {
			return false
		}
	}
	return true
}

// oneSpelling tells whether no two keys are the same but for composition.
func oneSpelling(tags map[string]string) bool {
	seen := make(map[string]bool, len(tags))
	for key := range tags {
		seen[composed(key)] = true
	}
	return len(seen) == len(tags)
}
