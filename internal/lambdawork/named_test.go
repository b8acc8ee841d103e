package lambdawork

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"holdfast/internal/obs"
	"holdfast/internal/store"
)

// TestLinesOfARunNameWorkerAndRun, those of what it calls too.
func TestLinesOfARunNameWorkerAndRun(t *testing.T) {
	b := &bytes.Buffer{}
	log := obs.NewLogger(b, nil)
	says := func(ctx context.Context) { log.WarnContext(ctx, "below") }
	for _, c := range []struct {
		name    string
		h       lambda.Handler
		payload []byte
		alone   any // requestId where there is no Lambda
	}{
		{"queue", Queue(worker, func(ctx context.Context, _ string) error { says(ctx); return nil }, log), batchOf(t, "a"), "m0"},
		{"schedule", Schedule(worker, func(ctx context.Context) error { says(ctx); return nil }, log), nil, nil},
		{"stream", Stream(worker, func(ctx context.Context, all []store.Change) []error {
			says(ctx)
			return make([]error, len(all))
		}, log), streamOf(record(1, "INSERT", "p", "a", image)), nil},
	} {
		onLambda := lambdacontext.NewContext(context.Background(), &lambdacontext.LambdaContext{AwsRequestID: "run-1"})
		for ctx, id := range map[context.Context]any{onLambda: "run-1", context.Background(): c.alone} {
			b.Reset()
			if out, err := c.h.Invoke(ctx, c.payload); err != nil {
				t.Fatalf("%s: %s, %v", c.name, out, err)
			}
			if !strings.Contains(b.String(), "below") {
				t.Errorf("%s: nothing is said", c.name)
			}
			for text := range strings.Lines(b.String()) {
				var line map[string]any
				if err := json.Unmarshal([]byte(text), &line); err != nil {
					t.Fatal(err)
				}
				if line["route"] != worker.ID || fmt.Sprint(line["requestId"]) != fmt.Sprint(id) {
					t.Errorf("%s: want run %v: %s", c.name, id, text)
				}
			}
		}
	}
}
