// Package memsearch is the embedded search engine: BM25 over inverted lists and
// cosine over flat arrays of bytes, in memory, rebuilt from the table at start.
// Cosines are exact; which documents get one is, beyond 8,192 a partition, decided by
// the signs of their vectors. Working space is kept from search to search: what one
// allocates grows with its answer, not with the corpus.
//
// It imports the port, its analysis, tenant and clock, and does no input or
// output. Invariants: each scope is a partition of its own with its own lock, so
// that a search of one workspace never waits for another's and never sees it;
// removing a document leaves nothing of it but, for a minute, its id and sequence;
// scores are a function of the documents alone, not of the order in which they
// came (term weights are whole tenths, so sums are exact).
package memsearch
