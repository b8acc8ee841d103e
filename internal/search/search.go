// Package search is the port to the index; every sentence below is a contract
// that searchtest shows for each adapter.
//
// The index proposes, the table disposes: hits carry ids, versions and scores,
// never text, and every caller reads the item again. Documents live in the
// partition of their Scope; a query names the scopes it may see, at least one,
// and no document outside them or outside the filter influences hits or counts
// or statistics but for the neighbours of a document, which share its session.
//
// Apply. Operations are applied each on its own and answer one error each, nil
// where done. An operation with a Sequence not above the one last applied to the
// same document is ignored and counts as done (external versioning), also when
// that one was a delete within the last minute. When Apply has answered, its
// documents are searchable.
//
// Lexical arm. Windowed BM25 (design: recipe R, steps 1 to 3): the weight of a
// term in a document is its count there, plus .3 times that in the previous
// document of the session (.5 where that one asks: analysis.Asks), .2 two back, .1 in
// the next one, plus 1 for a token of
// the speaker's name; a document's length is counted likewise, but without names
// (measured: recall .807, with its own length alone .794); k1 1.2, b .4; idf ln(1 +
// (N - df + .5)/(df + .5)). A speaker that is a role (IsRole) is no name, and his
// documents have no window, are in none and end it. A document over 128 content
// tokens counts by its best chunk (analysis.Chunks). Only documents with a
// positive score are hits. With Query.Plain the window is left out. Of the terms of a
// query that documents hold only the MaxTerms that fewest hold weigh; the statistics
// are of all (Weighing).
//
// A query's text is text: no sign in it has a meaning to an engine.
//
// Semantic arm. Exact or approximate cosine with vectors of the query's profile;
// documents without such a vector are no hits. A document's vector is one that the
// table keeps (embed.Encode): whole steps from -127 to 127 times a scale; for any
// other an engine may take the nearest such one. A query's vector may be any.
//
// Validity. A document whose Until is not after Query.Now is no hit; the zero Now
// takes all. Instants are compared in whole microseconds, Until rounded up and Now
// down.
//
// Items. A hit tells the item whose text it is: the document's Item, its ID where that
// is empty. A document of an item in Query.Without is no hit and is in no number of the
// answer but the statistics.
//
// Times. A filter that names a time holds where the document has it, not before Since
// and before Before; a zero bound is open. With Missing it holds where the document has
// no such time. Documents and bounds are compared in whole microseconds, rounded down.
//
// Order. Each arm proposes its best documents, ties by newer (greater) id; the
// answer is their union, and a hit that both arms know has both scores. An arm that
// failed proposes nothing and tells no scores.
//
// Numbers. They are exact, whatever the limits of the arms. A Tally counts the
// documents of the query's scopes that its own filter allows, of those that are
// over (Until) only where it takes them, and that an asked arm knows: a positive
// lexical score, or a vector of the profile where the query's vector has a
// direction. Query.Filter does not narrow it. Unembedded counts the documents of
// the scopes that Query.Filter and Now allow and that came without a vector of the
// query's profile; one whose vector has no direction came with it. It is 0 where the
// semantic arm is not asked.
package search

import (
	"context"
	"errors"
	"time"

	"holdfast/internal/tenant"
)

// ErrUnavailable: the index does not answer now; try again.
var ErrUnavailable = errors.New("search: index unavailable")

// ErrBadRequest: a query without a scope, with a vector of a wrong dimension or with
// too many tallies.
var ErrBadRequest = errors.New("search: bad request")

// ErrRefused: the index does not take this document, however often it is asked.
var ErrRefused = errors.New("search: the index refuses the document")

// Lasting tells an error of an operation that the same operation would meet again.
func Lasting(err error) bool {
	return !errors.Is(err, ErrUnavailable) && (errors.Is(err, ErrRefused) || errors.Is(err, ErrBadRequest))
}

