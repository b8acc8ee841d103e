package memory

import (
	"context"
	"strconv"
	"testing"

	"holdfast/internal/commit"
	"holdfast/internal/embed/static"
)

// BenchmarkPlanAppend measures what an append costs beside the commit: checks,
// screening, look-ups in an in-memory store, embedding and the plan.
func BenchmarkPlanAppend(b *testing.B) {
	w := newWorld(b)
	w.Service.Embedder = static.New()
	ctx := context.Background()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		d := fact("The harbour office moved crate "+strconv.Itoa(n)+" from the old shed to the north quay, where Odile keeps the winter ropes and the spare anchors dry.",
			ofUser("ida"), tagged(map[string]string{"place": "quay"}), inRun("run-7"))
		a, err := w.addition(w.as(agent), d, "")
		if err != nil {
			b.Fatal(err)
		}
		plan, err := w.write(w.as(agent), a, w.embeddings()).Plan(ctx, commit.Operation{ID: a.memory.ID, At: start})
		if err != nil || len(plan.Actions) < 5 {
			b.Fatal(len(plan.Actions), err)
		}
	}
}

func BenchmarkForms(b *testing.B) {
	const text = "The harbour office moved crate 17 from the old shed to the north quay, where Odile keeps the winter ropes and the spare anchors dry."
	b.ReportAllocs()
	for b.Loop() {
		formsOf(text)
	}
}
