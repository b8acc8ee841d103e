package recall

import (
	"context"

	"holdfast/internal/memory"
)

// scored is a ranked candidate.
type scored struct {
	candidate
	score float64
}

// compile turns the ranked candidates into the answer: floors first, then the
// profile, then entries by score, whole ones only; one that does not fit is
// passed over, and a smaller one further down may still fit (R0.25).
func (p *pass) compile(ctx context.Context, ranked []scored) (Context, error) {
	out := Context{
		ReceiptID: p.IDs.New(), At: p.Clock.Now(), Sections: map[Section][]Entry{}, Blocks: []Block{},
		SupersededHidden: p.hidden, Arms: p.armList(), IndexSequence: p.indexSequence(),
	}
	pack := newPacker(p.req.TokenBudget)
	for _, m := range p.floors {
		pack.require(TenantFloors, plainLine(m.ID, m.Content))
		out.Sections[TenantFloors] = append(out.Sections[TenantFloors], entryOf(m, 1))
	}
	if p.req.Raw {
		err := p.loadProfile(ctx, nil)
		out.Profile = p.profile
		out.OmittedWorkspace = p.beyondReading()
		p.take(&out, ranked)
		return out, err
	}
	if err := pack.checkFloor(); err != nil {
		return Context{}, err
	}
	if err := p.loadProfile(ctx, pack); err != nil {
		return Context{}, asError(err)
	}
	out.Profile = p.profile
	out.OmittedWorkspace = p.beyondReading()
	dropped := p.pack(&out, pack, ranked)
	out.Blocks = pack.blocks()
	out.Compilation = &Compilation{
		TokenBudget: p.req.TokenBudget, TokensUsed: pack.used, Sections: pack.sections(), Dropped: dropped,
	}
	return out, nil
}

// take fills the sections of a raw answer: topN applies, the budget does not (R0.21).
func (p *pass) take(out *Context, ranked []scored) {
	for i, c := range ranked {
		if i < p.req.TopN {
			s := sectionOf(c.memory)
			out.Sections[s] = append(out.Sections[s], entryOf(c.memory, c.score))
		} else if c.memory.Layer == memory.Workspace {
			out.OmittedWorkspace++
		}
	}
}

// pack fills the sections within the budget and lists what was left out. An entry
// that stands in the block of the profile is in its section as well, but in no second
// block: the budget pays a text once.
func (p *pass) pack(out *Context, pack *packer, ranked []scored) []Dropped {
	dropped := []Dropped{}
	taken := 0
	profiled := map[string]bool{}
	for _, m := range p.profileSet {
		profiled[m.ID] = true
	}
	for _, c := range ranked {
		section := sectionOf(c.memory)
		reason := OverTopN
		if taken < p.req.TopN {
			if profiled[c.id] || pack.fits(section, entryLine(c.memory)) {
				taken++
				pack.count(section).Included++
				out.Sections[section] = append(out.Sections[section], entryOf(c.memory, c.score))
				continue
			}
			reason = OverBudget
		}
		pack.count(section).Omitted++
		dropped = append(dropped, Dropped{ID: c.id, Reason: reason})
		if c.memory.Layer == memory.Workspace {
			out.OmittedWorkspace++
		}
	}
	return dropped
}

// beyondReading is how many entries of layer Workspace an arm knows beyond those
// that were read: they rank below topN.
func (p *pass) beyondReading() int {
	if p.req.MinScore > 0 {
		return 0
	}
	return p.unread
}

func entryOf(m *memory.Memory, score float64) Entry {
	return Entry{Memory: m, Score: score, Tokens: Tokens(m.Content)}
}

func (p *pass) armList() []Arm {
	lexical := p.arms["lexical"]
	if p.full && p.req.Mode == Deterministic {
		lexical.State, lexical.Reason = Degraded, "the scope holds more entries than deterministic mode considers" // R0.82
	}
	return []Arm{lexical, p.arms["semantic"], p.arms["overlay"]}
}
