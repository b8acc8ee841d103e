package recall

import (
	"context"

	"holdfast/internal/keyed"
	"holdfast/internal/memory"
	"holdfast/internal/recall/rank"
)

// scored is a ranked candidate.
type scored struct {
	candidate
	score  float64
	parts  rank.Parts // of the score
	before int        // place in the first ranking, from 1; 0: never ranked
	after  int        // place in the last
}

// bestFirst orders candidates by what the index alone knows of them, in their place.
func (p *pass) bestFirst(found []candidate) []candidate {
	order := rank.Shortlist(p.question, p.rankable(found), p.stats, p.rankOptions(), len(found))
	for i := range order {
		from := order[i]
		for from < i { // what stood there was moved to where it came from
			from = order[from]
		}
		found[i], found[from] = found[from], found[i]
	}
	return found
}

// terms are the query's as the index counts them.
func (p *pass) terms() []string { return p.question.Terms }

// rank orders the candidates that were read (internal/recall/rank).
func (p *pass) rank(context.Context) error {
	ranked := rank.Order(p.question, p.rankable(p.found), p.stats, p.rankOptions())
	p.ranked = make([]scored, len(ranked))
	for i, r := range ranked {
		p.ranked[i] = scored{candidate: p.found[r.Index], score: r.Score, parts: r.Parts}
	}
	p.inherit()
	for i := range p.ranked {
		p.ranked[i].before = i + 1
	}
	return nil
}

// worth notes places and answers the ranked entries of the request's least score.
func (p *pass) worth() []scored {
	n := 0
	for i := range p.ranked {
		p.ranked[i].after = i + 1
		if p.ranked[i].score >= p.req.MinScore {
			n++ // scores never rise down the list
		}
	}
	if n < len(p.ranked) {
		p.removed[ByScore] = len(p.ranked) - n
	}
	return p.ranked[:n]
}

// rankable shows candidates to the ranking: before they are read, by what the
// index alone knows.
func (p *pass) rankable(found []candidate) []rank.Candidate {
	out := make([]rank.Candidate, len(found))
	for i, c := range found {
		out[i] = rank.Candidate{ID: c.id, Lexical: c.lexical, Cosine: c.cosine, HasVec: c.hasVec}
		if m := c.memory; m != nil {
			out[i].Text, out[i].Speaker, out[i].Session = m.Content, m.Speaker, p.session(m)
			out[i].EventAt, out[i].RecordedAt = m.Temporal.EventTime(), m.Temporal.RecordedAt
			out[i].EditedAt = m.Edition.At
			out[i].About = rank.About{
				Application: m.Subject.ApplicationID, Agent: m.Subject.AgentID, User: m.Subject.UserID, Attribute: m.Attribute,
			}
			out[i].Trust, out[i].Importance = m.Trust(), m.Importance
			out[i].Tags, out[i].Past = m.Tags, p.isPast(c)
		}
	}
	return out
}

// session is a memory's run as the ranking tells runs apart: two workspaces may call
// theirs the same.
func (p *pass) session(m *memory.Memory) string {
	if m.RunID == "" || m.WorkspaceID == p.req.Scope.WorkspaceID() {
		return m.RunID
	}
	return keyed.Join(m.WorkspaceID, m.RunID)
}

// isPast tells what no longer holds at the request's instant. On the recorded clock
// what was over by then shows as all else does (R0.16), and is past all the same.
func (p *pass) isPast(c candidate) bool {
	at, to := p.now, c.memory.Temporal.ValidTo
	if p.req.AsOf != nil {
		at = p.req.AsOf.At
	}
	return c.past || to != nil && !at.Before(*to)
}

var rankModes = map[Mode]rank.Mode{
	Hybrid: rank.Hybrid, Semantic: rank.Semantic, Lexical: rank.Lexical, Deterministic: rank.Deterministic,
}
