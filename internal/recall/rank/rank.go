package rank

import (
	"cmp"
	"math"
	"slices"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
)

// Mode says which arms count (R0.9).
type Mode int

// The modes.
const (
	Hybrid Mode = iota
	Semantic
	Lexical
	Deterministic // lexical score times trust, then newest, then id (R0.87)
)

// Candidate is a proposed item with what ranking uses of it.
type Candidate struct {
	ID         string
	Lexical    float64 // BM25 score; 0: none
	Cosine     float64 // where HasVec
	HasVec     bool
	Text       string
	Speaker    string    // a name or a role
	Session    string    // empty: none
	EventAt    time.Time // when it is true or was said; zero: unknown
	RecordedAt time.Time
	EditedAt   time.Time // when its text was written, where it was corrected; zero: with the rest
	About      About
	Tags       map[string]string
	Past       bool     // it no longer holds: superseded, or over
	Trust      float64  // 0 to 1 (R0.40)
	Importance *float64 // 0 to 1; nil counts as .5
}

// About is what a candidate was declared to be about when it was written, beside its
// text: empty strings where nothing was.
type About struct {
	Application, Agent, User string // of whom alone it is
	Attribute                string // A0.2
}

// other tells that two are of different owners or declared to be different things.
func (a About) other(b About) bool {
	named := a.Attribute != "" && b.Attribute != "" && a.Attribute != b.Attribute
	a.Attribute, b.Attribute = "", ""
	return named || a != b
}

// Options say how to rank. The zero Options rank in hybrid mode by the semantic
// arm alone, so callers set at least the shares.
type Options struct {
	Mode         Mode
	LexicalShare float64 // 0 to 1, of the embedding profile or the request
	Floor        float64 // cosine of unrelated texts, of the embedding profile
	// Weights of the bounded biases, 0 to 1 (R0.81): 1 at most doubles or halves.
	ImportanceWeight float64
	RecencyWeight    float64
	HalfLife         time.Duration // of recency; 0: 30 days
	// Anchor is the instant from which recency and words such as "last month" are
	// read (R0.19); zero: neither counts.
	Anchor time.Time
	// Without names Features, or SessionShare, Repeated or NewerAbove, that do not count:
	// to measure what each brings.
	Without []string
	// Framed says that the caller chose Anchor: a month that the query names without a
	// year is then the latest one up to it. Else it is one of any year.
	Framed bool
}

// DefaultImportanceWeight lets importance move a score by at most a fifth.
const DefaultImportanceWeight = .25

// DefaultHalfLife is the age at which recency counts half.
const DefaultHalfLife = 30 * 24 * time.Hour

// Ranked is a candidate in its place.
type Ranked struct {
	Index int     // in the candidates that were given
	Score float64 // 0 to 1
	Parts Parts
}

// Parts tell how a score came about (R0.32). Lexical and Semantic are L and S;
// the others are factors, but for Session, which is a summand.
type Parts struct {
	Lexical, Semantic          float64
	Features                   Factors
	Trust, Importance, Recency float64
	Session                    float64
	Repeated                   float64 // of a text that says what a better one says; 1: none
	Newer                      float64 // of newer above older; 1: none
	Behind                     string  // the newer one that it must stand behind; empty: none
	Second                     float64 // what a second scorer added to the score, or took; 0: none
	// Succeeds is the score of what it superseded, where that is more than its own, and
	// so its own; 0: none.
	Succeeds float64
}

// Order ranks candidates for a question. The statistics are those of the search
// that proposed them.
func Order(q analysis.Question, candidates []Candidate, stats search.Stats, o Options) []Ranked {
	r := ranking{question: &q, candidates: candidates, options: o, maximum: maximum(q.Terms, stats)}
	out := make([]Ranked, len(candidates))
	for i := range candidates {
		out[i].Index = i
	}
	if o.Mode == Deterministic {
		r.plain(out)
	} else {
		r.weigh(out)
	}
	slices.SortFunc(out, r.compare)
	if o.Mode != Deterministic {
		r.suppress(out)
		r.newestFirst(out)
	}
	for i := range out {
		out[i].Score = bounded(out[i].Score)
	}
	return out
}

