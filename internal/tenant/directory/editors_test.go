package directory

import (
	"context"
	"sync"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/tenant"
)

func TestT16OfTwoEditorsOfOneVersionOneWins(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	w := b.workspace(admin)
	var mu sync.Mutex
	var wg sync.WaitGroup
	won, lost := []int{}, 0
	for n := range 8 {
		wg.Go(func() {
			change := WorkspaceChange{Settings: SettingsChange{IdleSeconds: ptr(600 + n)}}
			_, err := b.UpdateWorkspace(context.Background(), admin, w.ID, change, func(v int64) bool { return v == w.Version })
			mu.Lock()
			defer mu.Unlock()
			switch e := errs.As(err); {
			case err == nil:
				won = append(won, 600+n)
			case e.Kind == errs.Precondition && e.Code == "VERSION_MISMATCH":
				lost++
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	read, err := b.GetWorkspace(context.Background(), admin, w.ID)
	if err != nil || len(won) != 1 || lost != 7 || read.Settings.IdleSeconds != won[0] || read.Version != 2 {
		t.Errorf("won %v, lost %d, read %+v, %v", won, lost, read, err)
	}
}

func TestEditorsWithoutIfMatchLoseNothingOfEachOther(t *testing.T) {
	b := newBench(t)
	admin := b.tenant()
	w := b.workspace(admin)
	changes := []SettingsChange{{IdleSeconds: ptr(77)}, {MergeThreshold: ptr(0.88)}, {DeferEmbedding: ptr(true)}}
	var wg sync.WaitGroup
	for _, change := range changes {
		wg.Go(func() {
			if _, err := b.UpdateWorkspace(context.Background(), admin, w.ID, WorkspaceChange{Settings: change}, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	read, err := b.GetWorkspace(context.Background(), admin, w.ID)
	want := tenant.Settings{IdleSeconds: 77, MergeThreshold: 0.88, DeferEmbedding: true}
	if err != nil || read.Settings != want || read.Version != 4 {
		t.Errorf("read %+v, %v", read, err)
	}
}
