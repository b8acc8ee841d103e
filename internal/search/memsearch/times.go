package memsearch

import (
	"math"
	"strings"

	"holdfast/internal/search"
)

// times keeps the instants of documents: by name a column, by document, in
// microseconds. A column reaches as far as the last document that has the time.
type times map[string][]int64

// absent stands where a document does not have a column's time.
const absent = math.MinInt64

// add notes the times of a document that has none yet.
func (t times) add(slot int32, of search.Times) {
	for name, at := range of {
		column, known := t[name]
		if !known {
			name = strings.Clone(name)
		}
		for int(slot) >= len(column) {
			column = append(column, absent)
		}
		column[slot] = search.Micros(at)
		t[name] = column
	}
}

// drop forgets those of a document, and columns in which it was the last.
func (t times) drop(slot int32) {
	for name, column := range t {
		if int(slot) >= len(column) || column[slot] == absent {
			continue
		}
		column[slot] = absent
		for len(column) > 0 && column[len(column)-1] == absent {
			column = column[:len(column)-1]
		}
		if t[name] = column; len(column) == 0 {
			delete(t, name)
		}
	}
}

// compile holds where the document's time is within the filter's bounds, or where
// it has none.
func (t times) compile(filter *search.Filter) []condition {
	column := t[filter.Time]
	var parts []condition
	if filter.Missing {
		parts = append(parts, func(_ []uint32, slot int32) bool {
			return int(slot) >= len(column) || column[slot] == absent
		})
	}
	if filter.Missing && filter.Since.IsZero() && filter.Before.IsZero() {
		return parts
	}
	since, before := int64(absent+1), int64(math.MaxInt64)
	if !filter.Since.IsZero() {
		since = search.Micros(filter.Since)
	}
	if !filter.Before.IsZero() {
		before = search.Micros(filter.Before)
	}
	return append(parts, func(_ []uint32, slot int32) bool {
		return int(slot) < len(column) && column[slot] >= since && column[slot] < before
	})
}
