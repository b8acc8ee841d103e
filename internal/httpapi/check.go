package httpapi

import (
	"sync"
	"unicode/utf8"

	"holdfast/internal/errs"
)

const (
	maxDepth    = 32   // nesting of values in a body
	maxRawDepth = 1000 // nesting that is kept of parts that are checked on their own
	maxFields   = 50   // faults that one answer lists
	maxName     = 64   // bytes of an unknown name that an answer repeats
)

// verdict is what the walker found out about a JSON text.
type verdict struct {
	broken   bool         // not JSON in UTF-8: nothing else counts
	fields   []errs.Field // all faults, in the order of the text
	scope    string       // value of the member that names the workspace
	hasScope bool
	respell  []spelling // in the order of the text
}

// spelling replaces bytes from to end of a checked text, so that what the schema
// allows is read into Go's types, whose parser takes less.
type spelling struct {
	from, end int
	text      string
}

// respelled is a checked text as encoding/json can read it.
func (v verdict) respelled(raw []byte) []byte {
	if len(v.respell) == 0 {
		return raw
	}
	out, at := make([]byte, 0, len(raw)), 0
	for _, s := range v.respell {
		out = append(append(out, raw[at:s.from]...), s.text...)
		at = s.end
	}
	return append(out, raw[at:]...)
}

// checkJSON walks a JSON text once against a rule: syntax, UTF-8, NUL, lone
// surrogates, depth, duplicate and unknown members, types and bounds. Pointers
// begin with base.
func checkJSON(raw []byte, r *rule, base string) verdict {
	if !utf8.Valid(raw) {
		return verdict{broken: true}
	}
	w := walkers.Get().(*walker)
	w.reset(raw, base)
	w.space()
	w.value(r)
	w.space()
	if w.pos < len(raw) {
		w.out.broken = true
	}
	out := w.out
	w.reset(nil, "")
	walkers.Put(w)
	return out
}

var walkers = sync.Pool{New: func() any { return new(walker) }}

// walker is a recursive descent over a JSON text.
type walker struct {
	src    []byte
	pos    int
	base   string
	path   []step
	frozen int // >0: inside data; pointers stay at the member that holds it
	raw    int // >0: inside a part that is checked on its own
	depth  int
	halted bool // the walk ended early on a fault; what follows is not read
	out    verdict
}

// step is one segment of the pointer to where the walker is.
type step struct {
	name  string
	index int // of a list's item when name is empty
}

func (w *walker) reset(src []byte, base string) {
	*w = walker{src: src, base: base, path: w.path[:0]}
}

func (w *walker) space() {
	for w.pos < len(w.src) {
		switch w.src[w.pos] {
		case ' ', '\t', '\n', '\r':
			w.pos++
		default:
			return
		}
	}
}

// peek answers the next byte, 0 at the end; a NUL outside a text is no JSON either.
func (w *walker) peek() byte {
	if w.pos < len(w.src) {
		return w.src[w.pos]
	}
	return 0
}

// fail ends the walk: the text is no JSON, unless it was ended before.
func (w *walker) fail() {
	w.out.broken = w.out.broken || !w.halted
	w.pos = len(w.src)
}

// halt ends the walk on a fault that is reported whatever is checked.
func (w *walker) halt(text string) {
	w.out.fields = append(w.out.fields, errs.Field{Pointer: w.pointer(""), Rule: text})
	w.halted, w.pos = true, len(w.src)
}

// fault notes a broken rule at the current place.
func (w *walker) fault(text string) { w.faultAt(w.pointer(""), text) }

func (w *walker) faultAt(pointer, text string) {
	quiet := w.raw > 0 || w.halted || w.out.broken
	if !quiet && len(w.out.fields) < maxFields {
		w.out.fields = append(w.out.fields, errs.Field{Pointer: pointer, Rule: text})
	}
}

// value reads one value and holds it against the rule.
func (w *walker) value(r *rule) {
	if r.kind == rawKind && w.raw == 0 {
		w.raw++
		defer func() { w.raw-- }()
	}
	switch c := w.peek(); {
	case c == '{':
		w.nested(r, (*walker).object)
	case c == '[':
		w.nested(r, (*walker).list)
	case c == '"':
		w.text(r)
	case c == '-' || c >= '0' && c <= '9':
		w.number(r)
	case c == 't':
		w.literal("true", r.kind == boolKind || r.kind <= rawKind, r)
	case c == 'f':
		w.literal("false", r.kind == boolKind || r.kind <= rawKind, r)
	case c == 'n':
		w.literal("null", r.nullable || r.kind <= rawKind, r)
	default:
		w.fail()
	}
}

func (w *walker) literal(word string, fits bool, r *rule) {
	if len(w.src)-w.pos < len(word) || string(w.src[w.pos:w.pos+len(word)]) != word {
		w.fail()
		return
	}
	w.pos += len(word)
	if !fits {
		w.fault(r.say.typ)
	}
}

// nested reads an object or list one level deeper. Where that is too deep the
// rest is not read: the fault alone is the answer. In a part that is checked on its
// own it is that part's fault (R0.72), so the rest is read all the same.
func (w *walker) nested(r *rule, read func(*walker, *rule)) {
	if w.raw > 0 && w.depth >= maxRawDepth {
		w.skim() // too deep for the part's own check, which refuses it
		return
	}
	if w.raw == 0 && w.depth >= maxDepth {
		w.halt("must not be nested so deep")
		return
	}
	w.depth++
	read(w, r)
	w.depth--
}
