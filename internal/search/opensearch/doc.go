// Package opensearch is the search port, and that of words, over an OpenSearch domain with the k-NN
// plugin (its Lucene engine), written for version 2.19: another one has to pass the
// integration tests first, since the scores of k-NN queries and scripts, here
// (1 + cosine)/2, are the plugin's own convention.
//
// It imports the port, its analysis, tenant and the OpenSearch client with its AWS
// signer, and is used by the wiring only.
//
// Exact scores. The engine does not analyse: a document carries the tokens of
// internal/search/analysis with the weights of recipe R (own, speaker and window,
// in tenths) as term frequencies, one nested passage a chunk. A similarity of its
// own answers that frequency as the score of a term, and a script per term turns
// it into BM25 with document frequencies and lengths of the query's scopes. So
// nothing outside the scopes influences a score. A search is one msearch for the
// statistics and, beside it, the semantic arm; then the lexical arm, which needs the
// statistics and also asks each arm's score of what the other found. So that it need
// not wait for vectors that are away or slow, the semantic arm has a short time of its
// own; it goes through the vectors of the scopes one by one, and where these are too many,
// or too many for half of that time, it asks the graph (HNSW), from then on at once; when it failed the lexical arm is asked without anything that reads vectors.
// Of a query with more terms than weigh the numbers come with the lexical arm: before
// the statistics nobody knows which terms they are about.
//
// Windows. A document's passages hold what its neighbours in the session add, so a
// change is written together with the documents around whose windows change; those
// carry a digest of what theirs were made of. Apply then looks again and mends
// what a concurrent writer made stale, until nothing is; an engine that refuses windows
// for now is given a growing pause.
//
// A document leaves its session, deleted or moved, in two steps. First its own session is
// cleared, kept beside in Left, so that every writer sees it gone, and the windows around
// are rewritten; it is found meanwhile, without the words of its neighbours. It is deleted
// or written anew only when a look at the session finds all windows right. So whatever
// fails, a window that holds its words is found by who repeats the operation, or does
// another with the document.
//
// Versions. A document's external version is its Sequence shifted by versionBits;
// rewriting a window raises it by one under a check of the engine's own sequence
// number, so that it never overwrites a newer document and never blocks one.
//
// Times. Each time of a document is a number in a field of its own under times, the
// only part of the strict mapping that grows by itself, with the first document that
// has the time.
//
// Words. The index of facts by words (Words) is an index of its own with a strict
// mapping: keywords for a document's words, the folders above it and its tags. A word
// is kept behind a digest of its space, so that the beginning of a word reads the words
// of that space alone, however many there are beside it. A search is two requests: the
// statistics of the reach, then the hits, in which each query word is a prefix clause of
// constant score; a script orders by what words.Scorer makes of their sum.
//
// Invariants: every query is built by a method of scoped, which puts the scope
// filter into it; every request names its routing; errors hold statuses and the
// engine's exception names, never what was asked or written.
//
// Known differences from the embedded engine: scores are rounded to 32 bits; an arm
// answers at most maxWindow hits; very long neighbours of a very long text weigh in its first passage only
// (maxSpread); the semantic arm is approximate (HNSW) where the scopes of
// a query hold more than 10,000 vectors of 256 numbers (maxScanned), or did not get through
// them in time.
package opensearch
