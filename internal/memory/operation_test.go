package memory

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"holdfast/internal/clock"
	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

func (w *world) receipt(id string) Ingestion {
	w.t.Helper()
	r, err := w.Operation(context.Background(), w.as(agent), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func TestS060AnInlineAppendIsIndexedWithItsEvent(t *testing.T) {
	w := newWorld(t)
	first := w.append(agent, fact("The press prints charts."))
	merged := w.append(agent, fact("the PRESS prints charts."))
	for _, a := range []Appended{first, merged} {
		r := w.receipt(a.OperationID)
		if r.MemoryID != a.ID || r.Merged != a.Merged || r.ContentReplaced || r.Status != Indexed || !r.CreatedAt.Equal(utc(start)) {
			t.Errorf("receipt %+v", r)
		}
		if len(r.Effects) != 1 || r.Effects[0] != (Effect{Kind: EventEffect, State: EffectSucceeded}) {
			t.Errorf("effects %+v", r.Effects)
		}
	}
}

func TestR041ADeferredEmbeddingGoesThroughItsStates(t *testing.T) {
	w := newWorld(t)
	w.workspace.Settings.DeferEmbedding = true
	a := w.append(agent, fact("The windlass is stuck."))
	want := func(status IngestionStatus, state EffectState, attempt int) {
		t.Helper()
		r := w.receipt(a.OperationID)
		if r.Status != status || len(r.Effects) != 2 || r.Effects[0].Kind != EmbedEffect || r.Effects[0].State != state || r.Effects[0].Attempt != attempt {
			t.Errorf("receipt %+v, want %s, %s, %d", r, status, state, attempt)
		}
	}
	want(IngestionPending, EffectPending, 0)
	runner := &outbox.Runner{Store: w.Store, Queue: deaf{}, Clock: clock.NewFixed(start), Log: slog.New(slog.DiscardHandler)}
	for try := 1; try <= outbox.Tries; try++ {
		tried(t, runner, w.scope, a.OperationID, errors.New("model down"))
		if try < outbox.Tries {
			want(IngestionPending, EffectFailed, try)
		}
	}
	want(IngestionFailed, EffectDead, outbox.Tries)
	if r := w.receipt(a.OperationID); r.Effects[0].LastError == "" {
		t.Error("no last error")
	}
	job, _, err := runner.Find(context.Background(), w.scope, a.OperationID)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Store.Commit(context.Background(), store.Tx{Actions: []store.Action{job.Done()}}); err != nil {
		t.Fatal(err)
	}
	want(Indexed, EffectSucceeded, 1)
}

func tried(t *testing.T, r *outbox.Runner, s tenant.Scope, id string, fault error) {
	t.Helper()
	if err := r.Run(context.Background(), s, id, func(context.Context, outbox.Job) error { return fault }); err != nil {
		t.Fatal(err)
	}
}

// deaf is a queue that takes everything and forgets it.
type deaf struct{}

func (deaf) Send(_ context.Context, _ queue.Name, batch []queue.Message) ([]error, error) {
	return make([]error, len(batch)), nil
}

func TestS061AnotherWorkspacesReceiptIsMissing(t *testing.T) {
	w := newWorld(t)
	a := w.append(agent, fact("The crane lifts nine tons."))
	elsewhere := w.as(agent)
	elsewhere.Scope = w.scope.Sibling("0192f0c1-0000-7000-8000-00000000000c")
	for _, c := range []struct {
		t  Target
		id string
	}{{elsewhere, a.OperationID}, {w.as(agent), w.IDs.New()}, {w.as(agent), "none"}, {w.as(agent), ""}} {
		_, err := w.Operation(context.Background(), c.t, c.id)
		wantCode(t, err, "NOT_FOUND")
	}
}
