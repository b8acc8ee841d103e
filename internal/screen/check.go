package screen

import (
	"cmp"
	"slices"
	"sync"
)

// Verdict is what screening found in a text.
type Verdict struct {
	Reasons []string // reason codes, sorted, each once; empty: the text is clean
	Spans   []Span   // where, in order of place; at most maxSpans a reason
}

// Span is one place that a rule caught.
type Span struct {
	Rule       string // reason code
	Start, End int    // byte offsets into the text, Start < End
}

// Clean tells whether nothing was found.
func (v Verdict) Clean() bool { return len(v.Reasons) == 0 }

// maxSpans bounds the places kept for one reason, so that a hostile text cannot
// make a verdict much larger than itself. The reason stands all the same.
const maxSpans = 16

// maxDepth is how many layers of encoding are opened one inside the other.
const maxDepth = 2

var screener = newEngine(rules)

// Check screens one text.
func Check(text string) Verdict { return screener.check(text, 0) }

// engine is the compiled table; it does not change once made.
type engine struct {
	vocabulary
	rules []rule
	leads leads
	mail  mailSigns
}

func newEngine(table []rule) *engine {
	e := &engine{vocabulary: newVocabulary(), rules: table, mail: newMailSigns()}
	e.leads = newLeads(&e.vocabulary)
	for _, r := range table {
		r.find.prepare(&e.vocabulary)
	}
	e.mail.prepare(&e.vocabulary)
	return e
}

// page is one text under examination.
type page struct {
	*engine
	text   string
	depth  int
	tokens []token
	seen   bitset    // every step that some token of the text satisfies
	odd    []oddRune // characters that may be hidden or turn the direction
	runs   []extent  // long stretches without a blank
	rtl    answer    // whether it has right-to-left letters
	mailed answer    // whether it looks like a mail
	rule   *rule     // whose turn it is
	spans  []Span
}

// answer is a question about the page that is asked once, if at all.
type answer uint8

const (
	unknown answer = iota
	no
	yes
)

var pages = sync.Pool{New: func() any { return new(page) }}

func (e *engine) check(text string, depth int) Verdict {
	p := pages.Get().(*page)
	defer p.release()
	p.engine, p.text, p.depth = e, text, depth
	p.read()
	for i := range e.rules {
		p.rule = &e.rules[i]
		p.rule.find.find(p)
	}
	return p.verdict()
}

// release gives the page back without what it held of the text.
func (p *page) release() {
	*p = page{tokens: p.tokens[:0], odd: p.odd[:0], runs: p.runs[:0]}
	pages.Put(p)
}

// report notes that the rule whose turn it is caught text[start:end].
func (p *page) report(start, end int) {
	if start < end && p.count(p.rule.code) < maxSpans {
		p.spans = append(p.spans, Span{Rule: p.rule.code, Start: start, End: end})
	}
}

func (p *page) count(code string) int {
	n := 0
	for _, s := range p.spans {
		if s.Rule == code {
			n++
		}
	}
	return n
}

// caught tells whether one of the reasons was found already; rules that lean on
// others come after them in the table.
func (p *page) caught(codes ...string) bool {
	return slices.ContainsFunc(p.spans, func(s Span) bool { return slices.Contains(codes, s.Rule) })
}

func (p *page) verdict() Verdict {
	if len(p.spans) == 0 {
		return Verdict{}
	}
	slices.SortFunc(p.spans, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Rule, b.Rule))
	})
	v := Verdict{Spans: slices.Compact(p.spans)}
	for _, s := range v.Spans {
		v.Reasons = append(v.Reasons, s.Rule)
	}
	slices.Sort(v.Reasons)
	v.Reasons = slices.Compact(v.Reasons)
	return v
}
