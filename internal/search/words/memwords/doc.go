// Package memwords is the embedded index of facts by words: a sorted dictionary with
// inverted lists a space, in memory, rebuilt from the table at start.
//
// It imports the port, tenant and clock, and does no input or output. Invariants: each
// scope is a partition of its own with its own lock; each space has its own dictionary,
// so that a search reads nothing of another's; removing a document leaves nothing of it
// but, for a minute, its id and sequence.
//
// Cost, with facts of 25 words (BenchmarkSearch, BenchmarkApply): a query word costs the
// length of the lists that it begins, twice; a write 25 insertions into sorted lists of
// four bytes an entry.
package memwords
