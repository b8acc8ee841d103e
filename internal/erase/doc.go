// Package erase removes every copy of what was deleted, one verified step a copy
// (T.24). Of a memory: idempotency references, what derives from it, versions with
// their vectors, the current vector, edges, index documents of all texts, suggestions,
// what a consolidation has in hand, rows that list or name it. Of a fact: versions, its
// document in the index of words, rows that list it; of an end user's facts, or those of
// an experiment, page by page, also tombstones. It is the body of worker-erase; its tests
// stand with those of the other workers in internal/work, whose harness they share.
//
// An erasure that is complete leaves a canary (T.26): a row that asks to look for the
// item again, once after the next consolidation of the workspace and once after the
// next time that the indexes are made anew, and that is kept for at most 30 days. That of
// facts waits for both too: a consolidation makes no facts, but where an index outlives
// the process it is the one of the two that comes. An end user's facts, or an
// experiment's, have one canary together (see listCopies).
//
// To look is a job, like an erasure. An item that is found again is an alarm: a log line
// and a metric. Its erasure is opened again in the sense that a job erases what was found
// and the steps count it; its record says complete, and when, as before, because a caller
// that was told so holds something that never changes again (R0.45). The canary then
// begins anew.
//
// It may import memory, fact, erasure, run, ledger, outbox, commit, the ports and what they stand on;
// what consolidations and the index have it asks for by interfaces of its own.
package erase
