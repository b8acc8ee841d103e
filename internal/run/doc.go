// Package run keeps where a run stands: one row a run with its open stretch, what
// of it has been cleared, and when to look whether it is idle. Memory reads and
// writes the row with its own in one commit; consolidation moves it on.
//
// A stretch is what was said in a run between two consolidations; they are numbered
// from 1. A session entry carries the number of the stretch that was open when it was
// written, and its commit is conditional on that stretch being open still: nothing
// lands in a stretch that has been sealed. Entries of stretches up to Cleared are
// gone for every reader.
//
// The row is one a run, and all appends of the run stand on it: they only check it,
// so that many of them go in one transaction, and write it when the run is new or
// nobody was going to look after it.
package run
