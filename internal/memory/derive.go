package memory

import (
	"context"
	"slices"
	"strings"
	"time"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Derivation asks for a memory of layer Workspace that the service makes of others.
type Derivation struct {
	ID        string // chosen by the caller, who stores the same derivation once
	Type      Type   // fact, decision, preference, procedure, episode or summary
	RunID     string
	Subject   Subject
	Speaker   string // whose words they are; empty: several people's, or the service's
	Tags      map[string]string
	ValidFrom *time.Time
	ValidTo   *time.Time
	Sources   []Source // all that it cites, those of the parts among them
	Parts     []Part   // what its text is made of
	// Rests says in which version the memories stood that the parts rest on. A part
	// that rests on one which has changed or gone is left out; nil: the caller has seen
	// to that.
	Rests map[string]int64
	// Ceiling is the least trust of what its parts rest on: what it cites besides, such as
	// the episode that it was made with, bounds it no further.
	Ceiling float64
	// Edged tells that the edges of its sources are there already.
	Edged bool
	// Then adds to the commit, by what becomes of the derivation; an error of it ends
	// the call. It may run several times. nil: nothing.
	Then func(ctx context.Context, fate Fate) ([]store.Action, error)
}

// Fate is what became of a derivation.
type Fate string

// The fates.
const (
	Kept     Fate = "kept"
	Known    Fate = "known"    // joined what says the same (A0.1)
	Refused  Fate = "refused"  // a person has rejected the value (A0.5)
	Withheld Fate = "withheld" // in quarantine
	Baseless Fate = "baseless" // nothing that it rests on is there as it was
)

// Derived is the answer of a derivation.
type Derived struct {
	ID string // the surviving memory's; empty: none was made
	commit.Outcome
}

// Derive stores what the service made of other memories, by the rules of an append:
// screened, held against rejected values, joined to what says the same already. It
// joins without a change of the text and leaves tags, origin and trust of what it
// joins alone; episodes and summaries join nothing. What derives from a weak source
// is trusted no more than that source.
func (s *Service) Derive(ctx context.Context, t Target, d Derivation) (Derived, error) {
	made, failures := s.DeriveMany(ctx, t, []Derivation{d})
	return made[0], failures[0]
}

// DeriveMany stores derivations in order, each on its own: results and errors by
// index. One that says the same as an earlier one joins it.
func (s *Service) DeriveMany(ctx context.Context, t Target, list []Derivation) ([]Derived, []error) {
	texts := make([]string, len(list))
	for i, d := range list {
		texts[i] = textOf(d.Type, d.Parts)
	}
	e := s.embeddings(texts...)
	writes := make([]commit.Write, len(list))
	for i, d := range list {
		writes[i] = commit.Write{Scope: t.Scope, Actor: t.Caller.Actor,
			Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
				c, err := s.change(ctx, t, op)
				if err != nil {
					return commit.Plan{}, err
				}
				return c.derive(ctx, d, e)
			}}
	}
	out := make([]Derived, len(list))
	outs, failures := s.Commit.DoMany(ctx, writes)
	for i := range list {
		if failures[i] == nil {
			var r receipt
			r, failures[i] = s.receiptOf(ctx, t.Scope, outs[i])
			out[i] = Derived{ID: r.MemoryID, Outcome: outs[i]}
		}
	}
	return out, failures
}

// ServiceTarget is the service itself acting in a workspace.
func ServiceTarget(scope tenant.Scope, w tenant.Workspace) Target {
	return Target{Scope: scope, Workspace: w, Caller: Caller{Actor: ledger.Service()}}
}

func (c *change) derive(ctx context.Context, d Derivation, e *embeddings) (commit.Plan, error) {
	all := len(d.Parts)
	d, err := c.unrejected(ctx, d)
	if err != nil {
		return commit.Plan{}, err
	}
	if len(d.Parts) == 0 && all > 0 {
		return c.completed(ctx, d, Refused, commit.Plan{})
	}
	if d, err = c.standing(ctx, d); err != nil {
		return commit.Plan{}, err
	}
	if !rests(d.Parts) {
		return c.completed(ctx, d, Baseless, commit.Plan{})
	}
	m := d.memory()
	if d.Edged {
		c.edged = m.Cites()
	}
	plan, err := c.append(ctx, &addition{memory: m, reasons: d.reasons(m), forms: formsOf(m.Content), claim: claimedBy(m), made: &d}, e)
	if known := errs.As(err); known != nil && known.Code == rejectedCode {
		return c.completed(ctx, d, Refused, commit.Plan{})
	}
	if err != nil {
		return commit.Plan{}, err
	}
	return c.completed(ctx, d, c.fate, plan)
}

// completed is a plan with what the caller adds to it.
func (c *change) completed(ctx context.Context, d Derivation, fate Fate, plan commit.Plan) (commit.Plan, error) {
	if plan.Result == nil {
		var err error
		if plan.Result, err = (receipt{}).encode(); err != nil {
			return commit.Plan{}, err
		}
	}
	if d.Then == nil {
		return plan, nil
	}
	more, err := d.Then(ctx, fate)
	plan.Actions = append(plan.Actions, more...)
	return plan, err
}

// unrejected leaves out the parts that quote what a person has rejected (A0.5); of one
// part alone the text is the value, which append sees to.
func (c *change) unrejected(ctx context.Context, d Derivation) (Derivation, error) {
	if len(d.Parts) < 2 {
		return d, nil
	}
	found, err := c.rejectedParts(ctx, d.memory(), d.Parts)
	if err != nil {
		return d, err
	}
	var left []Part
	for i, p := range d.Parts {
		if len(found[i]) == 0 {
			left = append(left, p)
		}
	}
	return d.of(left), nil
}

