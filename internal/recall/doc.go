// Package recall answers retrieve: it asks the index for candidates, reads each
// again from the table, lays the log rows that the index has not reached over
// them, ranks, packs what fits a token budget into labelled blocks, and leaves a
// receipt before the answer (S0.21–S0.37, R0.8–R0.33).
//
// The index proposes, the table disposes: what is deleted, quarantined or outside
// the request's scope never leaves this package, however stale the index is; what
// changed since the index scored it counts by its present text (renew). A stale index
// costs recall, and compilation says so (A0.4).
//
// The query's vector is made while the rest is read, and waited for a short time only;
// without it, and where the index's vectors fail, the order is to the score that of the
// lexical mode. An arm that fails again and again is left out without waiting (Breaker).
// What a retrieve can do without (vectors, the index, a second scorer, catching up) may
// take half of the time that its request has left; table and journal it cannot do without.
//
// A question that finds what was superseded finds what superseded it (succession.go): the
// service knows that the two are about one thing, whatever their words.
//
// As of an instant, candidates come out of the partitions of earlier texts as well,
// narrowed by what the index knows of times; memory.Views decides which text, if any,
// a memory showed (asSeen). Windows are pushed into the index and checked on the
// memory. Both are in the numbers, which count what passes every filter.
//
// A second scorer, where a request asks for it, moves the scores of the first 50
// ranked entries (rerank.Combine): scores stay absolute, all are ordered anew by them,
// and the least score is of the final ones.
//
// Opened sessions add what stands beside the ranked entries of the answer: entries
// that pass every filter of the request, behind all ranked ones, within the budget.
// What of a long session is read for that is bounded (strand.go).
//
// Diagnostics are made of what a retrieve knows anyway, and of a few more numbers of
// the index; nothing else depends on whether they are asked for.
package recall
