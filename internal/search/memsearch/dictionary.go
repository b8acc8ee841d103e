package memsearch

import "hash/maphash"

// dictionary numbers terms. A workspace has about as many as it has memories, and most
// workspaces are small, so it is kept tight: 25 bytes a term where a map of strings
// takes 80. It is a hash table of open addresses (Knuth, The Art of Computer
// Programming 6.4, algorithms L and R).
type dictionary struct {
	spelling arena[byte]
	places   []place  // by term: its spelling
	slots    []uint32 // by hash: 1 and a term; 0: free. As many as a power of two
	used     int
	free     []uint32 // terms that are not in use
}

// seed makes hashes hard to guess, so that nobody can write texts whose terms collide.
var seed = maphash.MakeSeed()

func (d *dictionary) text(term uint32) []byte { return d.spelling.get(d.places[term]) }

// home is where a term with this hash stands unless others were there before.
func (d *dictionary) home(hash uint64) int { return int(hash & uint64(len(d.slots)-1)) }

func (d *dictionary) after(slot int) int { return (slot + 1) & (len(d.slots) - 1) }

// find answers the number of a term that is in use.
func (d *dictionary) find(token string) (uint32, bool) {
	if d.used == 0 {
		return 0, false
	}
	for slot := d.home(maphash.String(seed, token)); d.slots[slot] != 0; slot = d.after(slot) {
		if term := d.slots[slot] - 1; string(d.text(term)) == token {
			return term, true
		}
	}
	return 0, false
}

// add numbers a term that has no number.
func (d *dictionary) add(token string) uint32 {
	if 4*(d.used+1) > 3*len(d.slots) {
		d.grow()
	}
	var term uint32
	if last := len(d.free) - 1; last >= 0 {
		term, d.free = d.free[last], d.free[:last]
	} else {
		term = uint32(len(d.places))
		d.places = append(d.places, place{})
	}
	d.places[term] = d.spelling.add([]byte(token))
	d.put(term, maphash.String(seed, token))
	d.used++
	return term
}

func (d *dictionary) put(term uint32, hash uint64) {
	slot := d.home(hash)
	for d.slots[slot] != 0 {
		slot = d.after(slot)
	}
	d.slots[slot] = 1 + term
}

func (d *dictionary) grow() {
	before := d.slots
	d.slots = make([]uint32, max(8, 2*len(before)))
	for _, held := range before {
		if held != 0 {
			d.put(held-1, maphash.Bytes(seed, d.text(held-1)))
		}
	}
}

// drop takes a term's number back.
func (d *dictionary) drop(term uint32) {
	slot := d.home(maphash.Bytes(seed, d.text(term)))
	for d.slots[slot] != 1+term {
		slot = d.after(slot)
	}
	d.close(slot)
	d.spelling.drop(d.places, int32(term))
	d.free = append(d.free, term)
	d.used--
}

// close frees a slot and moves up what stands behind it only because it was taken.
func (d *dictionary) close(gap int) {
	for slot := d.after(gap); d.slots[slot] != 0; slot = d.after(slot) {
		home := d.home(maphash.Bytes(seed, d.text(d.slots[slot]-1)))
		if between(gap, home, slot) {
			continue
		}
		d.slots[gap] = d.slots[slot]
		gap = slot
	}
	d.slots[gap] = 0
}

// between tells whether home lies after gap and not after slot, going round.
func between(gap, home, slot int) bool {
	if gap <= slot {
		return gap < home && home <= slot
	}
	return gap < home || home <= slot
}
