package lambdawork

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"holdfast/internal/errs"
	"holdfast/internal/routes"
)

var worker = routes.Worker{ID: "worker-test", Trigger: routes.OnQueue, Queue: "test", Batch: 10, Timeout: time.Minute}

func logTo(w io.Writer) *slog.Logger { return slog.New(slog.NewJSONHandler(w, nil)) }

func batchOf(t *testing.T, bodies ...string) []byte {
	t.Helper()
	var event events.SQSEvent
	for i, body := range bodies {
		event.Records = append(event.Records, events.SQSMessage{MessageId: fmt.Sprintf("m%d", i), Body: body,
			Attributes: map[string]string{"ApproximateReceiveCount": "2"}})
	}
	payload, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// TestT20OneBadMessageTakesNoOtherWithIt: errors, bodies that cannot be read and
// panics fail alone.
func TestT20OneBadMessageTakesNoOtherWithIt(t *testing.T) {
	var done []string
	log := &bytes.Buffer{}
	h := Queue(worker, func(_ context.Context, body string) error {
		switch body {
		case "poison kanarya":
			return json.Unmarshal([]byte(body), &done)
		case "panic":
			panic("kanarya")
		case "busy":
			return errs.New(errs.Unavailable, "UNAVAILABLE", "Later.")
		}
		done = append(done, body)
		return nil
	}, logTo(log))
	out, err := h.Invoke(context.Background(), batchOf(t, "a", "poison kanarya", "b", "panic", "busy", "c"))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"batchItemFailures":[{"itemIdentifier":"m1"},{"itemIdentifier":"m3"},{"itemIdentifier":"m4"}]}`; string(out) != want {
		t.Errorf("report %s, want %s", out, want)
	}
	if !slices.Equal(done, []string{"a", "b", "c"}) {
		t.Errorf("done %q", done)
	}
	if text := log.String(); strings.Contains(text, "kanarya") || strings.Count(text, `"message":"m`) != 6 || !strings.Contains(text, "UNAVAILABLE") ||
		!strings.Contains(text, "PANIC string") || !strings.Contains(text, `"receives":"2"`) {
		t.Errorf("log %s", text)
	}
}

// TestT20AllDoneIsAnEmptyListNeverNull: some pollers break on null.
func TestT20AllDoneIsAnEmptyListNeverNull(t *testing.T) {
	h := Queue(worker, func(context.Context, string) error { return nil }, logTo(io.Discard))
	out, err := h.Invoke(context.Background(), batchOf(t, "a"))
	if err != nil || string(out) != `{"batchItemFailures":[]}` {
		t.Errorf("%s, %v", out, err)
	}
}

// TestEventsThatAreNoBatchFailAsAWhole: all messages come back.
func TestEventsThatAreNoBatchFailAsAWhole(t *testing.T) {
	h := Queue(worker, func(context.Context, string) error { return errors.New("called") }, logTo(io.Discard))
	for _, payload := range []string{"", "{", "{}", "[]", `{"Records":[]}`} {
		if out, err := h.Invoke(context.Background(), []byte(payload)); err == nil || out != nil {
			t.Errorf("%q: %s, %v", payload, out, err)
		}
	}
}

// TestMessagesAfterTheTimeoutAreNotBegun and count as failed.
func TestMessagesAfterTheTimeoutAreNotBegun(t *testing.T) {
	short := worker
	short.Timeout = time.Nanosecond
	began := 0
	h := Queue(short, func(ctx context.Context, _ string) error { began++; return nil }, logTo(io.Discard))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out, err := h.Invoke(ctx, batchOf(t, "a", "b"))
	if err != nil || began != 0 || strings.Count(string(out), "itemIdentifier") != 2 {
		t.Errorf("%d begun: %s, %v", began, out, err)
	}
}

// TestSchedulesRunOnce, whatever the event says; errors and panics are errors.
func TestSchedulesRunOnce(t *testing.T) {
	log := &bytes.Buffer{}
	runs := 0
	var fail error
	h := Schedule(worker, func(ctx context.Context) error {
		runs++
		if _, limited := ctx.Deadline(); !limited {
			t.Error("no deadline")
		}
		if runs == 3 {
			panic("kanarya")
		}
		return fail
	}, logTo(log))
	if out, err := h.Invoke(context.Background(), []byte(`{"anything":1}`)); err != nil || string(out) != `{"batchItemFailures":[]}` {
		t.Errorf("%s, %v", out, err)
	}
	fail = fmt.Errorf("kanarya: %w", context.DeadlineExceeded)
	for range 2 {
		if out, err := h.Invoke(context.Background(), nil); err == nil || out != nil || strings.Contains(err.Error(), "kanarya") {
			t.Errorf("%s, %v", out, err)
		}
	}
	if runs != 3 || strings.Contains(log.String(), "kanarya") || !strings.Contains(log.String(), "TIMEOUT") {
		t.Errorf("%d runs, log %s", runs, log)
	}
}
