// Package recall answers retrieve: it asks the index for candidates, reads each
// again from the table, lays the log rows that the index has not reached over
// them, ranks, packs what fits a token budget into labelled blocks, and leaves a
// receipt before the answer (S0.21–S0.37, R0.8–R0.33).
//
// The index proposes, the table disposes: what is deleted, quarantined, changed
// or outside the request's scope never leaves this package, however stale the
// index is. A stale index costs recall, and compilation says so (A0.4).
package recall
