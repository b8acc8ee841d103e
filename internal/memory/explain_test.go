package memory

import (
	"context"
	"slices"
	"testing"
	"time"

	"holdfast/internal/commit"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// handed seals receipts of retrieves that handed out the items of each, in order.
func (w *world) handed(kind ledger.Kind, answers ...[]string) (ids []string) {
	w.t.Helper()
	var receipts []ledger.Receipt
	for _, answer := range answers {
		w.clock.Advance(time.Second)
		r := ledger.Receipt{ID: w.IDs.New(), Kind: kind, Family: Family, At: w.clock.Now(), Actor: agent.Actor}
		for n, id := range answer {
			r.Items = append(r.Items, ledger.Item{ID: id, Version: 1, Score: ptr(1 / float64(n+1))})
		}
		receipts, ids = append(receipts, r), append(ids, r.ID)
	}
	_, err := w.Commit.Do(context.Background(), commit.Write{Scope: w.scope, Actor: ledger.Service(),
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			actions, entry, err := ledger.SealOf(ctx, w.Store, w.scope, op.ID, receipts)
			return commit.Plan{Actions: actions, Entries: []ledger.Entry{*entry}}, err
		}})
	if err != nil {
		w.t.Fatal(err)
	}
	return ids
}

func (w *world) explain(c Caller, id string, asked Subject) Explanation {
	w.t.Helper()
	x, err := w.Explain(context.Background(), w.as(c), id, asked)
	if err != nil {
		w.t.Fatal(err)
	}
	return x
}

func cites(ids ...string) func(*Draft) {
	return func(d *Draft) {
		for _, id := range ids {
			d.Sources = append(d.Sources, Source{Kind: MemorySource, ID: id})
		}
	}
}

func TestR054ExplainTellsWhereAMemoryComesFromAndWhatCameOfIt(t *testing.T) {
	w := newWorld(t)
	source, gone := w.add("Interview with the harbour office in June."), w.add("A note that is thrown away.")
	id := w.add("The lock keeper is Mr. Haas.", cites(source, gone, w.IDs.New()), ofAttribute("keeper"))
	merged := w.append(agent, fact("the LOCK keeper is Mr. Haas."))
	if _, err := w.update(agent, id, "The lock keeper is Mrs. Haas."); err != nil {
		t.Fatal(err)
	}
	child, secret := w.add("The lock opens on request.", cites(id)), w.add("Ada asked at the lock.", cites(id), ofUser("ada"))
	if _, err := w.share(admin, w.sibling().to(admin, id)); err != nil {
		t.Fatal(err)
	}
	if err := w.delete(agent, gone); err != nil {
		t.Fatal(err)
	}
	x := w.explain(agent, id, Subject{})
	if len(x.Versions) != 2 || x.Versions[0].Version != 2 || x.Versions[1].Content != "The lock keeper is Mr. Haas." {
		t.Errorf("versions %+v", x.Versions)
	}
	if len(x.Merges) != 1 || x.Merges[0].OperationID != merged.OperationID || x.Merges[0].Replaced {
		t.Errorf("merges %+v", x.Merges)
	}
	if !slices.Equal(x.DerivedFrom, []string{source}) || !slices.Equal(x.DerivedTo, []string{child}) {
		t.Errorf("from %v to %v", x.DerivedFrom, x.DerivedTo)
	}
	if x = w.explain(agent, id, Subject{UserID: "ada"}); !slices.Equal(x.DerivedTo, []string{child, secret}) {
		t.Errorf("to %v", x.DerivedTo)
	}
	_, err := w.Explain(context.Background(), w.as(agent), secret, Subject{})
	wantCode(t, err, "NOT_FOUND")
}

func TestR054ExplainReadsAChainFromBothEnds(t *testing.T) {
	w := newWorld(t)
	a := w.add("The cook is Ada.", ofAttribute("cook"), from("2019-01-01T00:00:00Z"))
	c := w.add("The cook is Cleo.", ofAttribute("cook"), from("2023-01-01T00:00:00Z"))
	d := w.add("The cook is Dora.", ofAttribute("cook"), from("2025-01-01T00:00:00Z"))
	b := w.add("The cook is Ben.", ofAttribute("cook"), from("2021-01-01T00:00:00Z"))
	for id, want := range map[string]struct {
		by  string
		all []string
	}{a: {by: c}, b: {by: c}, c: {d, []string{a, b}}, d: {all: []string{c}}} {
		x := w.explain(agent, id, Subject{})
		slices.Sort(want.all)
		if x.Temporal.SupersededBy != want.by || !slices.Equal(x.Supersedes, want.all) {
			t.Errorf("%s supersedes %v, superseded by %q; want %+v", x.Content, x.Supersedes, x.Temporal.SupersededBy, want)
		}
	}
	if err := w.delete(agent, c); err != nil {
		t.Fatal(err)
	}
	if x := w.explain(agent, a, Subject{}); x.Temporal.SupersededBy != "" {
		t.Error("a deleted successor is named")
	}
	if x := w.explain(agent, d, Subject{}); len(x.Supersedes) != 0 {
		t.Error("a deleted predecessor is named")
	}
	stone := w.head(c)
	parts, err := LoadParts(context.Background(), w.Store, w.scope, c)
	if err != nil || len(parts.Edges) != 2 || len(parts.Derived) != 0 {
		t.Errorf("parts %+v, %v", parts, err)
	}
	if edges := CitedEdges(w.scope, stone); !slices.Equal(edges, []store.Key{keys.Superseded(w.scope, d, c)}) {
		t.Errorf("edges elsewhere %v", edges)
	}
}

func TestR080ExplainTellsWhoRecalledAMemory(t *testing.T) {
	w := newWorld(t)
	before := w.add("The tide is low.")
	early := w.handed(ledger.RetrieveReceipt, []string{before, "x"})
	id := w.add("The lock opens on request.")
	all := w.handed(ledger.RetrieveReceipt, []string{before}, []string{before, id}, []string{id})
	w.handed(ledger.SearchReceipt, []string{id})
	w.add("The tide is high.")
	all = append(all, w.handed(ledger.RetrieveReceipt, []string{"x", "y", id})...)
	x := w.explain(agent, id, Subject{})
	if len(x.Recalls) != 3 || !x.RecallsFrom.Equal(x.CreatedAt) {
		t.Fatalf("%+v", x)
	}
	for i, want := range []Recall{{all[3], time.Time{}, 3, ptr(1.0 / 3)}, {all[2], time.Time{}, 1, ptr(1.0)}, {all[1], time.Time{}, 2, ptr(0.5)}} {
		got := x.Recalls[i]
		if got.ReceiptID != want.ReceiptID || got.Rank != want.Rank || *got.Score != *want.Score || got.At.IsZero() {
			t.Errorf("recall %d: %+v, want %+v", i, got, want)
		}
	}
	if x := w.explain(agent, before, Subject{}); len(x.Recalls) != 3 || x.Recalls[2].ReceiptID != early[0] {
		t.Errorf("%+v", x.Recalls)
	}
}
