package recall

import (
	"strings"
	"time"
	"unicode/utf8"

	"holdfast/internal/memory"
)

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
	run    string // empty: none
	lines  []string
	ids    []string
}

func opening(name string) string { return "<" + fence + " section=\"" + name + "\">\n" }

const closing = "</" + fence + ">\n"

func newDraft(name string) *draft {
	return &draft{name: name, byKey: map[string]*group{}, runes: bareRunes(name)}
}

// bareRunes is the number of code points of a block without entries.
func bareRunes(name string) int { return utf8.RuneCountInString(opening(name)) + len(closing) }

// line is one entry inside a block.
type line struct {
	id     string
	run    string // empty: none
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
			g.header, g.run = l.header, l.run
		}
		d.byKey[l.key] = g
		d.groups = append(d.groups, g)
	}
	g.lines, g.ids = append(g.lines, l.text), append(g.ids, l.id)
}

func (d *draft) tokens() int { return tokensOf(d.runes) }

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
	text := indent(m.Content)
	if m.Speaker != "" {
		text = oneLine(m.Speaker) + ": " + text
	}
	day := m.Temporal.EventTime().UTC().Format(time.DateOnly)
	l := line{id: m.ID, key: "day " + day, header: "[" + day + "]\n", text: entry(text)}
	if m.RunID != "" {
		l.run, l.key = m.RunID, "run "+day+" "+m.RunID
	}
	return l
}

// plainLine shows a text without a header, such as a policy's.
func plainLine(id, text string) line {
	return line{id: id, text: entry(indent(text))}
}

// entry is a line as it stands in a block. It is escaped whole: a fence may not stand
// in two of its parts either.
func entry(text string) string { return "- " + escape(text) + "\n" }

// entryLeast is the fewest code points of an entry with that text, which is read but
// not worked on: nothing that is done to a text makes it shorter.
func entryLeast(text string) int { return len("- \n") + utf8.RuneCountInString(text) }

// indent sets the lines after the first off, so that no line of a memory can pass
// for a header or for another entry.
func indent(text string) string {
	if ordinary(text) || !strings.ContainsAny(text, "\n\r\v\f\u2028\u2029\u0085") {
		return text
	}
	return breaks.Replace(text)
}

var breaks = strings.NewReplacer("\r\n", "\n  ", "\n", "\n  ", "\r", "\n  ", "\v", "\n  ", "\f", "\n  ",
	"\u2028", "\n  ", "\u2029", "\n  ", "\u0085", "\n  ")

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
