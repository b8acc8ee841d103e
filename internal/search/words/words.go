// Package words is the port to the index of short facts by their words; every
// sentence below is a contract that wordstest shows for each adapter.
//
// The index proposes, the table disposes: hits carry ids and scores, never text, and
// every caller reads the fact again. A document lives in a Space of its Scope; a query
// names one of each.
//
// Apply. Operations are applied each on its own and answer one error each, nil where
// done. An operation with a Sequence not above the one last applied to the same
// document is ignored and counts as done (external versioning), also when that one was
// a delete within the last minute. A document may move to another space. When Apply
// has answered, its documents are searchable.
//
// Words. A text's words are those of Split. A document is a hit where at least one of
// the query's words is the start of one of its words: any may match, and no word is
// reduced to another form.
//
// Reach. A path lies in the reach where, of all prefixes in Under and Not that begin
// it, the longest is in Under; one that stands in both is in Not. Paths and prefixes
// have the stored form, each segment with its slash, so that a prefix holds whole
// segments only. An empty Under reaches nothing. No document outside of the scope, the
// space or the reach influences hits, scores or statistics.
//
// Filter. A hit has every tag of the query; tags do not narrow the statistics. A
// document whose id is in Without is no hit, but counts in the statistics.
//
// Score. A hit's score is that of Scorer: the number of distinct query words that
// match, and below it a BM25-like weight. With N documents of L words in the reach, df
// of them with a match of a query word, that word weighs the whole number below
// idf(N, df) · Step / (24 · words in the query), idf being search.IDF. Of a document
// that matches m words of weights w and has l words, the score is
//
//	m + Σw · (base / (base + slope · l)) / Step    base = 1 + K1(1 − B), slope = K1 · B · N / L
//
// which is BM25 for words that count once, however often they stand in a short text.
// The fraction stays below 1.
//
// Order. Hits are ordered by score, ties by later Updated in whole microseconds, then
// by larger id. At most Limit are answered.
package words

import (
	"context"
	"slices"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// ErrUnavailable: the index does not answer now; try again.
var ErrUnavailable = search.ErrUnavailable

// ErrBadRequest: a query without scope, space or limit, with an empty word or too
// many, or with a prefix that is no stored form; a document without scope, space or id, or with a path
// that is none.
var ErrBadRequest = search.ErrBadRequest

// Document is what the index knows of a fact.
type Document struct {
	Scope    tenant.Scope
	Space    string // whose memory it is in
	ID       string // unique in the scope
	Sequence int64  // external version: the log sequence of the change
	Updated  time.Time
	Path     string // stored form: segments that each end with a slash; the root is empty
	Tags     []string
	Text     string
}

// Op is one change of the index.
type Op struct {
	Delete   bool     // remove the document of Scope and ID
	Document Document // for a delete only Scope, ID and Sequence count
}

// Query asks for documents by words.
type Query struct {
	Scope   tenant.Scope
	Space   string
	Under   []string // prefixes of paths that are reached
	Not     []string // prefixes that are not, but for longer ones in Under
	Tags    []string // all of them
	Words   []string // of Terms; none: no hits
	Limit   int      // at least 1
	Without []string // ids that are no hits
}

// Hit is a proposed document.
type Hit struct {
	ID      string
	Matched int     // distinct query words that match, at least 1
	Score   float64 // above 0
}

// Statistics are the numbers that words are weighed with, over all documents in the
// reach of a query.
type Statistics struct {
	Documents int
	Length    int64 // words of all documents
	DF        []int // documents that a word matches, by place in the query's Words
}

// Answer is the best hits, and what they were weighed with.
type Answer struct {
	Hits       []Hit
	Statistics Statistics
}

// Index is the port. Implementations are safe for concurrent use.
type Index interface {
	Apply(ctx context.Context, ops []Op) []error
	Search(ctx context.Context, q Query) (Answer, error)
	// Has tells whether a document with this id is in the index: for proofs of erasure.
	Has(ctx context.Context, scope tenant.Scope, id string) (bool, error)
	// Count answers the number of documents in a scope.
	Count(ctx context.Context, scope tenant.Scope) (int, error)
	// Ping answers nil when the engine can serve.
	Ping(ctx context.Context) error
}

// Micros is the time that ties are broken by, in microseconds since 1970.
func (d *Document) Micros() int64 { return d.Updated.UnixMicro() }

// Check tells a document that no index takes.
func (op *Op) Check() error {
	d := &op.Document
	if d.Scope.IsZero() || d.ID == "" || d.Sequence < 0 || !op.Delete && (d.Space == "" || !stored(d.Path)) {
		return ErrBadRequest
	}
	return nil
}

// Check tells a query that no index answers.
func (q *Query) Check() error {
	if q.Scope.IsZero() || q.Space == "" || q.Limit < 1 || len(q.Words) > MaxWords || slices.Contains(q.Words, "") {
		return ErrBadRequest
	}
	for _, prefixes := range [][]string{q.Under, q.Not} {
		for _, p := range prefixes {
			if !stored(p) {
				return ErrBadRequest
			}
		}
	}
	return nil
}
