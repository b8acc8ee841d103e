package memsearch

// interned gives equal keys one small number while they are in use.
type interned[K comparable] struct {
	ids  map[K]uint32
	keys []K
	refs []int32
	free []uint32
}

func newInterned[K comparable]() interned[K] {
	return interned[K]{ids: map[K]uint32{}}
}

// find answers the number of a key in use.
func (t *interned[K]) find(key K) (uint32, bool) {
	id, ok := t.ids[key]
	return id, ok
}

// add gives a number to a key that has none, without a use yet.
func (t *interned[K]) add(key K) uint32 {
	var id uint32
	if last := len(t.free) - 1; last >= 0 {
		id, t.free = t.free[last], t.free[:last]
		t.keys[id] = key
	} else {
		id = uint32(len(t.keys))
		t.keys = append(t.keys, key)
		t.refs = append(t.refs, 0)
	}
	t.ids[key] = id
	return id
}

// use counts one more use of a number.
func (t *interned[K]) use(id uint32) { t.refs[id]++ }

// drop counts one use less and tells whether it was the last, which frees the
// number.
func (t *interned[K]) drop(id uint32) bool {
	if t.refs[id]--; t.refs[id] > 0 {
		return false
	}
	delete(t.ids, t.keys[id])
	var none K
	t.keys[id] = none
	t.free = append(t.free, id)
	return true
}
