// Package memqueue is the embedded work queue: the port of internal/queue in the
// memory of one process. It imports the port, the clock and the standard library.
//
// What it holds is lost when the process ends. That does no harm: a message only
// says that a job is due or that a workspace moved; jobs are rows of the store and
// the due sweep sends again what was lost (T.20).
//
// Memory is bounded: a queue takes no more than Options.MaxMessages messages and
// Options.MaxBytes bytes of bodies, dead ones included. A message over that bound
// is refused with ErrFull and its neighbours are taken. A message that dies always
// finds room, since it was counted already.
//
// Invariants: a live message is in exactly one place, the ready line or the heap of
// those that wait for a time (delayed or in flight); a handle names one delivery
// and is outdated by the next one.
package memqueue
