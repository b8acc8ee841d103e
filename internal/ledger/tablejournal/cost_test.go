package tablejournal_test

import (
	"testing"

	"holdfast/internal/ledger"
	"holdfast/internal/store"
)

// TestTheCostIsWhatThePackageCommentSays: its sizes, in write units of 1 KB.
func TestTheCostIsWhatThePackageCommentSays(t *testing.T) {
	source := newIDs()
	units := func(bytes int) int { return (bytes + 1023) / 1024 }
	for entries, want := range map[int]int{5: 1, 20: 3} {
		r := receipt(source)
		r.Family, r.RequestHash = "memory", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
		r.Actor = ledger.Actor{KeyID: "k7q2m4x9w1", Kind: "agent", SourceID: source.New()}
		for n := range entries {
			score := 1 / (1.37 + float64(n)/7)
			r.Items = append(r.Items, ledger.Item{ID: source.New(), Version: 1, Score: &score})
		}
		row, err := ledger.WaitingRow(scope, r)
		if err != nil {
			t.Fatal(err)
		}
		row.Due = nil // the index's entry is counted by itself
		if got := units(store.Size(row)); got != want {
			t.Errorf("%d entries: %d units (%d bytes), want %d", entries, got, store.Size(row), want)
		}
	}
	seal := ledger.Row{Sequence: 123456, OperationID: source.New(), Kind: ledger.WriteReceipt, Entry: ledger.Entry{
		Op: ledger.Seal, Family: "receipts", Commitment: make([]byte, 32)}, Actor: ledger.Service()}
	for range ledger.SealBatch {
		seal.Entry.Sealed = append(seal.Entry.Sealed, source.New())
	}
	item, _, err := seal.Item(scope, ledger.Genesis())
	if err != nil {
		t.Fatal(err)
	}
	if got := units(store.Size(item)); got != 4 {
		t.Errorf("the seal's log row: %d units (%d bytes)", got, store.Size(item))
	}
}
