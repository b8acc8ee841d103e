package httpapi

// skim reads an object or list of any depth without recursion, for its grammar
// only, and has it respelled as null: what stays around it is still too deep for
// the check of the part that holds it.
func (w *walker) skim() {
	start := w.pos
	var open []byte // the closing byte of each level
	for {
		if c := w.peek(); c == '{' || c == '[' {
			w.pos++
			w.space()
			end := c + 2 // in ASCII: ] behind [, } behind {
			if w.peek() != end {
				open = append(open, end)
				w.name(end)
				continue
			}
			w.pos++
		} else {
			w.value(anyRaw)
		}
		for len(open) > 0 && !w.next(open[len(open)-1]) {
			open = open[:len(open)-1]
		}
		if w.pos >= len(w.src) || len(open) == 0 {
			break
		}
		w.name(open[len(open)-1])
	}
	if len(open) > 0 {
		w.fail()
	}
	w.out.respell = append(w.out.respell, spelling{start, w.pos, "null"})
}

// anyRaw is a value whose grammar alone counts.
var anyRaw = &rule{kind: rawKind}

// name reads a member's name and colon where an object is open.
func (w *walker) name(end byte) {
	if end != '}' {
		return
	}
	if w.peek() != '"' {
		w.fail()
		return
	}
	w.quoted()
	w.space()
	if w.peek() != ':' {
		w.fail()
		return
	}
	w.pos++
	w.space()
}
