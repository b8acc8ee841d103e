package screen

import "slices"

// rules is the table of everything that screening looks for, in families. Rules
// that lean on what others found stand after them.
var rules = slices.Concat(orderRules, carryRules, mailRules, characterRules, secretRules, disguiseRules)

// rule is one row of the table.
type rule struct {
	code     string   // reason code: lower_snake, stored with the verdict, never renamed
	means    string   // what it stands for, in one line
	quotable bool     // passes where the words are introduced as an example of wording
	find     finder   // reports every place
	hits     []string // texts that it must catch
	misses   []string // texts near to it that no rule may catch
}

// finder finds the places of one rule.
type finder interface {
	prepare(v *vocabulary) // compiles; called once, before any find
	find(p *page)          // calls p.report for every place
}

// scan is a finder that needs no words of its own.
type scan func(p *page)

func (scan) prepare(*vocabulary) {}
func (s scan) find(p *page)      { s(p) }

// anyOf finds what any of the finders finds.
type anyOf []finder

func (a anyOf) prepare(v *vocabulary) {
	for _, f := range a {
		f.prepare(v)
	}
}

func (a anyOf) find(p *page) {
	for _, f := range a {
		f.find(p)
	}
}

// given finds what the finder finds where the condition holds. The condition is
// asked only when there is something to report.
type given struct {
	when func(p *page) bool
	then finder
}

func (g given) prepare(v *vocabulary) { g.then.prepare(v) }

func (g given) find(p *page) {
	before := len(p.spans)
	g.then.find(p)
	if len(p.spans) > before && !g.when(p) {
		p.spans = p.spans[:before]
	}
}
