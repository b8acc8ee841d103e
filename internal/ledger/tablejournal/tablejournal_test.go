package tablejournal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/ledger/journaltest"
	"holdfast/internal/ledger/tablejournal"
	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

var scope = tenant.Grant("01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002")

func journalOver(s store.Store, log *bytes.Buffer) *tablejournal.Journal {
	return tablejournal.New(tablejournal.Options{Store: s, Clock: clock.NewFixed(journaltest.Start),
		Log: slog.New(slog.NewTextHandler(log, nil))})
}

func TestConformance(t *testing.T) {
	journaltest.Run(t, func(*testing.T) journaltest.Subject {
		s := memstore.New()
		return journaltest.Subject{Store: s, Open: func() ledger.Journal { return journalOver(s, &bytes.Buffer{}) }}
	})
}

// counting counts the calls of a store.
type counting struct {
	store.Store
	commits, actions, reads int
}

func (c *counting) Commit(ctx context.Context, tx store.Tx) error {
	c.commits, c.actions = c.commits+1, c.actions+len(tx.Actions)
	return c.Store.Commit(ctx, tx)
}

func (c *counting) Get(ctx context.Context, key store.Key) (store.Item, bool, error) {
	c.reads++
	return c.Store.Get(ctx, key)
}

func receipt(source *ids.Source) ledger.Receipt {
	return ledger.Receipt{ID: source.New(), Kind: ledger.RetrieveReceipt, At: journaltest.Start, Items: []ledger.Item{}}
}

func newIDs() *ids.Source {
	return ids.NewSource(func() time.Time { return journaltest.Start }, nil)
}

// TestT19AppendIsOnePut, which is durable before the answer.
func TestT19AppendIsOnePut(t *testing.T) {
	s := &counting{Store: memstore.New()}
	r := receipt(newIDs())
	if err := journalOver(s, &bytes.Buffer{}).Append(t.Context(), scope, r); err != nil {
		t.Fatal(err)
	}
	if s.commits != 1 || s.actions != 1 || s.reads != 0 {
		t.Errorf("%+v", s)
	}
	item, found, err := s.Get(t.Context(), keys.Receipt(scope, journaltest.Start, r.ID))
	if err != nil || !found || !ledger.Waits(item) || item.Due == nil {
		t.Errorf("%+v, %v, %v", item, found, err)
	}
}

// TestAReceiptReadOfTheTableIsOneGet before its seal.
func TestAReceiptReadOfTheTableIsOneGet(t *testing.T) {
	s := &counting{Store: memstore.New()}
	j := journalOver(s, &bytes.Buffer{})
	r := receipt(newIDs())
	if err := j.Append(t.Context(), scope, r); err != nil {
		t.Fatal(err)
	}
	if _, found, err := (ledger.Receipts{Store: s, Journal: j}).Get(t.Context(), scope, r.ID); !found || err != nil || s.reads != 1 {
		t.Errorf("%v, %v, %d reads", found, err, s.reads)
	}
}

// TestT19AnAppendThatFailedIsTold before or after it happened, and tried again it
// leaves one receipt.
func TestT19AnAppendThatFailedIsTold(t *testing.T) {
	for _, after := range []bool{false, true} {
		s := faultstore.New(memstore.New())
		j := journalOver(s, &bytes.Buffer{})
		r := receipt(newIDs())
		s.Arm(faultstore.Fault{At: 1, After: after})
		if err := j.Append(t.Context(), scope, r); !errors.Is(err, faultstore.ErrUnavailable) {
			t.Errorf("%v", err)
		}
		s.Disarm()
		if err := j.Append(t.Context(), scope, r); err != nil {
			t.Error(err)
		}
		batches, err := j.Unsealed(t.Context(), nil)
		if err != nil || len(batches) != 1 || len(batches[0].Receipts) != 1 {
			t.Errorf("%v, %v", batches, err)
		}
	}
}

func TestAReceiptWithoutATimeIsRefused(t *testing.T) {
	if err := journalOver(memstore.New(), &bytes.Buffer{}).Append(t.Context(), scope, ledger.Receipt{ID: "x"}); err == nil {
		t.Error("taken")
	}
}

// TestReceiptsOfOneWorkspaceAreSpread over the due index: one partition of it
// takes 1,000 writes a second.
func TestReceiptsOfOneWorkspaceAreSpread(t *testing.T) {
	shards := map[int]int{}
	source := newIDs()
	for range 800 {
		row, err := ledger.WaitingRow(scope, receipt(source))
		if err != nil {
			t.Fatal(err)
		}
		shards[row.Due.Shard]++
	}
	for shard := range store.Shards {
		if n := shards[shard]; n < 50 || n > 150 {
			t.Errorf("%d of 800 in shard %d", n, shard)
		}
	}
}

// TestJobsAndMarksInTheDueIndexAreLeftAlone, and so is what the sweep sees.
func TestJobsAndMarksInTheDueIndexAreLeftAlone(t *testing.T) {
	s := memstore.New()
	j := journalOver(s, &bytes.Buffer{})
	job := outbox.Job{ID: "j", Kind: outbox.Embed, Scope: scope, State: outbox.Pending, DueAt: journaltest.Start}
	put, err := job.Put("job")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{put, outbox.Mark("mark", scope, 1, journaltest.Start)}}); err != nil {
		t.Fatal(err)
	}
	r := receipt(newIDs())
	if err := j.Append(t.Context(), scope, r); err != nil {
		t.Fatal(err)
	}
	batches, err := j.Unsealed(t.Context(), nil)
	if err != nil || len(batches) != 1 || fmt.Sprint(batches[0].Receipts[0].ID) != r.ID {
		t.Errorf("%v, %v", batches, err)
	}
}

