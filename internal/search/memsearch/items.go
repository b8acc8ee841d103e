package memsearch

import (
	"slices"
	"strings"
)

// show notes the item whose text a document is. Most documents are their items',
// and the ids of the others begin with it: neither needs bytes of its own.
func (p *partition) show(slot int32, item string) {
	d := &p.docs[slot]
	if item == d.id {
		return
	}
	if strings.HasPrefix(d.id, item) {
		d.item = d.id[:len(item)]
	} else {
		d.item = strings.Clone(item)
	}
	p.shows[d.item] = append(p.shows[d.item], slot)
}

// hide takes the note away.
func (p *partition) hide(slot int32) {
	d := &p.docs[slot]
	if d.item == d.id {
		return
	}
	others := p.shows[d.item]
	if len(others) == 1 {
		delete(p.shows, d.item)
		return
	}
	i := slices.Index(others, slot)
	p.shows[d.item] = slices.Delete(others, i, i+1)
}

// showing answers the documents that are an item's text.
func (p *partition) showing(item string) []int32 {
	out := p.shows[item]
	if slot, ok := p.byID[item]; ok && p.docs[slot].item == item {
		out = append(slices.Clip(out), slot)
	}
	return out
}
