package memsearch

// arena keeps many short lists in one array, one after the other: a list of its own
// would need a header, and room that it does not use, for each. Places tell where they
// stand.
type arena[T any] struct {
	all    []T
	wasted int // of lists that were dropped
}

// place is where a list stands in an arena; the zero place is of an empty list.
type place struct{ from, count uint32 }

func (a *arena[T]) add(list []T) place {
	at := place{uint32(len(a.all)), uint32(len(list))}
	a.all = append(a.all, list...)
	return at
}

func (a *arena[T]) get(at place) []T {
	return a.all[at.from : at.from+at.count : at.from+at.count]
}

// drop removes the list of one of the places, of which nothing is left. Once half of
// the array is waste, the lists of all places are brought together anew.
func (a *arena[T]) drop(places []place, i int32) {
	clear(a.get(places[i]))
	a.wasted += int(places[i].count)
	places[i] = place{}
	if 2*a.wasted > len(a.all) {
		a.tidy(places)
	}
}

func (a *arena[T]) tidy(places []place) {
	all := make([]T, 0, len(a.all)-a.wasted)
	for i, at := range places {
		places[i].from = uint32(len(all))
		all = append(all, a.get(at)...)
	}
	a.all, a.wasted = all, 0
}
