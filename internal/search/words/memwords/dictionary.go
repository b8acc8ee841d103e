package memwords

import (
	"cmp"
	"slices"
	"strings"
)

// dictionary holds the words of a space in order, each with the sorted slots of the
// documents that have it. The order is kept in blocks, so that a new word moves few
// others.
type dictionary struct {
	ids    map[string]uint32
	terms  []term // by id
	free   []uint32
	blocks [][]uint32 // ids in the order of their words; no block is empty
}

type term struct {
	text  string
	slots []uint32 // sorted
}

// maxBlock is the most words of a block.
const maxBlock = 512

func newDictionary() dictionary { return dictionary{ids: map[string]uint32{}} }

// add notes that a document has a word and answers the word's id.
func (d *dictionary) add(word string, slot uint32) uint32 {
	id, ok := d.ids[word]
	if !ok {
		id = d.create(strings.Clone(word))
	}
	t := &d.terms[id]
	if n := len(t.slots); n == 0 || t.slots[n-1] < slot {
		t.slots = append(t.slots, slot)
		return id
	}
	at, _ := slices.BinarySearch(t.slots, slot)
	t.slots = slices.Insert(t.slots, at, slot)
	return id
}

// create gives a word that is not there its place in the order.
func (d *dictionary) create(word string) uint32 {
	var id uint32
	if last := len(d.free) - 1; last >= 0 {
		id = d.free[last]
		d.free = d.free[:last]
	} else {
		id = uint32(len(d.terms))
		d.terms = append(d.terms, term{})
	}
	d.terms[id] = term{text: word}
	d.ids[word] = id
	if len(d.blocks) == 0 {
		d.blocks = [][]uint32{{id}}
		return id
	}
	at, i := d.find(word)
	d.blocks[at] = slices.Insert(d.blocks[at], i, id)
	if block := d.blocks[at]; len(block) > maxBlock {
		half := len(block) / 2
		d.blocks = slices.Insert(d.blocks, at+1, slices.Clone(block[half:]))
		d.blocks[at] = slices.Clip(block[:half])
	}
	return id
}

// find answers the block and the place in it of the first word that is not before the
// given one: behind the last of its block where the next block begins with it.
func (d *dictionary) find(word string) (block, i int) {
	block, found := slices.BinarySearchFunc(d.blocks, word, func(b []uint32, w string) int {
		return cmp.Compare(d.terms[b[0]].text, w)
	})
	if found || len(d.blocks) == 0 {
		return block, 0
	}
	block = max(0, block-1)
	i, _ = slices.BinarySearchFunc(d.blocks[block], word, func(id uint32, w string) int {
		return cmp.Compare(d.terms[id].text, w)
	})
	return block, i
}

// drop forgets that a document has a word, and the word with the last document.
func (d *dictionary) drop(id, slot uint32) {
	t := &d.terms[id]
	if at, found := slices.BinarySearch(t.slots, slot); found {
		t.slots = slices.Delete(t.slots, at, at+1)
	}
	if len(t.slots) > 0 {
		return
	}
	block, i := d.find(t.text)
	if d.blocks[block] = slices.Delete(d.blocks[block], i, i+1); len(d.blocks[block]) == 0 {
		d.blocks = slices.Delete(d.blocks, block, block+1)
	}
	delete(d.ids, t.text)
	d.terms[id] = term{}
	d.free = append(d.free, id)
}

// beginning calls yield with the slots of each word that begins with a prefix.
func (d *dictionary) beginning(prefix string, yield func(slots []uint32)) {
	at, i := d.find(prefix)
	for ; at < len(d.blocks); at, i = at+1, 0 {
		for _, id := range d.blocks[at][i:] {
			if !strings.HasPrefix(d.terms[id].text, prefix) {
				return
			}
			yield(d.terms[id].slots)
		}
	}
}