// of is the derivation made of fewer parts. What no part rests on any more is no source
// of it, but for one that has other sources than its parts.
func (d Derivation) of(left []Part) Derivation {
	before, after := restOn(d.Parts), restOn(left)
	if d.Parts = left; d.Rests == nil {
		return d
	}
	d.Sources = slices.DeleteFunc(slices.Clone(d.Sources), func(s Source) bool {
		return contains(before, s.ID) && !contains(after, s.ID)
	})
	return d
}

// standing leaves out the parts that rest on what has changed or gone, and checks
// that the others stay as they are until the commit.
func (c *change) standing(ctx context.Context, d Derivation) (Derivation, error) {
	if d.Rests == nil {
		return d, nil
	}
	cited := restOn(d.Parts)
	found, err := Load(ctx, c.store, c.Scope, cited)
	if err != nil {
		return d, errs.Unread(err)
	}
	var gone []string
	for i, m := range found {
		if m == nil || m.Status == Quarantined || m.Version != d.Rests[cited[i]] {
			gone = append(gone, cited[i])
		}
	}
	d = d.of(slices.DeleteFunc(slices.Clone(d.Parts), func(p Part) bool { return citesAny(p, gone) }))
	for _, id := range restOn(d.Parts) {
		check := StillAt(c.Scope, id, d.Rests[id])
		check.Label = "rests " + id
		c.plan.Actions = append(c.plan.Actions, check)
	}
	return d, nil
}

// make stores a derivation, or joins it to what says the same.
func (c *change) make(ctx context.Context, e *embeddings, d *Derivation, m *Memory, look look) (commit.Plan, error) {
	c.fate = Kept
	if d.Type == Episode || d.Type == Summary { // each stretch has its own
		return c.create(ctx, e, m, look)
	}
	old, same, err := c.twin(ctx, m, look)
	if err != nil {
		return commit.Plan{}, err
	}
	if old != nil && (same || c.alike(ctx, e, old, m)) {
		c.fate = Known
		return c.corroborate(old, m)
	}
	return c.create(ctx, e, m, look)
}

// corroborate plans that a derivation joins what says the same. A text that the
// service made rests on both from then on; somebody else's stands by itself.
func (c *change) corroborate(old, m *Memory) (commit.Plan, error) {
	c.after(old)
	next := old.clone()
	if old.Parts != nil {
		before := size(next)
		next.Provenance.Sources = unitedSources(next.Provenance.Sources, m.Provenance.Sources)
		for _, p := range m.Parts {
			next.Parts = append(slices.Clip(next.Parts), Part{Text: old.Content, Cites: p.Cites})
		}
		c.grow(next, size(next)-before)
		c.edges(next, old.Cites())
	}
	c.remember(next, m, false)
	if err := c.head("head", next, old.Revision); err != nil {
		return commit.Plan{}, err
	}
	if err := c.log(ledger.Merge, next, false); err != nil {
		return commit.Plan{}, err
	}
	return c.done(receipt{MemoryID: next.ID, Merged: true, Version: next.Version})
}

// memory is the derivation as it is stored if it joins nothing.
func (d Derivation) memory() *Memory {
	m := &Memory{
		ID: d.ID, Layer: Workspace, Type: d.Type, RunID: d.RunID, Subject: d.Subject, Speaker: d.Speaker, Tags: d.Tags, Parts: d.Parts,
		Content: textOf(d.Type, d.Parts), Provenance: Provenance{Origin: FromService, Sources: d.Sources},
	}
	m.Temporal.ValidFrom, m.Temporal.ValidTo = inUTC(d.ValidFrom), inUTC(d.ValidTo)
	if d.Ceiling < trust[FromService] {
		m.Ceiling = &d.Ceiling
	}
	return m
}

// reasons screens a derivation, and holds a procedure that rests on a weak source.
func (d Derivation) reasons(m *Memory) []string {
	out := m.reasons()
	if m.worth() <= trust[FromTool] && (m.Type == Procedure || m.Type == Policy) {
		out = append(out, UnreviewedPromotion)
	}
	return out
}

// DerivedEdges are the rows that tell, at each memory that a derivation cites, that
// it is derived from there: for one with more sources than its commit has room for.
func DerivedEdges(scope tenant.Scope, id string, sources []Source) []store.Item {
	m := Memory{Provenance: Provenance{Sources: sources}}
	var out []store.Item
	for _, cited := range m.Cites() {
		out = append(out, store.Item{Key: keys.Derived(scope, cited, id), Attrs: store.Attrs{}})
	}
	return out
}

// textOf is the text that parts make: each text once, in their order.
func textOf(kind Type, parts []Part) string {
	between := " "
	if kind == Episode {
		between = "\n"
	}
	var texts []string
	for _, p := range parts {
		if !contains(texts, p.Text) {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, between)
}

// rests tells whether any of the parts rests on something.
func rests(parts []Part) bool {
	return slices.ContainsFunc(parts, func(p Part) bool { return len(p.Cites) > 0 })
}

// restOn are the ids that parts rest on, each once.
func restOn(parts []Part) []string {
	var out []string
	for _, p := range parts {
		for _, id := range p.Cites {
			if !contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

func citesAny(p Part, ids []string) bool {
	return slices.ContainsFunc(p.Cites, func(id string) bool { return contains(ids, id) })
}
