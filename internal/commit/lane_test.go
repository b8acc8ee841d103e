package commit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"holdfast/internal/obs"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
)

// TestAFailedCommitNamesItsWriter, though a lane is of many.
func TestAFailedCommitNamesItsWriter(t *testing.T) {
	log := &bytes.Buffer{}
	var faults *faultstore.Store
	w := newWorld(func(s store.Store) store.Store { faults = faultstore.New(s); return faults })
	w.c.Log = obs.NewLogger(log, nil)
	faults.Arm(faultstore.Fault{At: 1, Times: 100, Ops: []faultstore.Op{faultstore.Commit}})
	var all sync.WaitGroup
	var want []string
	for i := range 5 {
		id := fmt.Sprint("r", i)
		want = append(want, id)
		ctx := obs.With(t.Context(), obs.Fields{RequestID: id})
		all.Go(func() {
			if _, err := w.c.Do(ctx, create(w.scope, id)); err == nil {
				t.Errorf("%s is written", id)
			}
		})
	}
	all.Wait()
	var got []string
	for text := range strings.Lines(log.String()) {
		var line struct{ RequestID string }
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		got = append(got, line.RequestID)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("lines of %q, want %q: %s", got, want, log)
	}
}
