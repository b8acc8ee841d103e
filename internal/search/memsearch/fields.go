package memsearch

import (
	"encoding/binary"
	"slices"
	"strings"

	"holdfast/internal/search"
)

// keyword is a value of a field. With present it stands for the field having any
// value at all.
type keyword struct {
	field, value string
	present      bool
}

// fieldSets keeps each distinct set of fields once: many documents share theirs,
// and a filter is evaluated once for all of them.
type fieldSets struct {
	keywords interned[keyword]
	sets     interned[string] // by the bytes of the sorted numbers of its keywords
	places   []place          // by set: its members
	numbers  arena[uint32]
}

func newFieldSets() fieldSets {
	return fieldSets{keywords: newInterned[keyword](), sets: newInterned[string]()}
}

// members are the sorted numbers of a set's keywords.
func (f *fieldSets) members(set uint32) []uint32 { return f.numbers.get(f.places[set]) }

// add answers the number of a document's set of fields.
func (f *fieldSets) add(fields search.Fields) uint32 {
	members := f.collect(fields)
	key := setKey(members)
	set, ok := f.sets.find(key)
	if !ok {
		set = f.sets.add(key)
		if int(set) == len(f.places) {
			f.places = append(f.places, place{})
		}
		f.places[set] = f.numbers.add(members)
		for _, id := range members {
			f.keywords.use(id)
		}
	}
	f.sets.use(set)
	return set
}

// collect answers the sorted numbers of the keywords of fields.
func (f *fieldSets) collect(fields search.Fields) []uint32 {
	out := make([]uint32, 0, 2*len(fields))
	for field, values := range fields {
		if len(values) > 0 {
			out = append(out, f.number(keyword{field: field, present: true}))
		}
		for _, value := range values {
			out = append(out, f.number(keyword{field: field, value: value}))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (f *fieldSets) number(k keyword) uint32 {
	if id, ok := f.keywords.find(k); ok {
		return id
	}
	k.field, k.value = strings.Clone(k.field), strings.Clone(k.value)
	return f.keywords.add(k)
}

func setKey(members []uint32) string {
	key := make([]byte, 0, 4*len(members))
	for _, id := range members {
		key = binary.LittleEndian.AppendUint32(key, id)
	}
	return string(key)
}

// drop lets go of a document's set.
func (f *fieldSets) drop(set uint32) {
	if !f.sets.drop(set) {
		return
	}
	for _, id := range f.members(set) {
		f.keywords.drop(id)
	}
	f.numbers.drop(f.places, int32(set))
}
