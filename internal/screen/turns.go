package screen

import (
	"slices"
	"strings"
)

// speakers are the words before a colon by which a line passes for a turn.
var speakers = append([]string{
	"assistant", "human", "user", "ai", "model", "tool", "instruction", "instructions", "new instructions", "response", "admin", "administrator",
}, masters...)

// masters are the speakers whose word a model takes for the operator's.
var masters = []string{"system", "system prompt", "system message", "developer"}

// orderReasons are the reasons that make a forged turn out of a labelled line.
var orderReasons = []string{"instruction_override", "persona_takeover", "prompt_leak", "exfiltration", "concealment"}

// turns finds lines that pass for a turn of a chat ("System: …") where an order
// stands as well: one of orderReasons anywhere, or words in the turn itself that are
// no order by themselves but are one in such a mouth. Alone they are a transcript.
type turns struct {
	anyone *phrases // orders in any turn
	master *phrases // orders in the turn of a master
}

func (t *turns) prepare(v *vocabulary) {
	t.anyone.prepare(v)
	t.master.prepare(v)
}

func (t *turns) find(p *page) {
	all := p.caught(orderReasons...)
	if !all && !t.anyone.possible(p) && !t.master.possible(p) {
		return
	}
	labels := p.labels()
	next := 0
	for i, l := range labels {
		end := len(p.text)
		if i+1 < len(labels) {
			end = labels[i+1].start
		}
		for next < len(p.tokens) && int(p.tokens[next].start) < l.end {
			next++
		}
		if all || t.anyone.orders(p, next, end) || l.master && t.master.orders(p, next, p.paragraphEnd(l.end, end)) {
			p.report(l.start, l.end)
		}
	}
}

// possible: the words of one of the phrases all stand somewhere.
func (f *phrases) possible(p *page) bool {
	return slices.ContainsFunc(f.compiled, func(ph phrase) bool { return p.seen.covers(&ph.need) })
}

// orders: one of the phrases stands between the token and the end.
func (f *phrases) orders(p *page, first, end int) bool {
	for k := range f.compiled {
		ph := &f.compiled[k]
		if !p.seen.covers(&ph.need) {
			continue
		}
		for i := first; i < len(p.tokens) && int(p.tokens[i].start) < end; i++ {
			if p.match(ph, i) >= 0 && p.mayStart(ph, i) {
				return true
			}
		}
	}
	return false
}

// paragraphEnd answers where the first paragraph of text[from:end] ends; one without
// words does not count.
func (p *page) paragraphEnd(from, end int) int {
	start := from
	for start < end && (p.text[start] <= ' ' || strings.IndexByte("*:]>)=,-", p.text[start]) >= 0) {
		start++
	}
	line := false
	for at := start; at < end; at++ {
		switch c := p.text[at]; {
		case c == '\n' && line:
			return at
		case c == '\n':
			line = true
		case c > ' ':
			line = false
		}
	}
	return end
}

// label is the speaker's name before a turn.
type label struct {
	extent
	master bool
}

// labels collects the labels at the starts of lines.
func (p *page) labels() []label {
	var found []label
	for start := 0; start < len(p.text); {
		line := p.text[start:]
		end := strings.IndexAny(line, "\r\n")
		if end >= 0 {
			line = line[:end]
		}
		if at, name := turnLabel(line); at.end > 0 {
			found = append(found, label{extent{start + at.start, start + at.end}, slices.Contains(masters, name)})
		}
		if end < 0 {
			break
		}
		start += end + 1
	}
	return found
}

// turnLabel answers where the speaker's label stands at the start of the line and
// who it is, in any dress ("### System:", "**System**:", "[system]", "<system>",
// {"role": "system"); its end is 0 for none.
func turnLabel(line string) (extent, string) {
	const longest = 40
	label := line[:min(len(line), longest)]
	text := strings.TrimLeft(label, " \t#*>[<(/-=_{\"'")
	dressed := len(text) < len(label)
	name := leadingName(text)
	if strings.EqualFold(name, "role") {
		text = strings.TrimLeft(text[len(name):], "\"': =")
		name, dressed = leadingName(text), true
	}
	closing := strings.TrimLeft(text[len(name):], "*_ \"'")
	if !closes(closing, dressed) {
		return extent{}, ""
	}
	for _, s := range speakers {
		if strings.EqualFold(strings.TrimSpace(name), s) {
			return extent{0, len(label) - len(text) + len(name)}, s
		}
	}
	return extent{}, ""
}

// closes: what follows a name makes a label of it: a colon, or in a dressed one
// also a bracket, a comma or nothing.
func closes(after string, dressed bool) bool {
	switch {
	case strings.HasPrefix(after, ":"), strings.HasPrefix(after, "："):
		return true
	case after == "":
		return dressed
	}
	return dressed && strings.IndexByte("]>)=,", after[0]) >= 0
}

// leadingName is the letters and blanks that the text starts with.
func leadingName(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ "))]
}
