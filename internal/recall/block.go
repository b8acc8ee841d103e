package recall

import (
	"strings"
	"time"
	"unicode/utf8"

	"holdfast/internal/memory"
)

// fence is the element that blocks are wrapped in: its name is the label that
// tells a model what it reads (T.28).
const fence = "recalled-background"

// Block is a part of the prompt section that a retrieve answers.
type Block struct {
	Name     string
	Text     string
	Tokens   int
	EntryIDs []string
}

// draft is a block while it is being filled. Entries stand under one dated header
// a session, sessions in the order of their best entry (R0.86). It keeps the
// number of code points, so that the cost of one more entry needs no rebuild.
type draft struct {
	name   string
	groups []*group
	byKey  map[string]*group
	runes  int
}

type group struct {
	header string
	lines  []string
	ids    []string
}

func opening(name string) string { return "<" + fence + " section=\"" + name + "\">\n" }

const closing = "</" + fence + ">\n"

func newDraft(name string) *draft {
	return &draft{name: name, byKey: map[string]*group{},
		runes: utf8.RuneCountInString(opening(name)) + len(closing)}
}

// line is one entry inside a block.
type line struct {
	id     string
	key    string // groups lines; empty: no header
	header string
	text   string // with its line break
}

// cost is the number of code points that the line adds.
func (d *draft) cost(l line) int {
	n := utf8.RuneCountInString(l.text)
	if l.key != "" && d.byKey[l.key] == nil {
		n += utf8.RuneCountInString(l.header)
	}
	return n
}

func (d *draft) add(l line) {
	d.runes += d.cost(l)
	g := d.byKey[l.key]
	if g == nil {
		g = &group{}
		if l.key != "" {
			g.header = l.header
		}
		d.byKey[l.key] = g
		d.groups = append(d.groups, g)
	}
	g.lines, g.ids = append(g.lines, l.text), append(g.ids, l.id)
}

func (d *draft) tokens() int { return (d.runes + 3) / 4 }

func (d *draft) block() Block {
	var b strings.Builder
	b.Grow(d.runes + d.runes/8)
	b.WriteString(opening(d.name))
	out := Block{Name: d.name}
	for _, g := range d.groups {
		b.WriteString(g.header)
		for i, text := range g.lines {
			b.WriteString(text)
			out.EntryIDs = append(out.EntryIDs, g.ids[i])
		}
	}
	b.WriteString(closing)
	out.Text = b.String()
	out.Tokens = Tokens(out.Text)
	return out
}

// entryLine shows a memory: its text, after its speaker where it has one, under
// the date and run of its session.
func entryLine(m *memory.Memory) line {
	text := "- "
	if m.Speaker != "" {
		text += oneLine(escape(m.Speaker)) + ": "
	}
	text += indent(escape(m.Content)) + "\n"
	day := m.Temporal.EventTime().UTC().Format(time.DateOnly)
	l := line{id: m.ID, key: "day " + day, header: "[" + day + "]\n", text: text}
	if m.RunID != "" {
		l.key = "run " + day + " " + m.RunID
	}
	return l
}

// plainLine shows a text without a header, such as a policy's.
func plainLine(id, text string) line {
	return line{id: id, text: "- " + indent(escape(text)) + "\n"}
}

// escape keeps a text from opening or closing a fence: only what reads like one
// is changed, every other byte stays.
func escape(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '<' && fenced(text[i+1:]) {
			b.WriteString("&lt;")
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// fenced tells whether what follows a '<' reads like the fence's name, however it
// is spaced, slashed or capitalised.
func fenced(rest string) bool {
	rest = strings.TrimLeft(rest, "/ \t\r\n\u00a0")
	return len(rest) >= len(fence) && strings.EqualFold(rest[:len(fence)], fence)
}

// indent sets the lines after the first off, so that no line of a memory can pass
// for a header or for another entry.
func indent(text string) string {
	if !strings.ContainsAny(text, "\n\r\u2028\u2029\u0085") {
		return text
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n").Replace(text)
	return strings.ReplaceAll(text, "\n", "\n  ")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