// Document is what the index knows of an item.
type Document struct {
	Scope    tenant.Scope
	ID       string // item id, unique in the scope
	Version  int64  // the item's version
	Sequence int64  // external version: the log sequence of the change
	Text     string
	Speaker  string
	Session  string // empty: none. Documents with one session are neighbours in the order of their ids
	Fields   Fields
	Until    time.Time // from then on it is over; zero: never
	Item     string    // whose text it is: several documents may show one item; empty: ID
	Times    Times     // instants that filters compare
	Vector   []float32 // empty: not embedded (yet)
	Profile  string    // of the vector
}

// Fields are exact keyword values by field name; a field may have several.
type Fields map[string][]string

// Times are instants by name, compared in whole microseconds, rounded down.
type Times map[string]time.Time

// Op is one change of the index.
type Op struct {
	Delete   bool     // remove the document of Scope and ID
	Document Document // for a delete only Scope, ID and Sequence count
}

// Filter is a condition on keyword fields and times. The zero Filter holds for all. All
// its non-empty members must hold; a Field with neither In nor Missing holds for
// none, since an empty list of what is allowed allows nothing.
type Filter struct {
	All     []Filter // each holds
	Any     []Filter // at least one holds
	Not     *Filter  // does not hold
	Field   string   // with In or Missing
	In      []string // the field has one of these values
	Missing bool     // the field, and the time, has no value
	// Time holds where the document has this time, at or after Since and before Before;
	// a zero bound is open.
	Time          string
	Since, Before time.Time
}

// Query asks one or both arms.
type Query struct {
	Scopes   []tenant.Scope
	Filter   Filter
	Text     string    // analysed by internal/search/analysis
	Lexical  int       // most hits of the lexical arm; 0: not asked
	Plain    bool      // no window over neighbours
	Vector   []float32 // query vector
	Profile  string    // of Vector
	Semantic int       // most hits of the semantic arm; 0: not asked
	Now      time.Time // documents that are over by then are no hits; zero: all are
	Without  []string  // items that are no hits, in whatever scope
	Tallies  []Tally   // numbers to answer, at most MaxTallies
}

// MaxTallies is how many numbers one query may ask for.
const MaxTallies = 8

// Tally asks how many documents there are beyond what the arms propose.
type Tally struct {
	Filter Filter // in place of the query's
	Over   bool   // takes documents that are over by the query's Now as well
}

// Micros is an instant as validity and times are compared, in microseconds since 1970.
func Micros(at time.Time) int64 { return at.UnixMicro() }

// ItemID is the item whose text the document is.
func (d *Document) ItemID() string {
	if d.Item == "" {
		return d.ID
	}
	return d.Item
}

// UntilMicros is the end of a document's validity, rounded up; false: never.
func (d *Document) UntilMicros() (int64, bool) {
	if d.Until.IsZero() {
		return 0, false
	}
	return Micros(d.Until.Add(time.Microsecond - 1)), true
}

// Hit is a proposed document.
type Hit struct {
	Scope    tenant.Scope
	ID       string
	Item     string // whose text it is
	Version  int64
	Lexical  float64 // BM25 score; 0 where the lexical arm does not know it
	Semantic float64 // cosine, -1 to 1
	HasVec   bool    // Semantic is meant
}

// Stats are the numbers BM25 was computed with, for the query's terms, over all
// documents of the query's scopes (not narrowed by the filter).
type Stats struct {
	Documents int            // N
	AvgLength float64        // mean length of chunks in content tokens, with the window's share
	DF        map[string]int // documents that hold the term, by term of the query
}

// Answer is the union of what the arms propose. An arm that was asked and failed
// has its error set; the other's hits stand.
type Answer struct {
	Hits        []Hit
	Stats       Stats
	Tallies     []int // by place in the query's
	Unembedded  int   // of the query's filter, without a vector of its profile
	LexicalErr  error
	SemanticErr error
	CountErr    error // the engine could not count: there are no tallies, and Unembedded is not known
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
