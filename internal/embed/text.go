package embed

import (
	"fmt"
	"unicode/utf8"
)

// Ended is the port's error for a context that is over.
func Ended(cause error) error { return fmt.Errorf("%w: %w", ErrUnavailable, cause) }

// Cut answers the first limit characters of a text: for models that refuse longer
// ones.
func Cut(text string, limit int) string {
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	for i := range text {
		if limit == 0 {
			return text[:i]
		}
		limit--
	}
	return text
}
