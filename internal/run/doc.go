// Package run keeps where a run stands: one row a run with its open stretch, what
// of it has been cleared, and when it is idle. Memory reads and writes the row with
// its own in one commit; consolidation moves it on.
package run
