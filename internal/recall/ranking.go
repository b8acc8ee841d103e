package recall

import (
	"math"
	"slices"
	"strings"

	"holdfast/internal/recall/rank"
)

// shortlist keeps as many candidates as are worth reading from the table: the
// best by both arms' scores over their spread, as the ranking itself will weigh
// them. Fresh ones, which are read already, all stay.
func (p *pass) shortlist(found []candidate) []candidate {
	limit := p.req.hydrated()
	if len(found) <= limit {
		return found
	}
	share := p.Embedder.Profile().LexicalShare
	lexical := share / spread(found, func(c candidate) float64 { return c.lexical })
	semantic := (1 - share) / spread(found, func(c candidate) float64 { return c.cosine })
	value := func(c candidate) float64 {
		if c.fresh {
			return math.Inf(1)
		}
		return lexical*c.lexical + semantic*c.cosine
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		if x, y := value(a), value(b); x != y {
			return compareDown(x, y)
		}
		return strings.Compare(b.id, a.id)
	})
	return found[:limit]
}

// spread is the standard deviation, never 0.
func spread(found []candidate, of func(candidate) float64) float64 {
	var sum, squares float64
	for _, c := range found {
		sum += of(c)
		squares += of(c) * of(c)
	}
	n := float64(len(found))
	return math.Sqrt(max(squares/n-(sum/n)*(sum/n), 1e-12))
}

func compareDown(x, y float64) int {
	if x > y {
		return -1
	}
	return 1
}

// terms are the query's as the index counts them.
func (p *pass) terms() []string { return p.question.Terms }

// rank orders the candidates that were read (internal/recall/rank) and drops
// those below the request's least score.
func (p *pass) rank() []scored {
	profile := p.Embedder.Profile()
	in := make([]rank.Candidate, len(p.found))
	for i, c := range p.found {
		m := c.memory
		in[i] = rank.Candidate{
			ID: c.id, Lexical: c.lexical, Cosine: c.cosine, HasVec: c.hasVec, Text: m.Content, Speaker: m.Speaker,
			Session: m.RunID, EventAt: m.Temporal.EventTime(), RecordedAt: m.Temporal.RecordedAt,
			Trust: m.Trust(), Importance: m.Importance,
		}
	}
	ranked := rank.Order(p.question, in, p.stats, rank.Options{
		Mode: rankModes[p.req.Mode], LexicalShare: profile.LexicalShare, Floor: profile.Floor,
		ImportanceWeight: rank.DefaultImportanceWeight, Anchor: p.now,
	})
	out := make([]scored, 0, len(ranked))
	for _, r := range ranked {
		if r.Score >= p.req.MinScore {
			out = append(out, scored{p.found[r.Index], r.Score})
		}
	}
	return out
}

var rankModes = map[Mode]rank.Mode{
	Hybrid: rank.Hybrid, Semantic: rank.Semantic, Lexical: rank.Lexical, Deterministic: rank.Deterministic,
}
