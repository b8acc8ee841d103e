package consolidate_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"holdfast/internal/consolidate"
	"holdfast/internal/memory"
)

// Edits race with the end of their run: a text that was acknowledged is in the session
// still, or what was made of the run rests on it.
func TestT17WhatRacesAConsolidationIsUsedOrStays(t *testing.T) {
	for round := range 20 {
		w := newWorld(t)
		id := w.say("run-1", "The glaze of pot zero is blue.")
		last := "The glaze of pot zero is blue."
		var g sync.WaitGroup
		g.Go(func() {
			for n := range 20 {
				text := fmt.Sprintf("Round %d colour number %d of the glaze.", round, n)
				if _, err := w.Memories.Update(context.Background(), w.as(agent), memory.Revision{ID: id, Content: text}); err == nil {
					last = text
				}
			}
		})
		g.Go(func() {
			if _, err := w.Consolidate(context.Background(), w.as(agent), consolidate.Ask{RunID: "run-1"}); err != nil {
				t.Log(err)
			}
		})
		g.Wait()
		w.work()
		found := false
		for _, m := range w.list(memory.Filter{}) {
			found = found || m.Content == last
		}
		if !found {
			t.Errorf("round %d: acknowledged %q is lost", round, last)
		}
	}
}