// TestARowThatCannotBeReadHoldsUpNoOther and is told by its id alone.
func TestARowThatCannotBeReadHoldsUpNoOther(t *testing.T) {
	s, log := memstore.New(), &bytes.Buffer{}
	j := journalOver(s, log)
	source := newIDs()
	broken, sound := receipt(source), receipt(source)
	for _, r := range []ledger.Receipt{broken, sound} {
		if err := j.Append(t.Context(), scope, r); err != nil {
			t.Fatal(err)
		}
	}
	row, err := ledger.WaitingRow(scope, broken)
	if err != nil {
		t.Fatal(err)
	}
	row.Attrs["d"] = store.B([]byte("kanarya"))
	if err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("", row, nil)}}); err != nil {
		t.Fatal(err)
	}
	batches, err := j.Unsealed(t.Context(), nil)
	if err != nil || len(batches) != 1 || len(batches[0].Receipts) != 1 || batches[0].Receipts[0].ID != sound.ID {
		t.Errorf("%v, %v", batches, err)
	}
	if text := log.String(); !strings.Contains(text, broken.ID) || strings.Contains(text, "kanarya") {
		t.Errorf("log %q", text)
	}
}

// broken is a store one of whose shards of the due index cannot be read.
type broken struct {
	store.Store
	shard int
}

func (b broken) Due(ctx context.Context, q store.DueQuery) (store.Page, error) {
	if q.Shard == b.shard {
		return store.Page{}, store.ErrThrottled
	}
	return b.Store.Due(ctx, q)
}

func TestAShardThatCannotBeReadHoldsUpNoOther(t *testing.T) {
	s, source := memstore.New(), newIDs()
	bad, lost := -1, 0
	for range 40 {
		r := receipt(source)
		if err := journalOver(s, &bytes.Buffer{}).Append(t.Context(), scope, r); err != nil {
			t.Fatal(err)
		}
		row, err := ledger.WaitingRow(scope, r)
		if err != nil {
			t.Fatal(err)
		}
		if bad < 0 {
			bad = row.Due.Shard
		}
		if row.Due.Shard == bad {
			lost++
		}
	}
	j := journalOver(broken{s, bad}, &bytes.Buffer{})
	batches, err := j.Unsealed(t.Context(), nil)
	if err != nil || len(batches) != 1 || len(batches[0].Receipts) != 40-lost {
		t.Errorf("%d batches, %v", len(batches), err)
	}
	if _, err := j.Unsealed(t.Context(), map[tenant.Scope]bool{scope: true}); !errors.Is(err, store.ErrThrottled) {
		t.Errorf("nothing else to answer: %v", err)
	}
}

// TestStaleEntriesOfTheDueIndexAreReadAgain: the index may lag behind commits.
func TestStaleEntriesOfTheDueIndexAreReadAgain(t *testing.T) {
	s := memstore.New()
	j := journalOver(stale{s}, &bytes.Buffer{})
	batches, err := j.Unsealed(t.Context(), nil)
	if err != nil || len(batches) != 0 {
		t.Errorf("%v, %v", batches, err)
	}
}

// stale is a store whose due index shows what is gone and what is sealed.
type stale struct{ store.Store }

func (s stale) Due(context.Context, store.DueQuery) (store.Page, error) {
	source := newIDs()
	gone, err := ledger.WaitingRow(scope, receipt(source))
	if err != nil {
		return store.Page{}, err
	}
	sealed, err := ledger.WaitingRow(scope, receipt(source))
	if err != nil {
		return store.Page{}, err
	}
	row := store.Item{Key: sealed.Key, Attrs: store.Attrs{"d": sealed.Attrs["d"], "op": store.S("o")}}
	err = s.Commit(context.Background(), store.Tx{Actions: []store.Action{store.PutItem("", row, nil)}})
	return store.Page{Items: []store.Item{gone, sealed}}, err
}

// refusing takes no messages: the test fails if one is sent.
type refusing struct{ t *testing.T }

func (r refusing) Send(_ context.Context, name queue.Name, _ []queue.Message) ([]error, error) {
	r.t.Errorf("a message to %s", name)
	return nil, errors.New("refused")
}

// TestTheSweepLeavesReceiptsAlone, also those that are overdue: they are no jobs.
func TestTheSweepLeavesReceiptsAlone(t *testing.T) {
	s := &counting{Store: memstore.New()}
	j := journalOver(s, &bytes.Buffer{})
	r := receipt(newIDs())
	if err := j.Append(t.Context(), scope, r); err != nil {
		t.Fatal(err)
	}
	sweep := outbox.Runner{Store: s, Queue: refusing{t}, Clock: clock.NewFixed(journaltest.Start.Add(time.Hour)),
		Log: slog.New(slog.DiscardHandler), Lease: time.Minute}
	if n, err := sweep.Sweep(t.Context()); n != 0 || err != nil || s.commits != 1 || s.reads != 0 {
		t.Errorf("%d sent, %v, %+v", n, err, s)
	}
	if batches, err := j.Unsealed(t.Context(), nil); err != nil || len(batches) != 1 {
		t.Errorf("%v, %v", batches, err)
	}
}
