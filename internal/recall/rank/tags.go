package rank

import (
	"slices"
	"strings"

	"holdfast/internal/search/analysis"
)

// otherTags tells that a tag which two statements have in common says different things of
// them: that they are of two environments, say. Case and composition do not count.
func otherTags(a, b map[string]string) bool {
	for key, value := range a {
		if other, both := b[key]; both && other != value && isKind(value) && isKind(other) &&
			!slices.Equal(analysis.Words(value), analysis.Words(other)) {
			return true
		}
	}
	return false
}

// isKind tells a tag's value that may say of what something is. One with a digit is a
// date, a count or an id more often than a name: it says when or whence.
func isKind(value string) bool { return !strings.ContainsAny(value, "0123456789") }
