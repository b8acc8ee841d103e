package memory

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// readStore notes what is read of it.
type readStore struct {
	store.Store
	rounds int
	read   []store.Key
	err    error
}

func (s *readStore) GetMany(ctx context.Context, at []store.Key) ([]*store.Item, error) {
	s.rounds, s.read = s.rounds+1, append(s.read, at...)
	if s.err != nil {
		return nil, s.err
	}
	return s.Store.GetMany(ctx, at)
}

// edits makes a memory of n versions, an hour apart, and answers when each began.
func (w *world) edits(n int) (m *Memory, began []time.Time) {
	w.t.Helper()
	id := w.add(fmt.Sprint("The level of gauge ", w.IDs.New(), " is 1."))
	began = append(began, w.head(id).Edition.At)
	for v := 2; v <= n; v++ {
		w.clock.Advance(time.Hour)
		if _, err := w.update(agent, id, fmt.Sprint("The level is ", v, " of ", id, ".")); err != nil {
			w.t.Fatal(err)
		}
		began = append(began, w.head(id).Edition.At)
	}
	return w.head(id), began
}

func TestR015OnlyTheVersionsOfWhatWasEditedSinceAreRead(t *testing.T) {
	w := newWorld(t)
	long, began := w.edits(40)
	w.clock.Advance(time.Hour)
	plain := w.head(w.add("The tide is low."))
	two, _ := w.edits(2)
	list := []*Memory{plain, nil, long, two, {ID: plain.ID, Status: Deleted}}
	for v := range began {
		for _, at := range []time.Time{began[v], began[v].Add(time.Hour - time.Millisecond)} {
			s := &readStore{Store: w.Store}
			views, err := Views(context.Background(), s, w.scope, list, AsOf{At: at, Axis: RecordedAxis})
			if err != nil || views[2].Memory == nil || views[2].Version != int64(v+1) || !views[2].Edition.At.Equal(began[v]) {
				t.Fatalf("at version %d: %+v, %v", v+1, views[2].Memory, err)
			}
			if s.rounds > 6 || len(s.read) > 6 || v == 39 && s.rounds > 0 {
				t.Errorf("at version %d: %d rows in %d rounds", v+1, len(s.read), s.rounds)
			}
			if views[0].Memory != nil || views[1].Memory != nil || views[3].Memory != nil || views[4].Memory != nil {
				t.Errorf("shown before it was recorded, missing or deleted: %+v", views)
			}
		}
	}
	if long.Version != 40 {
		t.Error("the memory that was asked about was changed")
	}
	s := &readStore{Store: w.Store}
	views, err := Views(context.Background(), s, w.scope, list, AsOf{At: began[0], Axis: ValidAxis})
	if err != nil || s.rounds != 0 || views[2].Memory != long || views[0].Memory != plain {
		t.Errorf("on the valid clock: %+v, %v, %d rounds", views, err, s.rounds)
	}
}

func TestR015VersionsOfManyMemoriesAreReadTogether(t *testing.T) {
	w := newWorld(t)
	var list []*Memory
	for range 60 {
		m, _ := w.edits(3)
		list = append(list, m)
	}
	s := &readStore{Store: w.Store}
	at := list[0].Edition.At.Add(-time.Millisecond) // the last hour of its second version
	for i := range list {
		list[i] = w.head(list[i].ID)
	}
	views, err := Views(context.Background(), s, w.scope, list, AsOf{At: at, Axis: BothAxes})
	if err != nil || views[0].Version != 2 || s.rounds > 2 {
		t.Errorf("%+v, %v, %d rounds", views[0].Memory, err, s.rounds)
	}
	s.err = errors.New("away")
	if _, err := Views(context.Background(), s, w.scope, list, AsOf{At: at, Axis: BothAxes}); err == nil {
		t.Error("a read that failed is no error")
	}
}

func TestR015AVersionThatIsGoneShowsNothing(t *testing.T) {
	w := newWorld(t)
	m, began := w.edits(5)
	for v := int64(1); v < 5; v++ {
		gone := store.DeleteItem("gone", keys.MemoryVersion(w.scope, m.ID, v), nil)
		if err := w.Store.Commit(context.Background(), store.Tx{Actions: []store.Action{gone}}); err != nil {
			t.Fatal(err)
		}
	}
	views, err := Views(context.Background(), w.Store, w.scope, []*Memory{m}, AsOf{At: began[1], Axis: RecordedAxis})
	if err != nil || views[0].Memory != nil {
		t.Errorf("%+v, %v", views[0].Memory, err)
	}
}

func TestR066VersionsOfTenantMemoriesLieInTheirWorkspace(t *testing.T) {
	w := newWorld(t)
	d := fact("Radios are tested daily.")
	d.Layer = "Tenant"
	id := w.append(admin, d).ID
	at := w.head(id).Temporal.RecordedAt
	if _, err := w.update(admin, id, "Radios are tested weekly."); err != nil {
		t.Fatal(err)
	}
	elsewhere := tenant.Grant(tenantID, siblingID)
	views, err := Views(context.Background(), w.Store, elsewhere, []*Memory{w.head(id)}, AsOf{At: at, Axis: RecordedAxis})
	if err != nil || views[0].Memory == nil || views[0].Content != "Radios are tested daily." {
		t.Errorf("%+v, %v", views[0].Memory, err)
	}
}
