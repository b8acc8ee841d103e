package recall

import (
	"holdfast/internal/recall/rank"
)

// bestFirst orders candidates by what the index alone knows of them.
func (p *pass) bestFirst(found []candidate) []candidate {
	out := make([]candidate, 0, len(found))
	for _, i := range rank.Shortlist(p.question, rankable(found), p.stats, p.rankOptions(), len(found)) {
		out = append(out, found[i])
	}
	return out
}

// terms are the query's as the index counts them.
func (p *pass) terms() []string { return p.question.Terms }

// rank orders the candidates that were read (internal/recall/rank) and drops
// those below the request's least score.
func (p *pass) rank() []scored {
	ranked := rank.Order(p.question, rankable(p.found), p.stats, p.rankOptions())
	out := make([]scored, 0, len(ranked))
	for _, r := range ranked {
		if r.Score >= p.req.MinScore {
			out = append(out, scored{p.found[r.Index], r.Score})
		}
	}
	return out
}

func (p *pass) rankOptions() rank.Options {
	profile := p.Embedder.Profile()
	return rank.Options{
		Mode: rankModes[p.req.Mode], LexicalShare: profile.LexicalShare, Floor: profile.Floor,
		ImportanceWeight: rank.DefaultImportanceWeight, Anchor: p.now,
	}
}

// rankable shows candidates to the ranking: before they are read, by what the
// index alone knows.
func rankable(found []candidate) []rank.Candidate {
	out := make([]rank.Candidate, len(found))
	for i, c := range found {
		out[i] = rank.Candidate{ID: c.id, Lexical: c.lexical, Cosine: c.cosine, HasVec: c.hasVec}
		if m := c.memory; m != nil {
			out[i].Text, out[i].Speaker, out[i].Session = m.Content, m.Speaker, m.RunID
			out[i].EventAt, out[i].RecordedAt = m.Temporal.EventTime(), m.Temporal.RecordedAt
			out[i].Trust, out[i].Importance = m.Trust(), m.Importance
		}
	}
	return out
}

var rankModes = map[Mode]rank.Mode{
	Hybrid: rank.Hybrid, Semantic: rank.Semantic, Lexical: rank.Lexical, Deterministic: rank.Deterministic,
}
