package recall

import (
	"time"

	"holdfast/internal/search"
)

// grain says what becomes of instants that lie in one microsecond, the least that the
// index can tell apart.
type grain int

// The grains. Hits are asked for loosely: whatever may pass is proposed, and the table
// decides. Numbers are exact for instants of whole microseconds.
const (
	loose grain = iota
	exact
)

// begun holds where a time is not after an instant, or open.
func begun(name string, at time.Time) search.Filter {
	return not(search.Filter{Time: name, Since: floorMicro(at).Add(time.Microsecond)})
}

// notEnded holds where a time is after an instant, or open.
func (g grain) notEnded(name string, at time.Time) search.Filter {
	before := instant(at)
	if g == exact {
		before = floorMicro(at).Add(time.Microsecond)
	}
	return not(search.Filter{Time: name, Before: before})
}

// since is the bound of what is not before an instant.
func (g grain) since(at time.Time) time.Time {
	if g == exact {
		return ceilMicro(at)
	}
	return floorMicro(at)
}

// instant is a bound of a filter: never the zero instant, which stands for an open one.
func instant(at time.Time) time.Time {
	if at = floorMicro(at); at.IsZero() {
		return at.Add(1)
	}
	return at
}

func floorMicro(at time.Time) time.Time { return at.UTC().Truncate(time.Microsecond) }

func ceilMicro(at time.Time) time.Time { return floorMicro(at.Add(time.Microsecond - 1)) }
