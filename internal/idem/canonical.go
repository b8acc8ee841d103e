package idem

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// maxDepth is how deep values may be nested and still be compared as values.
const maxDepth = 2000

// canonical writes a JSON value so that two texts of one value come out alike and
// no others do: members in the order of their names (the last of one name counts),
// texts decoded, numbers by their exact decimal value. ok is false for what is no JSON.
func canonical(dst, src []byte) (out []byte, ok bool) {
	c := canon{src: src, out: dst}
	c.space()
	if !c.value(0) {
		return dst, false
	}
	c.space()
	return c.out, c.pos == len(src)
}

type canon struct {
	src, out []byte
	pos      int
}

func (c *canon) space() {
	for c.pos < len(c.src) && strings.IndexByte(" \t\r\n", c.src[c.pos]) >= 0 {
		c.pos++
	}
}

// take reads one byte after white space, if it is this one.
func (c *canon) take(b byte) bool {
	c.space()
	if c.pos < len(c.src) && c.src[c.pos] == b {
		c.pos++
		return true
	}
	return false
}

func (c *canon) value(depth int) bool {
	if c.pos >= len(c.src) || depth > maxDepth {
		return false
	}
	switch b := c.src[c.pos]; b {
	case '{':
		return c.object(depth)
	case '[':
		return c.list(depth)
	case '"':
		text, ok := c.text()
		if ok {
			c.sized('s', text)
		}
		return ok
	case 't':
		return c.word("true")
	case 'f':
		return c.word("false")
	case 'n':
		return c.word("null")
	default:
		return c.number()
	}
}

func (c *canon) word(w string) bool {
	if !bytes.HasPrefix(c.src[c.pos:], []byte(w)) {
		return false
	}
	c.pos += len(w)
	c.out = append(c.out, w[0])
	return true
}

// sized writes a kind, a length and that many bytes, so that nothing in them can be
// taken for what follows.
func (c *canon) sized(kind byte, text []byte) {
	c.out = append(binary.AppendUvarint(append(c.out, kind), uint64(len(text))), text...)
}

func (c *canon) list(depth int) bool {
	c.pos++
	c.out = append(c.out, '[')
	if c.take(']') {
		c.out = append(c.out, ']')
		return true
	}
	for {
		c.space()
		if !c.value(depth + 1) {
			return false
		}
		if !c.take(',') {
			c.out = append(c.out, ']')
			return c.take(']')
		}
	}
}

// part is a member: where it stands in the output.
type part struct {
	name       []byte
	start, end int
}

func (c *canon) object(depth int) bool {
	c.pos++
	c.out = append(c.out, '{')
	first := len(c.out)
	var few [24]part
	parts, sorted := few[:0], true
	for more := !c.take('}'); more; {
		c.space()
		p := part{start: len(c.out)}
		var ok bool
		if p.name, ok = c.text(); !ok || !c.take(':') {
			return false
		}
		c.sized('s', p.name)
		c.space()
		if !c.value(depth + 1) {
			return false
		}
		p.end = len(c.out)
		sorted = sorted && (len(parts) == 0 || bytes.Compare(parts[len(parts)-1].name, p.name) < 0)
		parts = append(parts, p)
		if more = c.take(','); !more && !c.take('}') {
			return false
		}
	}
	if !sorted {
		c.arrange(first, parts)
	}
	c.out = append(c.out, '}')
	return true
}

// arrange puts the members that begin at first into the order of their names.
func (c *canon) arrange(first int, parts []part) {
	slices.SortStableFunc(parts, func(a, b part) int { return bytes.Compare(a.name, b.name) })
	written := slices.Clone(c.out[first:])
	c.out = c.out[:first]
	for i, p := range parts {
		if i+1 < len(parts) && bytes.Equal(p.name, parts[i+1].name) {
			continue
		}
		c.out = append(c.out, written[p.start-first:p.end-first]...)
	}
}

// text reads a text, decoded.
func (c *canon) text() ([]byte, bool) {
	if c.pos >= len(c.src) || c.src[c.pos] != '"' {
		return nil, false
	}
	start, escaped := c.pos, false
	for i := c.pos + 1; i < len(c.src); i++ {
		switch b := c.src[i]; {
		case b == '"':
			c.pos = i + 1
			if !escaped {
				return c.src[start+1 : i], true
			}
			var text string
			err := json.Unmarshal(c.src[start:c.pos], &text)
			return []byte(text), err == nil
		case b == '\\':
			escaped = true
			i++
		case b < 0x20:
			return nil, false
		}
	}
	return nil, false
}

// number writes sign, significant digits and power of ten: 0.5, 0.50 and 5e-1 are
// one value.
func (c *canon) number() bool {
	start := c.pos
	for c.pos < len(c.src) && strings.IndexByte("+-.0123456789eE", c.src[c.pos]) >= 0 {
		c.pos++
	}
	token := c.src[start:c.pos]
	if !json.Valid(token) {
		return false
	}
	digits, sign := token, byte('+')
	if digits[0] == '-' {
		digits, sign = digits[1:], '-'
	}
	power := int64(0)
	if at := bytes.IndexAny(digits, "eE"); at >= 0 {
		var err error
		if power, err = strconv.ParseInt(string(digits[at+1:]), 10, 48); err != nil && !zero(digits[:at]) {
			c.sized('x', token) // beyond every number that fits: only the same spelling is the same
			return true
		}
		digits = digits[:at]
	}
	before, after, _ := bytes.Cut(digits, []byte("."))
	all := bytes.TrimLeft(slices.Concat(before, after), "0")
	short := bytes.TrimRight(all, "0")
	if len(short) == 0 {
		c.sized('+', nil)
		return true
	}
	power += int64(len(all) - len(short) - len(after))
	c.sized(sign, short)
	c.out = binary.AppendVarint(c.out, power)
	return true
}

func zero(digits []byte) bool { return len(bytes.Trim(digits, "0.")) == 0 }
