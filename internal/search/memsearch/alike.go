package memsearch

// alike tells sets of fields apart by the keywords that a query's filters name: two
// that agree in these are alike to it. So a filter is evaluated a few times, not once
// for each of thousands of runs. It belongs to scratch and is empty between searches.
type alike struct {
	bits  []uint8 // by keyword: 1 and its place among those named; 0: it is not named
	named []uint32
	many  bool              // there are more than a key has bits
	masks map[uint64]uint16 // by key
}

// keyBits is how many keywords a key can tell.
const keyBits = 64

// prepare makes room for the keywords of a partition.
func (a *alike) prepare(keywords int) {
	if keywords > len(a.bits) {
		a.bits = make([]uint8, keywords+keywords/4)
	}
	if a.masks == nil {
		a.masks = map[uint64]uint16{}
	}
}

// name notes a keyword of a filter.
func (a *alike) name(keyword uint32) {
	switch {
	case a.bits[keyword] != 0:
	case len(a.named) == keyBits:
		a.many = true
	default:
		a.named = append(a.named, keyword)
		a.bits[keyword] = uint8(len(a.named))
	}
}

// key is the same for sets that are alike; false where filters name too many
// keywords to tell.
func (a *alike) key(members []uint32) (uint64, bool) {
	var key uint64
	for _, keyword := range members {
		if bit := a.bits[keyword]; bit != 0 {
			key |= 1 << (bit - 1)
		}
	}
	return key, !a.many
}

func (a *alike) reset() {
	for _, keyword := range a.named {
		a.bits[keyword] = 0
	}
	a.named, a.many = a.named[:0], false
	clear(a.masks)
}
