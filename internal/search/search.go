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
// document of the session, .2 two back, .1 in the next one, plus 1 for a token of
// the speaker's name; a document's length is counted likewise, but without names
// (measured: recall .807, with its own length alone .794); k1 1.2, b .4; idf ln(1 +
// (N - df + .5)/(df + .5)). A speaker that is a role (IsRole) is no name, and his
// documents have no window, are in none and end it. A document over 128 content
// tokens counts by its best chunk (analysis.Chunks). Only documents with a
// positive score are hits. With Query.Plain the window is left out.
//
// Semantic arm. Exact or approximate cosine with vectors of the query's profile;
// documents without such a vector are no hits.
//
// Order. Each arm proposes its best documents, ties by newer (greater) id; the
// answer is their union, and a hit that both arms know has both scores.
package search

import (
	"context"
	"errors"

	"holdfast/internal/tenant"
)

// ErrUnavailable: the index does not answer now; try again.
var ErrUnavailable = errors.New("search: index unavailable")

// ErrBadRequest: a query without a scope or with a vector of a wrong dimension.
var ErrBadRequest = errors.New("search: bad request")

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
	Vector   []float32 // empty: not embedded (yet)
	Profile  string    // of the vector
}

// Fields are exact keyword values by field name; a field may have several.
type Fields map[string][]string

// Op is one change of the index.
type Op struct {
	Delete   bool     // remove the document of Scope and ID
	Document Document // for a delete only Scope, ID and Sequence count
}

// Filter is a condition on keyword fields. The zero Filter holds for all. All
// its non-empty members must hold; a Field with neither In nor Missing holds for
// none, since an empty list of what is allowed allows nothing.
type Filter struct {
	All     []Filter // each holds
	Any     []Filter // at least one holds
	Not     *Filter  // does not hold
	Field   string   // with In or Missing
	In      []string // the field has one of these values
	Missing bool     // the field has no value
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
}

// Hit is a proposed document.
type Hit struct {
	Scope    tenant.Scope
	ID       string
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
	LexicalErr  error
	SemanticErr error
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
