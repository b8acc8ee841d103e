package recall

import (
	"context"

	"holdfast/internal/memory"
)

// compile turns the ranked candidates into the answer: floors first, then the
// profile and the session's summary, then entries by score, whole ones only; one that
// does not fit is passed over, and a smaller one further down may still fit (R0.25).
// What opened sessions add comes last.
func (p *pass) compile(ctx context.Context, ranked []scored) (Context, error) {
	a := p.assembly()
	for _, m := range p.floors {
		a.pack.require(TenantFloors, plainLine(m.ID, m.Content))
		a.out.Sections[TenantFloors] = append(a.out.Sections[TenantFloors], entryOf(m, 1))
	}
	if p.req.Raw {
		a.pack = nil
	} else if err := a.pack.checkFloor(); err != nil {
		return Context{}, err
	}
	if err := p.loadProfile(ctx, a); err != nil {
		return Context{}, err
	}
	if err := p.loadSummary(ctx, a); err != nil {
		return Context{}, err
	}
	for _, m := range p.digested() {
		a.printed[m.ID] = true
	}
	a.out.OmittedWorkspace = p.beyondReading()
	a.place(ranked, p.req.TopN)
	if err := p.expand(ctx, a); err != nil {
		return Context{}, err
	}
	return a.finish(), nil
}

func (p *pass) assembly() *assembly {
	out := Context{
		ReceiptID: p.IDs.New(), At: p.Clock.Now(), Sections: map[Section][]Entry{}, Blocks: []Block{},
		SupersededHidden: p.hidden, Arms: p.armList(), IndexSequence: p.indexSequence(),
	}
	return &assembly{
		out: out, pack: newPacker(p.req.TokenBudget), dropped: []Dropped{},
		printed: map[string]bool{}, showing: map[string]bool{}, omitted: map[string]bool{},
	}
}

// beyondReading is how many entries of layer Workspace an arm knows beyond those
// that were read: they rank below topN.
func (p *pass) beyondReading() int {
	if p.req.MinScore > 0 {
		return 0
	}
	return p.unread
}

func (p *pass) armList() []Arm {
	lexical := p.arms["lexical"]
	if p.full && p.req.Mode == Deterministic {
		lexical.State, lexical.Reason = Degraded, "the scope holds more entries than deterministic mode considers" // R0.82
	}
	return []Arm{lexical, p.arms["semantic"], p.arms["overlay"]}
}

// assembly is an answer while it is being put together.
type assembly struct {
	out     Context
	pack    *packer         // nil with Raw: neither blocks nor a budget
	printed map[string]bool // stands in the block of a digest
	shown   []scored        // entries of the answer, in the order in which they came
	showing map[string]bool // their ids
	omitted map[string]bool // ranked entries that were left out
	dropped []Dropped
}

// place fills the sections with ranked entries up to topN, whole ones that the budget
// holds (none with Raw, R0.21), and lists what was left out.
func (a *assembly) place(ranked []scored, topN int) {
	for _, c := range ranked {
		switch {
		case len(a.shown) >= topN:
			a.omit(c, OverTopN)
		case a.fits(c):
			a.show(c)
		default:
			a.omit(c, OverBudget)
		}
	}
}

// fits adds an entry's line to its block if the budget holds it. An entry that stands
// in the block of a digest is in its section as well, but in no second block: the
// budget pays a text once. What cannot fit however it is shown is not worked on.
func (a *assembly) fits(c scored) bool {
	if a.pack == nil || a.printed[c.id] {
		return true
	}
	section := sectionOf(c.memory)
	return a.pack.holds(section, entryLeast(c.memory.Content)) && a.pack.fits(section, entryLine(c.memory))
}

func (a *assembly) show(c scored) {
	section := sectionOf(c.memory)
	a.shown, a.showing[c.id] = append(a.shown, c), true
	a.out.Sections[section] = append(a.out.Sections[section], entryOf(c.memory, c.score))
	if a.pack != nil {
		a.pack.count(section).Included++
	}
}

func (a *assembly) omit(c scored, reason Reason) {
	a.omitted[c.id] = true
	if c.memory.Layer == memory.Workspace {
		a.out.OmittedWorkspace++
	}
	if a.pack != nil {
		a.pack.count(sectionOf(c.memory)).Omitted++
		a.dropped = append(a.dropped, Dropped{ID: c.id, Reason: reason})
	}
}

func (a *assembly) finish() Context {
	if a.pack != nil {
		a.out.Blocks = a.pack.blocks()
		a.out.Compilation = &Compilation{
			TokenBudget: a.pack.budget, TokensUsed: a.pack.used, Sections: a.pack.sections(), Dropped: a.dropped,
		}
	}
	return a.out
}

func entryOf(m *memory.Memory, score float64) Entry {
	return Entry{Memory: m, Score: score, Tokens: Tokens(m.Content)}
}
