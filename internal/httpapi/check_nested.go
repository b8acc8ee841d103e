package httpapi

import "bytes"

const (
	sayTwice   = "must not be given twice"
	sayUnknown = "is not a known member"
	sayMissing = "is required"
)

var anything = &rule{kind: anyKind}

// object reads {…}: a closed set of members, or names that are data.
func (w *walker) object(r *rule) {
	switch r.kind {
	case objectKind:
		w.closed(r)
	case dictKind:
		w.dict(r, r.values)
	case anyKind, rawKind:
		w.dict(r, r)
	default:
		w.fault(r.say.typ)
		w.dict(r, anything)
	}
}

// closed reads an object whose members are known.
func (w *walker) closed(r *rule) {
	var seen uint64
	var others names
	n := 0
	w.members(func(name []byte, faultless bool) {
		n++
		m := r.members[string(name)]
		switch {
		case !faultless:
			w.data(anything)
		case m != nil:
			if seen&m.bit != 0 {
				w.faultAt(w.pointer(m.name), sayTwice)
			}
			seen |= m.bit
			w.member(m)
		default:
			if !r.open {
				w.faultAt(w.pointer(shortened(name)), sayUnknown)
			} else if !others.add(name) {
				w.fault("must not have a member twice")
			}
			w.data(anything)
		}
	})
	w.absent(r, seen)
	w.sized(r, n)
}

// member reads a known member's value. A null where nothing is required is the
// same as leaving the member out.
func (w *walker) member(m *member) {
	if w.frozen == 0 {
		w.path = append(w.path, step{name: m.name})
		defer func() { w.path = w.path[:len(w.path)-1] }()
	}
	if !m.required && w.peek() == 'n' {
		w.literal("null", true, m.rule)
		return
	}
	w.value(m.rule)
}

// absent reports members that must be there, alone or because of others.
func (w *walker) absent(r *rule, seen uint64) {
	for _, m := range r.order {
		if seen&m.bit == 0 {
			if m.required {
				w.faultAt(w.pointer(m.name), sayMissing)
			}
			continue
		}
		for _, need := range m.needs {
			if other := r.members[need]; other != nil && seen&other.bit == 0 {
				w.faultAt(w.pointer(need), sayMissing+" with "+m.name)
			}
		}
	}
}

// dict reads an object whose member names are data.
func (w *walker) dict(r, values *rule) {
	var seen names
	n := 0
	w.members(func(name []byte, faultless bool) {
		n++
		if faultless && !seen.add(name) {
			w.fault("must not have a member twice")
		}
		w.data(values)
	})
	if r.kind == dictKind {
		w.sized(r, n)
	}
}

// data reads a value below a name that is data: pointers stay where they are.
func (w *walker) data(r *rule) {
	w.frozen++
	w.value(r)
	w.frozen--
}

// members reads the frame of an object; each is called at a value, with the
// member's decoded name.
func (w *walker) members(each func(name []byte, faultless bool)) {
	w.pos++ // {
	w.space()
	if w.peek() == '}' {
		w.pos++
		return
	}
	for {
		if w.peek() != '"' {
			w.fail()
			return
		}
		lit := w.quoted()
		if lit.fault != "" {
			w.fault("has a member's name that " + lit.fault)
		}
		w.space()
		if w.peek() != ':' {
			w.fail()
			return
		}
		w.pos++
		w.space()
		each(lit.bytes(), lit.fault == "")
		if !w.next('}') {
			return
		}
	}
}

// next reads what follows a member or item: true when another one comes.
func (w *walker) next(end byte) bool {
	w.space()
	switch w.peek() {
	case ',':
		w.pos++
		w.space()
		return true
	case end:
		w.pos++
		return false
	}
	w.fail()
	return false
}

// list reads [...].
func (w *walker) list(r *rule) {
	items := anything
	switch r.kind {
	case listKind:
		items = r.items
	case anyKind, rawKind:
		items = r
	default:
		w.fault(r.say.typ)
	}
	if r.kind != listKind {
		w.frozen++
		defer func() { w.frozen-- }()
	}
	w.pos++ // [
	w.space()
	if w.peek() == ']' {
		w.pos++
		w.sized(r, 0)
		return
	}
	var seen names
	for n := 0; ; n++ {
		start := w.pos
		w.item(items, n)
		if r.unique && !seen.add(canonical(w.src[start:w.pos])) {
			w.fault("must not hold an item twice")
		}
		if !w.next(']') {
			w.sized(r, n+1)
			return
		}
	}
}

// canonical is an item in one spelling, as far as texts go.
func canonical(item []byte) []byte {
	item = bytes.TrimSpace(item)
	if len(item) > 1 && item[0] == '"' && bytes.IndexByte(item, '\\') >= 0 {
		return literal{src: item[1 : len(item)-1], escape: 1}.bytes()
	}
	return bytes.Trim(item, `"`)
}

func (w *walker) item(r *rule, index int) {
	if w.frozen == 0 {
		w.path = append(w.path, step{index: index})
		defer func() { w.path = w.path[:len(w.path)-1] }()
	}
	w.value(r)
}

// sized holds a count against the bounds of a list, object or text.
func (w *walker) sized(r *rule, n int) {
	if r.minLen != unbounded && n < r.minLen || r.maxLen != unbounded && n > r.maxLen {
		if r.say.size != "" {
			w.fault(r.say.size)
		}
	}
}