// knee is the score from which scores are compressed.
const knee = .5

// bounded keeps scores up to the knee as they are and brings those above, which
// factors and a good session can lift over 1, under 1 without changing their
// order.
func bounded(score float64) float64 {
	if score <= knee {
		return score
	}
	return 1 - (1-knee)*math.Exp(-(score-knee)/(1-knee))
}

// maximum is the sum of the idf of all terms of the query.
func maximum(terms []string, stats search.Stats) float64 {
	sum := 0.0
	for _, term := range terms {
		sum += search.IDF(stats.Documents, stats.DF[term])
	}
	return sum
}

// ranking is one call of Order.
type ranking struct {
	question   *analysis.Question
	candidates []Candidate
	options    Options
	maximum    float64
	speaker    string          // the one whom the query names; empty: none
	spanned    []analysis.Span // that it names
	names      []string        // that it names, but for the speaker's
	nameTerms  []string
	compounds  []analysis.Compound // of the query, that a candidate has
}

// plain scores for deterministic mode.
func (r *ranking) plain(out []Ranked) {
	for i := range out {
		c := &r.candidates[out[i].Index]
		out[i].Parts = Parts{Lexical: r.lexical(c), Features: r.factors(nil, c), Trust: c.Trust, Importance: 1, Recency: 1, Repeated: 1, Newer: 1}
		out[i].Score = out[i].Parts.Lexical * c.Trust
	}
}

// weigh scores for the other modes.
func (r *ranking) weigh(out []Ranked) {
	asked := r.asked()
	for i := range out {
		c := &r.candidates[out[i].Index]
		p := Parts{
			Lexical: r.lexical(c), Semantic: r.semantic(c), Features: r.factors(asked, c), Trust: c.Trust,
			Importance: r.importance(c), Recency: r.recency(c), Repeated: 1, Newer: 1,
		}
		out[i].Parts = p
		out[i].Score = r.base(c, p) * p.Features.Product() * p.Importance * p.Recency
	}
	r.shareSessions(out)
	for i := range out {
		out[i].Score *= out[i].Parts.Trust
	}
}

// lexical is L, in millionths: an engine of 32 bits and the overlay differ by less, and
// texts that weigh the same must be told apart by what comes after the score.
func (r *ranking) lexical(c *Candidate) float64 {
	if r.maximum == 0 || r.options.Mode == Semantic {
		return 0
	}
	return math.Round(c.Lexical/r.maximum*1e6) / 1e6
}

// semantic is S.
func (r *ranking) semantic(c *Candidate) float64 {
	if !r.speaksSemantic(c) || r.options.Floor >= 1 {
		return 0
	}
	return max(0, c.Cosine-r.options.Floor) / (1 - r.options.Floor)
}

func (r *ranking) speaksSemantic(c *Candidate) bool {
	return c.HasVec && (r.options.Mode == Hybrid || r.options.Mode == Semantic)
}

// base fuses the arms that can speak of the candidate by their shares.
func (r *ranking) base(c *Candidate, p Parts) float64 {
	share := min(1, max(0, r.options.LexicalShare))
	switch {
	case r.options.Mode == Lexical || !r.speaksSemantic(c):
		share = 1
	case r.options.Mode == Semantic || r.maximum == 0:
		share = 0
	}
	return float64(share*p.Lexical) + float64((1-share)*p.Semantic) // rounded: the same on every machine
}

// compare orders by score, then newest, then greater id. Candidates of two scopes
// may share all of that; then their place in the list given decides.
func (r *ranking) compare(a, b Ranked) int {
	x, y := &r.candidates[a.Index], &r.candidates[b.Index]
	return cmp.Or(
		cmp.Compare(b.Score, a.Score),
		y.RecordedAt.Compare(x.RecordedAt),
		cmp.Compare(y.ID, x.ID),
		cmp.Compare(a.Index, b.Index),
	)
}
