// Package journaltest is the conformance suite of ledger.Journal: what a read
// receipt goes through between the answer and its seal. It imports ledger and
// what that stands on.
package journaltest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Subject is an empty journal and the table beside it.
type Subject struct {
	Store store.Store
	// Open answers the journal as a process finds it that starts now; the ones
	// before were not closed: their processes died.
	Open func() ledger.Journal
	// Now is what the journal's clock shows; zero: the suite's.
	Now time.Time
}

// Run runs the suite; fresh is called once a subtest.
func Run(t *testing.T, fresh func(t *testing.T) Subject) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := &world{T: t, Subject: fresh(t)}
			if w.Now.IsZero() {
				w.Now = Start
			}
			w.ids = ids.NewSource(func() time.Time { w.Now = w.Now.Add(time.Millisecond); return w.Now }, nil)
			w.journal = w.Open()
			c.run(w)
		})
	}
}

// Start is when the suite's receipts begin.
var Start = time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)

var (
	one = tenant.Grant("01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002")
	two = one.Sibling("01890000-0000-7000-8000-000000000003")
	own = one.Own()
)

var cases = []struct {
	name string
	run  func(*world)
}{
	{"a receipt can be read before its seal, without a place", readBefore},
	{"a receipt is the same after its seal, with its place", sameAfter},
	{"a receipt is read in its own scope only", ownScope},
	{"unsealed receipts come oldest first, one scope a batch", inOrder},
	{"a batch is at most SealBatch", batchLimit},
	{"scopes that are skipped are left out", skipped},
	{"what is sealed does not come again", letGo},
	{"a receipt that is appended twice is there once", twice},
	{"a receipt survives its process", survives},
	{"what a process sealed without telling the journal is sealed once", sealedOnce},
	{"what two sealers seal at once is sealed once", raced},
	{"the list shows sealed receipts only", listed},
	{"a sealed receipt is not opened again", notReopened},
}

// world is a subtest with its journal.
type world struct {
	*testing.T
	Subject
	ids     *ids.Source
	journal ledger.Journal
	ops     int
}

// reads leaves n receipts in a scope.
func (w *world) reads(scope tenant.Scope, n int) []ledger.Receipt {
	w.Helper()
	var out []ledger.Receipt
	for range n {
		score := .5
		r := ledger.Receipt{ID: w.ids.New(), Kind: ledger.RetrieveReceipt, Family: "memory", RequestHash: "h<&>",
			Actor: ledger.Actor{KeyID: "k", Kind: "agent", SourceID: "desk"},
			Items: []ledger.Item{{ID: "m", Version: 2, Score: &score}, {ID: "n", Version: 1}}}
		r.At = w.Now
		w.append(scope, r)
		out = append(out, r)
	}
	return out
}

func (w *world) append(scope tenant.Scope, r ledger.Receipt) {
	w.Helper()
	if err := w.journal.Append(w.Context(), scope, r); err != nil {
		w.Fatal(err)
	}
}

func (w *world) unsealed(skip map[tenant.Scope]bool) []ledger.Batch {
	w.Helper()
	batches, err := w.journal.Unsealed(w.Context(), skip)
	if err != nil {
		w.Fatal(err)
	}
	return batches
}

func (w *world) get(scope tenant.Scope, id string) (ledger.Receipt, bool) {
	w.Helper()
	r, found, err := ledger.Receipts{Store: w.Store, Journal: w.journal}.Get(w.Context(), scope, id)
	if err != nil {
		w.Fatal(err)
	}
	return r, found
}

// plan answers what a sealer commits for a batch.
func (w *world) plan(b ledger.Batch) ([]store.Action, *ledger.Entry, string) {
	w.Helper()
	w.ops++
	op := fmt.Sprintf("op%d", w.ops)
	actions, entry, err := ledger.SealOf(w.Context(), w.Store, b.Scope, op, b.Receipts)
	if err != nil {
		w.Fatal(err)
	}
	return actions, entry, op
}

// commit does a plan as internal/commit does.
func (w *world) commit(scope tenant.Scope, actions []store.Action, entry *ledger.Entry, op string) error {
	w.Helper()
	head, err := ledger.ReadHead(w.Context(), w.Store, scope)
	if err != nil {
		w.Fatal(err)
	}
	next := head
	row, err := next.Append(scope, ledger.Row{OperationID: op, Kind: ledger.WriteReceipt, At: w.Now, Entry: *entry})
	if err != nil {
		w.Fatal(err)
	}
	record := ledger.Operation{ID: op, Sequence: next.Sequence, Rows: 1, At: w.Now}
	return w.Store.Commit(w.Context(), store.Tx{Actions: append(slices.Clone(actions),
		row, head.Moved("head", scope, next), record.Put("op", scope))})
}

// seal seals a batch and tells the journal; it answers how many were sealed.
func (w *world) seal(b ledger.Batch) int {
	w.Helper()
	n := w.sealUntold(b)
	if err := w.journal.Sealed(w.Context(), b.Scope, idsOf(b.Receipts)); err != nil {
		w.Fatal(err)
	}
	return n
}

func (w *world) sealUntold(b ledger.Batch) int {
	w.Helper()
	actions, entry, op := w.plan(b)
	if entry == nil {
		return 0
	}
	if err := w.commit(b.Scope, actions, entry, op); err != nil {
		w.Fatal(err)
	}
	return len(entry.Sealed)
}

func (w *world) verified(scope tenant.Scope) {
	w.Helper()
	v, err := ledger.Log{Store: w.Store}.Verify(w.Context(), scope, 1, 0)
	if err != nil || v.Break != nil {
		w.Errorf("chain: %+v, %v", v.Break, err)
	}
}

func idsOf(receipts []ledger.Receipt) []string {
	var out []string
	for _, r := range receipts {
		out = append(out, r.ID)
	}
	return out
}
