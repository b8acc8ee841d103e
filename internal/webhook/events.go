package webhook

import (
	"slices"

	"holdfast/internal/ids"
	"holdfast/internal/ledger"
)

// Event is a kind of thing that webhooks are told of (T.45).
type Event string

// The events.
const (
	MemoryAppended    Event = "memory.appended"
	MemoryUpdated     Event = "memory.updated"
	MemorySuperseded  Event = "memory.superseded"
	MemoryQuarantined Event = "memory.quarantined"
	MemoryDeleted     Event = "memory.deleted"
	MemoryErased      Event = "memory.erased"
	RunConsolidated   Event = "run.consolidated"
	MemoriesStored    Event = "memories.stored"
	MemoriesDropped   Event = "memories.deprecated"
	NoteCreated       Event = "agent_memory.note_created"
	FactWritten       Event = "fact.written"
	FactDeleted       Event = "fact.deleted"
	ErasureCompleted  Event = "erasure.completed"
)

// Events lists every event in the order of T.45.
func Events() []Event {
	return []Event{
		MemoryAppended, MemoryUpdated, MemorySuperseded, MemoryQuarantined, MemoryDeleted, MemoryErased, RunConsolidated,
		MemoriesStored, MemoriesDropped, NoteCreated, FactWritten, FactDeleted, ErasureCompleted,
	}
}

// cause is what a log row says happened.
type cause struct {
	family string
	op     ledger.Op
}

// told says which event a row is. A row that is not listed is none: a seal of read
// receipts, a change of webhooks themselves.
var told = map[cause]Event{
	{"memory", ledger.Create}:     MemoryAppended,
	{"memory", ledger.Merge}:      MemoryUpdated, // an entry that was there has changed
	{"memory", ledger.Update}:     MemoryUpdated,
	{"memory", ledger.Release}:    MemoryUpdated,
	{"memory", ledger.Supersede}:  MemorySuperseded,
	{"memory", ledger.Quarantine}: MemoryQuarantined,
	{"memory", ledger.Delete}:     MemoryDeleted,
	{"memory", ledger.Erase}:      MemoryErased,

	{"run", ledger.Update}: RunConsolidated,

	{"memories", ledger.Create}:    MemoriesStored,
	{"memories", ledger.Supersede}: MemoriesDropped,
	{"note", ledger.Create}:        NoteCreated,
	{"fact", ledger.Create}:        FactWritten,
	{"fact", ledger.Update}:        FactWritten,
	{"fact", ledger.Release}:       FactWritten, // from now on it is seen
	{"fact", ledger.Delete}:        FactDeleted,
}

// EventOf answers the event of a log row, if it is one. The end of an experiment or of
// an end user's folder, which is a row of the facts' family too, deletes no one fact.
func EventOf(row ledger.Row) (Event, bool) {
	event, ok := told[cause{row.Entry.Family, row.Entry.Op}]
	if event == FactDeleted && !ids.ValidFact(row.Entry.ItemID) {
		return "", false
	}
	return event, ok
}

// wants tells whether a webhook is told of a row.
func (w Webhook) wants(row ledger.Row) (Event, bool) {
	event, ok := EventOf(row)
	return event, ok && !w.gone() && row.Sequence > w.Since && slices.Contains(w.Events, event)
}
