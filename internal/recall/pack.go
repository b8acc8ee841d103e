package recall

import (
	"holdfast/internal/errs"
)

// Reason says why a ranked entry was left out.
type Reason string

// The reasons of R0.28.
const (
	OverTopN   Reason = "top_n"
	OverBudget Reason = "budget"
)

// Dropped is a ranked entry that was left out.
type Dropped struct {
	ID     string
	Reason Reason
}

// SectionCount is a section's line in the compilation.
type SectionCount struct {
	Name              Section
	Tokens            int // of its block
	Included, Omitted int // of its entries; what the index knows beyond those read is in neither
}

// packer fills blocks within a budget of tokens. Each block's tokens are rounded
// up on their own, and the sum of all never passes the budget.
type packer struct {
	budget int
	drafts map[Section]*draft
	used   int
	counts map[Section]*SectionCount
}

func newPacker(budget int) *packer {
	return &packer{budget: budget, drafts: map[Section]*draft{}, counts: map[Section]*SectionCount{}}
}

func (p *packer) count(s Section) *SectionCount {
	c := p.counts[s]
	if c == nil {
		c = &SectionCount{Name: s}
		p.counts[s] = c
	}
	return c
}

// fits adds a line to a section's block if the budget holds it.
func (p *packer) fits(s Section, l line) bool {
	d := p.drafts[s]
	if d == nil {
		d = newDraft(string(s))
	}
	if !p.holds(s, d.cost(l)) {
		return false
	}
	before := 0
	if p.drafts[s] != nil {
		before = d.tokens()
	}
	d.add(l)
	p.drafts[s] = d
	p.used += d.tokens() - before
	return true
}

// holds tells whether the budget holds so many more code points in a section's block.
func (p *packer) holds(s Section, runes int) bool {
	before, all := 0, bareRunes(string(s))+runes
	if d := p.drafts[s]; d != nil {
		before, all = d.tokens(), d.runes+runes
	}
	return p.used-before+tokensOf(all) <= p.budget
}

// require adds a line whatever the budget: non-negotiable policy.
func (p *packer) require(s Section, l line) {
	d := p.drafts[s]
	if d == nil {
		d = newDraft(string(s))
		p.drafts[s] = d
	} else {
		p.used -= d.tokens()
	}
	d.add(l)
	p.used += d.tokens()
	p.count(s).Included++
}

// checkFloor answers the error of S0.35 when what was required does not fit.
func (p *packer) checkFloor() error {
	if p.used <= p.budget {
		return nil
	}
	e := errs.New(errs.Unprocessable, "CONTEXT_BUDGET_TOO_SMALL",
		"Policy that may never be left out does not fit the token budget; raise it to minimumTokens or more.")
	e.Extra = map[string]any{"minimumTokens": p.used}
	return e
}

func (p *packer) blocks() []Block {
	blocks := []Block{}
	for _, s := range packingOrder {
		if d := p.drafts[s]; d != nil {
			b := d.block()
			p.count(s).Tokens = b.Tokens
			blocks = append(blocks, b)
		}
	}
	return blocks
}

func (p *packer) sections() []SectionCount {
	out := []SectionCount{}
	for _, s := range packingOrder {
		if c := p.counts[s]; c != nil {
			out = append(out, *c)
		}
	}
	return out
}
