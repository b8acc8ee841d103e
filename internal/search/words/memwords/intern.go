package memwords

import "strings"

// interned are texts that many documents share, by number.
type interned struct {
	ids   map[string]uint32
	items []shared
	free  []uint32
}

type shared struct {
	text  string
	users int
}

func newInterned() interned { return interned{ids: map[string]uint32{}} }

// add answers a text's number for one more user.
func (n *interned) add(text string) uint32 {
	id, ok := n.ids[text]
	if !ok {
		if last := len(n.free) - 1; last >= 0 {
			id = n.free[last]
			n.free = n.free[:last]
		} else {
			id = uint32(len(n.items))
			n.items = append(n.items, shared{})
		}
		text = strings.Clone(text)
		n.ids[text] = id
		n.items[id].text = text
	}
	n.items[id].users++
	return id
}

// drop forgets one user, and the text with the last.
func (n *interned) drop(id uint32) {
	if n.items[id].users--; n.items[id].users == 0 {
		delete(n.ids, n.items[id].text)
		n.items[id] = shared{}
		n.free = append(n.free, id)
	}
}

func (n *interned) text(id uint32) string { return n.items[id].text }
