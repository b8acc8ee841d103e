package recall

import (
	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// boundTo holds for documents without the field and for those with this value.
func boundTo(field, value string) search.Filter {
	free := search.Filter{Field: field, Missing: true}
	if value == "" {
		return free
	}
	return search.Filter{Any: []search.Filter{free, {Field: field, In: []string{value}}}}
}

// sessions lets memories of layer Session through with their run only (R0.2).
func (r Request) sessions() search.Filter {
	session := search.Filter{Field: memory.FieldLayer, In: []string{string(memory.Session)}}
	outside := not(session)
	if r.RunID == "" {
		return outside
	}
	return search.Filter{Any: []search.Filter{outside, {Field: memory.FieldRun, In: []string{r.RunID}}}}
}

// floors are read from the table and no candidates (isFloor).
var floors = search.Filter{All: []search.Filter{
	{Field: memory.FieldLayer, In: []string{string(memory.Tenant)}},
	{Field: memory.FieldType, In: []string{string(memory.Policy)}},
	{Field: memory.FieldFloor, In: []string{memory.FloorTerm}},
}}

// superseded holds for what another memory has replaced.
var superseded = search.Filter{Field: memory.FieldStatus, In: []string{string(memory.Superseded)}}

// ofWorkspace narrows a filter to memories of layer Workspace.
func ofWorkspace(f search.Filter) search.Filter {
	return both(search.Filter{Field: memory.FieldLayer, In: []string{string(memory.Workspace)}}, f)
}

// tagged tells whether a memory has every tag of the request (R0.13).
func (r Request) tagged(m *memory.Memory) bool { return m.Tagged(r.Tags) }

// candidate is a proposed memory with what the arms know of it.
type candidate struct {
	scope   tenant.Scope // of the workspace that wrote it
	id      string
	version int64
	lexical float64
	cosine  float64
	hasVec  bool
	shared  bool           // proposed out of the tenant's own partition
	fresh   bool           // scored from the table: the index has not reached it, or scored another text
	memory  *memory.Memory // as the request sees it
	past    bool           // superseded, or over: shown only where superseded ones are
}

// matches tells a candidate that words or meaning speak for.
func (c candidate) matches() bool { return c.lexical > 0 || c.hasVec }

// view is the candidate's memory as the request sees it.
func (c candidate) view() memory.View { return memory.View{Memory: c.memory, Past: c.past} }

// deterministicScope is the most entries that deterministic mode considers (R0.82).
const deterministicScope = 10000

// proposals is how many hits are asked of each arm where the request does not say.
const proposals = 200

// proposals is how many hits are asked of each arm. Deterministic mode considers the
// whole scope, whatever the request says.
func (r Request) proposals() int {
	switch {
	case r.Mode == Deterministic:
		return deterministicScope
	case r.Overrides.CandidateCount != nil:
		return *r.Overrides.CandidateCount
	}
	return proposals
}

// hydrated is how many candidates are read from the table at a time: enough to
// fill topN when a part of them turns out to be gone, hidden or doubled. With a
// least score all are, since only what was read has a score to count by.
func (r Request) hydrated() int {
	switch {
	case r.Mode == Deterministic:
		return deterministicScope
	case r.MinScore > 0:
		return 2 * r.proposals()
	}
	return max(80, 3*r.TopN)
}
