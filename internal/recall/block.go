package recall

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

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
	run    string // empty: none
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
		text += escape(oneLine(m.Speaker)) + ": "
	}
	text += escape(indent(m.Content)) + "\n"
	day := m.Temporal.EventTime().UTC().Format(time.DateOnly)
	l := line{id: m.ID, key: "day " + day, header: "[" + day + "]\n", text: text}
	if m.RunID != "" {
		l.run, l.key = m.RunID, "run "+day+" "+m.RunID
	}
	return l
}

// plainLine shows a text without a header, such as a policy's.
func plainLine(id, text string) line {
	return line{id: id, text: "- " + escape(indent(text)) + "\n"}
}

// escape keeps a text from opening or closing a fence: only what reads like one
// is changed, every other byte stays. It is the last thing done to a text, so that
// nothing can make a fence of it afterwards.
func escape(text string) string {
	if ordinary(text) || !strings.ContainsAny(text, "<\uff1c\ufe64\u2039\u3008\u27e8") {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case opens(r) && fenced(text[i+utf8.RuneLen(r):]):
			b.WriteString("&lt;")
		default:
			b.WriteString(text[i : i+runeLen(text[i:])])
		}
	}
	return b.String()
}

// ordinary tells a text of ASCII alone, without a '<' and without control characters,
// as most are: in others every rune has to be looked at.
func ordinary(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '<' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// runeLen is the length of the first rune; a broken byte counts for itself.
func runeLen(text string) int { _, n := utf8.DecodeRuneInString(text); return n }

// opens tells signs that a reader, or a model, takes for a '<'.
func opens(r rune) bool {
	return r == '<' || r == '\uff1c' || r == '\ufe64' || r == '\u2039' || r == '\u3008' || r == '\u27e8'
}

// fenceReach is how far behind a '<' the fence's name is looked for, in runes.
const fenceReach = 120

// fenced tells whether what follows a '<' reads like the fence's name: letters
// count, in any case, width and mathematical style, and whatever stands between
// them does not, be it space, slash, hyphen or a character that cannot be seen.
func fenced(rest string) bool {
	want := fenceLetters
	n := 0
	for _, r := range rest {
		if n++; n > fenceReach {
			return false
		}
		for _, folded := range norm.NFKC.String(string(r)) {
			folded = unicode.ToLower(folded)
			if !unicode.IsLetter(folded) && !unicode.IsDigit(folded) {
				continue
			}
			if folded != rune(want[0]) {
				return false
			}
			if want = want[1:]; want == "" {
				return true
			}
		}
	}
	return false
}

// fenceLetters are the letters of the fence's name.
var fenceLetters = strings.ReplaceAll(fence, "-", "")

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
