package recall

import (
	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// filter is the request's visibility as the index understands it. What it says is
// checked again on the memory itself; here it keeps the invisible from crowding
// out the visible.
func (r Request) filter() search.Filter {
	all := []search.Filter{
		boundTo(memory.FieldApplication, r.Subject.ApplicationID),
		boundTo(memory.FieldAgent, r.Subject.AgentID),
		boundTo(memory.FieldUser, r.Subject.UserID),
		r.sessions(),
	}
	for key, value := range r.Tags {
		all = append(all, search.Filter{Field: memory.FieldTag, In: []string{memory.TagTerm(key, value)}})
	}
	return search.Filter{All: all}
}

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
	outside := search.Filter{Not: &session}
	if r.RunID == "" {
		return outside
	}
	return search.Filter{Any: []search.Filter{outside, {Field: memory.FieldRun, In: []string{r.RunID}}}}
}

// current is a query without what is superseded.
func current(q search.Query) search.Query {
	superseded := search.Filter{Field: memory.FieldStatus, In: []string{string(memory.Superseded)}}
	q.Filter = search.Filter{All: []search.Filter{q.Filter, {Not: &superseded}}}
	return q
}

// tagged tells whether a memory has every tag of the request (R0.13).
func (r Request) tagged(m *memory.Memory) bool {
	for key, value := range r.Tags {
		if got, ok := m.Tags[key]; !ok || got != value {
			return false
		}
	}
	return true
}

// candidate is a proposed memory with what the arms know of it.
type candidate struct {
	scope   tenant.Scope // of the workspace that wrote it
	id      string
	version int64
	lexical float64
	cosine  float64
	hasVec  bool
	fresh   bool // scored from the table: the index has not reached it
	memory  *memory.Memory
}

// deterministicScope is the most entries that deterministic mode considers (R0.82).
const deterministicScope = 10000

// proposals is how many hits are asked of each arm.
const proposals = 200

// hydrated is how many candidates are read from the table at a time: enough to
// fill topN when a part of them turns out to be gone, hidden or doubled.
func (r Request) hydrated() int {
	if r.Mode == Deterministic {
		return deterministicScope
	}
	return max(60, 3*r.TopN)
}
