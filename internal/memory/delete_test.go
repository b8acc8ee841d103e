package memory

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

func TestS048ADeletedMemoryIsGoneAtOnce(t *testing.T) {
	w := newWorld(t)
	id := w.add("The vault holds casks of quince cider.", ofUser("ada"), ofAttribute("vault"), tagged(map[string]string{"secretword": "quince"}))
	ada := Subject{UserID: "ada"}
	if _, err := w.Delete(context.Background(), w.as(agent), Removal{ID: id, Subject: ada}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Get(context.Background(), w.as(agent), id, ada); errs.KindOf(err) != errs.NotFound {
		t.Errorf("get: %v", err)
	}
	if _, err := w.Versions(context.Background(), w.as(agent), id, ada); errs.KindOf(err) != errs.NotFound {
		t.Errorf("versions: %v", err)
	}
	page, err := w.List(context.Background(), w.as(reviewer), Filter{}, 10, "")
	if err != nil || len(page.Entries) != 0 {
		t.Errorf("list: %+v, %v", page, err)
	}
	if found, err := Load(context.Background(), w.Store, w.scope, []string{id}); err != nil || found[0] != nil {
		t.Errorf("load: %+v, %v", found, err)
	}
	w.wantOps(id, ledger.Create, ledger.Delete)
	if again := w.add("The vault holds casks of quince cider.", ofUser("ada")); again == id {
		t.Error("merged into a deleted memory")
	}
}

// What is left after the commit is a tombstone without content, and what the job
// removes: vector, versions, edges.
func TestR046ATombstoneHoldsNoContent(t *testing.T) {
	w := newWorld(t)
	cited := w.IDs.New()
	id := w.add("The vault holds quince cider.", ofUser("ada-lovage"), ofAttribute("vault"), citing(Source{Kind: MemorySource, ID: cited}))
	salt := w.head(id).Salt
	if _, err := w.Delete(context.Background(), w.as(agent), Removal{ID: id, Subject: Subject{UserID: "ada-lovage"}, Cascade: true}); err != nil {
		t.Fatal(err)
	}
	parts, err := LoadParts(context.Background(), w.Store, w.scope, id)
	if err != nil || len(parts.Vectors) != 1 {
		t.Fatalf("parts %+v, %v", parts, err)
	}
	left := map[store.Key]bool{keys.Memory(w.scope, id): true, keys.Erasure(w.scope, id): true, parts.Vectors[0]: true}
	stone := w.head(id)
	if edges := CitedEdges(w.scope, stone); len(edges) != 1 || edges[0] != keys.Derived(w.scope, cited, id) {
		t.Errorf("edges %v", edges)
	} else {
		left[edges[0]] = true
	}
	for key, item := range w.items() {
		text := allText(key, item)
		if strings.Contains(text, "quince") || strings.Contains(text, "ada-lovage") || bytes.Contains([]byte(text), salt) {
			t.Errorf("content in %v", key)
		}
		operational := strings.Contains(key.PK, "#LOG#") || strings.Contains(key.PK, "#O#") || strings.HasSuffix(key.PK, "#J")
		if strings.Contains(text, id) && !left[key] && !operational {
			t.Errorf("left over: %v", key)
		}
	}
	if d := stone.Deletion; !d.Cascade || d.WriterID != "agent-key" || !slices.Equal(d.Cites, []string{cited}) || stone.Salt != nil {
		t.Errorf("tombstone %+v", stone)
	}
}

func allText(key store.Key, item store.Item) string {
	text := key.PK + key.SK
	for _, v := range item.Attrs {
		text += v.S + string(v.B)
	}
	return text
}

func TestS049DeleteLeavesTheErasuresJob(t *testing.T) {
	w := newWorld(t)
	id := w.add("The gutter leaks.")
	out, err := w.Delete(context.Background(), w.as(agent), Removal{ID: id, Cascade: true})
	if err != nil {
		t.Fatal(err)
	}
	job, found, err := (&outbox.Runner{Store: w.Store}).Find(context.Background(), w.scope, out.OperationID)
	if err != nil || !found || job.Kind != outbox.Erase || job.ItemID != id || job.Args[ArgCascade] != "true" {
		t.Errorf("job %+v, %v, %v", job, found, err)
	}
}

func TestR043ASecondDelete(t *testing.T) {
	w := newWorld(t)
	id := w.add("The gutter leaks.")
	target := w.keyed(agent, "k", "")
	for i := range 2 {
		out, err := w.Delete(context.Background(), target, Removal{ID: id})
		if err != nil || out.Replayed != (i == 1) {
			t.Errorf("call %d: %+v, %v", i, out, err)
		}
	}
	wantCode(t, w.delete(agent, id), "NOT_FOUND")
	_, err := w.Delete(context.Background(), w.keyed(agent, "other", ""), Removal{ID: id})
	wantCode(t, err, "NOT_FOUND")
}

func (w *world) setErasure(id string, e Erasure) {
	w.t.Helper()
	err := w.Store.Commit(context.Background(), store.Tx{Actions: []store.Action{store.PutItem("x", e.Item(w.scope, id), nil)}})
	if err != nil {
		w.t.Fatal(err)
	}
}

func TestR084DeletingAgainResumesADeadErasure(t *testing.T) {
	w := newWorld(t)
	id := w.add("The gutter leaks.", ofUser("ada"))
	ada := Removal{ID: id, Subject: Subject{UserID: "ada"}}
	if _, err := w.Delete(context.Background(), w.as(agent), ada); err != nil {
		t.Fatal(err)
	}
	w.setErasure(id, Erasure{Status: ErasureDead, Attempts: 8, RequestedAt: start})
	_, err := w.Delete(context.Background(), w.as(agent), Removal{ID: id})
	wantCode(t, err, "NOT_FOUND")
	out, err := w.Delete(context.Background(), w.as(agent), ada)
	if err != nil {
		t.Fatal(err)
	}
	e, err := w.Erasure(context.Background(), w.as(agent), id, ada.Subject)
	if err != nil || e.Status != ErasurePending || e.Attempts != 0 {
		t.Errorf("erasure %+v, %v", e, err)
	}
	if _, found, err := (&outbox.Runner{Store: w.Store}).Find(context.Background(), w.scope, out.OperationID); err != nil || !found {
		t.Errorf("no job: %v", err)
	}
	_, err = w.Delete(context.Background(), w.as(agent), ada)
	wantCode(t, err, "NOT_FOUND")
}

func TestS054WhoMayAskForAnErasure(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	id, held := w.add("The trunk is full.", ofUser("ada")), w.add(hostile)
	ask := func(c Caller, id string, s Subject) (ErasureStatus, bool) {
		e, err := w.Erasure(ctx, w.as(c), id, s)
		return e.Status, err == nil
	}
	cases := []struct {
		c  Caller
		id string
		s  Subject
		ok bool
	}{
		{agent, id, Subject{UserID: "ada"}, true}, {other, id, Subject{UserID: "ada", AgentID: "x"}, true},
		{agent, id, Subject{}, false}, {agent, id, Subject{UserID: "ben"}, false}, {agent, id, Subject{AgentID: "ada"}, false},
		{agent, held, Subject{}, true}, {reviewer, held, Subject{}, true}, {other, held, Subject{}, false},
		{agent, w.IDs.New(), Subject{}, false}, {agent, "x", Subject{}, false},
	}
	check := func(want ErasureStatus) {
		t.Helper()
		for i, c := range cases {
			if got, ok := ask(c.c, c.id, c.s); ok != c.ok || ok && got != want {
				t.Errorf("%d: %s, %v, want %s, %v", i, got, ok, want, c.ok)
			}
		}
	}
	check(ErasureNone)
	for _, r := range []Removal{{ID: id, Subject: Subject{UserID: "ada"}}, {ID: held}} {
		if _, err := w.Delete(ctx, w.as(agent), r); err != nil {
			t.Fatal(err)
		}
	}
	check(ErasurePending)
	done := start.Add(time.Hour).Truncate(time.Millisecond)
	for _, id := range []string{id, held} {
		w.setErasure(id, Erasure{Status: ErasureComplete, Attempts: 2, RequestedAt: start, ErasedAt: &done})
	}
	check(ErasureComplete)
	e, err := w.Erasure(ctx, w.as(agent), held, Subject{})
	if err != nil || e.Attempts != 2 || !e.ErasedAt.Equal(done) {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestR067WhatACascadeTakes(t *testing.T) {
	id := "0192f0c1-0000-7000-8000-000000000001"
	cite := Source{Kind: MemorySource, ID: id}
	for _, c := range []struct {
		sources []Source
		want    bool
	}{
		{nil, false}, {[]Source{cite}, true}, {[]Source{cite, cite}, true},
		{[]Source{cite, {Kind: MemorySource, ID: "other"}}, false}, {[]Source{cite, {Kind: MessageSource, ID: "m"}}, false},
		{[]Source{{Kind: MessageSource, ID: id}}, false}, {[]Source{{Kind: EpisodeSource, ID: id}}, true},
	} {
		if got := (&Memory{Provenance: Provenance{Sources: c.sources}}).CitesOnly(id); got != c.want {
			t.Errorf("%v: %v", c.sources, got)
		}
	}
}

func TestR067UnciteKeepsTheText(t *testing.T) {
	w := newWorld(t)
	one, two := w.add("Interview one."), w.add("Interview two.")
	id := w.add("Both agree.", citing(Source{Kind: MemorySource, ID: one, Start: ptr(0)}, Source{Kind: MemorySource, ID: two}))
	for range 2 {
		if _, err := w.Uncite(context.Background(), w.scope, id, one); err != nil {
			t.Fatal(err)
		}
	}
	m := w.head(id)
	if m.Content != "Both agree." || m.Version != 1 || len(m.Provenance.Sources) != 1 || m.Provenance.Sources[0].ID != two || m.Bytes != size(m) {
		t.Errorf("%+v", m)
	}
	if w.has(keys.Derived(w.scope, one, id)) || !w.has(keys.Derived(w.scope, two, id)) {
		t.Error("edges are not what the citations are")
	}
	w.wantOps(id, ledger.Create, ledger.Update)
	if _, err := w.Uncite(context.Background(), w.scope, w.IDs.New(), one); err != nil {
		t.Errorf("of a memory that is not there: %v", err)
	}
}

func TestR044ForgetIsTheServicesDelete(t *testing.T) {
	w := newWorld(t)
	id := w.add("Derived text.", ofUser("ada"))
	for range 2 {
		if _, err := w.Forget(context.Background(), w.scope, id, true); err != nil {
			t.Fatal(err)
		}
	}
	if m := w.head(id); !m.IsDeleted() || !m.Deletion.Cascade {
		t.Errorf("%+v", m)
	}
	w.wantOps(id, ledger.Create, ledger.Delete)
	rows, err := (ledger.Log{Store: w.Store}).Rows(context.Background(), w.scope, 2, 1)
	if err != nil || rows[0].Actor != ledger.Service() {
		t.Errorf("%+v, %v", rows, err)
	}
}

func TestT24PartsOfAMemory(t *testing.T) {
	w := newWorld(t)
	id := w.add("One.")
	for _, text := range []string{"Two.", "Three."} {
		if _, err := w.update(agent, id, text); err != nil {
			t.Fatal(err)
		}
	}
	child := w.add("A child.", citing(Source{Kind: EpisodeSource, ID: id}))
	parts, err := LoadParts(context.Background(), w.Store, w.scope, id)
	if err != nil || len(parts.Versions) != 2 || len(parts.Vectors) != 1 || len(parts.Edges) != 1 || parts.Derived[0] != child {
		t.Errorf("%+v, %v", parts, err)
	}
}
