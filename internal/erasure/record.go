package erasure

import (
	"context"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Status is where an erasure stands (R0.45).
type Status string

// The states.
const (
	None     Status = "none"     // never deleted
	Pending  Status = "pending"  // some step is open
	Complete Status = "complete" // no copy is left; never changes again
	Dead     Status = "dead"     // tries used up; deleting again resumes it
)

// ArgFamily is the argument of an erase job that names the family of what is erased;
// absent: memory.
const ArgFamily = "family"

// Record is the record of an item's erasure.
type Record struct {
	Status      Status
	Attempts    int
	RequestedAt time.Time
	ErasedAt    *time.Time // set with Complete
	JobID       string     // of the job that erases
	// Rows are the look-up rows that the item stood in: of a memory, those of its words,
	// its attribute, what it claimed; of a fact, those in lists. Their keys are hashes of
	// what it said and of where it was, so they go with Complete; the canary
	// (internal/erase) has them until it has been seen to. Of a list of facts they are the
	// HEADs of those that the canary asks for.
	Rows []store.Key
}

const (
	attrStatus    = "st"
	attrAttempts  = "n"
	attrRequested = "req"
	attrErased    = "at"
	attrJob       = "job"
	attrRows      = "rows"
)

// Item is the record's row.
func (r Record) Item(scope tenant.Scope, id string) store.Item {
	attrs := store.Attrs{
		attrStatus:    store.S(string(r.Status)),
		attrAttempts:  store.N(int64(r.Attempts)),
		attrRequested: store.N(r.RequestedAt.UnixMilli()),
		attrJob:       store.S(r.JobID),
	}
	if len(r.Rows) > 0 {
		attrs[attrRows] = EncodeKeys(r.Rows)
	}
	if r.ErasedAt != nil {
		attrs[attrErased] = store.N(r.ErasedAt.UnixMilli())
	}
	return store.Item{Key: keys.Erasure(scope, id), Attrs: attrs}
}

// Still is the condition that an erasure's record has this status still: of two
// workers at one erasure only one moves it on.
func (r Record) Still() *store.Cond { return store.IfEqual(attrStatus, store.S(string(r.Status))) }

// Decode reads the record's row.
func Decode(item store.Item) Record {
	r := Record{
		Status:      Status(item.Attrs.Text(attrStatus)),
		Attempts:    int(item.Attrs.Int(attrAttempts)),
		RequestedAt: time.UnixMilli(item.Attrs.Int(attrRequested)).UTC(),
		JobID:       item.Attrs.Text(attrJob),
		Rows:        DecodeKeys(item.Attrs[attrRows]),
	}
	if _, done := item.Attrs[attrErased]; done {
		at := time.UnixMilli(item.Attrs.Int(attrErased)).UTC()
		r.ErasedAt = &at
	}
	return r
}

// Read reads the record of an item's erasure.
func Read(ctx context.Context, s store.Store, scope tenant.Scope, id string) (Record, bool, error) {
	item, found, err := s.Get(ctx, keys.Erasure(scope, id))
	if err != nil || !found {
		return Record{}, false, err
	}
	return Decode(item), true, nil
}
