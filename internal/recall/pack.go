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
	fresh := d == nil
	if fresh {
		d = newDraft(string(s))
	}
	before := 0
	if !fresh {
		before = d.tokens()
	}
	after := (d.runes + d.cost(l) + 3) / 4
	if p.used-before+after > p.budget {
		return false
	}
	d.add(l)
	p.drafts[s] = d
	p.used += after - before
	return true
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
