package recall

import (
	"math"
	"time"

	"holdfast/internal/recall/rank"
)

// Overrides change how one request ranks (R0.22, R0.81); nil members do not.
type Overrides struct {
	SemanticWeight, LexicalWeight   *float64 // 0 to 1: the arms' shares of their sum
	RecencyWeight, ImportanceWeight *float64 // 0 to 1: biases; 1 at most doubles or halves
	RecencyHalfLifeDays             *float64 // above 0
	CandidateCount                  *int     // 1 to 500: hits asked of each arm
}

// Effective is what a request ranked by. In deterministic mode only CandidateCount
// counts.
type Effective struct {
	SemanticWeight, LexicalWeight   float64 // shares: their sum is 1
	RecencyWeight, ImportanceWeight float64
	RecencyHalfLifeDays             float64
	CandidateCount                  int
}

// effective puts the defaults in place of what the request leaves out. Of the shares
// too: one that is left out is the workspace's, else the embedding profile's. Where both
// are given as 0 these count; one that is given as 0 leaves all to the other.
func (p *pass) effective() Effective {
	o, share := p.req.Overrides, or(p.req.LexicalWeight, p.Embedder.Profile().LexicalShare)
	e := Effective{
		SemanticWeight: or(o.SemanticWeight, 1-share), LexicalWeight: or(o.LexicalWeight, share),
		RecencyWeight: or(o.RecencyWeight, 0), ImportanceWeight: or(o.ImportanceWeight, rank.DefaultImportanceWeight),
		RecencyHalfLifeDays: or(o.RecencyHalfLifeDays, days(rank.DefaultHalfLife)), CandidateCount: p.req.proposals(),
	}
	if o.SemanticWeight == nil && o.LexicalWeight == nil {
		return e // to the bit as without overrides
	}
	sum := e.SemanticWeight + e.LexicalWeight
	switch {
	case sum == 0 && o.SemanticWeight == nil:
		e.SemanticWeight, sum = 1, 1
	case sum == 0 && o.LexicalWeight == nil:
		e.LexicalWeight, sum = 1, 1
	case sum == 0:
		e.SemanticWeight, e.LexicalWeight, sum = 1-share, share, 1
	}
	e.SemanticWeight, e.LexicalWeight = e.SemanticWeight/sum, e.LexicalWeight/sum
	return e
}

func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

const day = 24 * time.Hour

func days(d time.Duration) float64 { return d.Hours() / 24 }

// halfLife is a number of days as a duration: at least a nanosecond, and no longer
// than a duration can be.
func halfLife(days float64) time.Duration {
	length := days * float64(day)
	if length >= math.MaxInt64 {
		return math.MaxInt64
	}
	return max(1, time.Duration(length))
}

func (p *pass) rankOptions() rank.Options {
	e := p.effective()
	return rank.Options{
		Mode: rankModes[p.req.Mode], LexicalShare: e.LexicalWeight, Floor: p.Embedder.Profile().Floor,
		ImportanceWeight: e.ImportanceWeight, RecencyWeight: e.RecencyWeight, HalfLife: halfLife(e.RecencyHalfLifeDays),
		Anchor: p.anchor(), Framed: p.req.Anchor != nil,
	}
}

// anchor is the instant from which the query's words are read and age is measured.
func (p *pass) anchor() time.Time {
	if p.req.Anchor != nil {
		return *p.req.Anchor
	}
	return p.now
}
