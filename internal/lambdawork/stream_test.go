package lambdawork

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/store"
)

// record is a stream record's JSON; image is its NewImage.
func record(n int, event, pk, sk, image string) string {
	return fmt.Sprintf(`{"eventID":"e%d","eventName":%q,"eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"eu-central-1",
		"dynamodb":{"ApproximateCreationDateTime":1777626000,"Keys":{"pk":{"S":%q},"sk":{"S":%q}},
		"NewImage":%s,"SequenceNumber":"%d","SizeBytes":100,"StreamViewType":"NEW_IMAGE"}}`, n, event, pk, sk, image, 1000+n)
}

const image = `{"pk":{"S":"p"},"sk":{"S":"s"},"kind":{"S":"index"},"seq":{"N":"12"},"d":{"B":"eyJhIjoxfQ=="},"on":{"BOOL":true},
	"_ttl":{"S":"an item's own"},"due_pk":{"S":"DUE#3"},"due_sk":{"S":"0000001777626000"},"ttl":{"N":"1777626000"},"nonwhole":{"SS":["x"]}}`

func streamOf(records ...string) []byte {
	return []byte(`{"Records":[` + strings.Join(records, ",") + `]}`)
}

// collect collects what it is handed.
func collect(got *[]store.Change, fail map[string]error) func(context.Context, []store.Change) []error {
	return func(_ context.Context, changes []store.Change) []error {
		*got = append(*got, changes...)
		out := make([]error, len(changes))
		for i, c := range changes {
			out[i] = fail[c.Key.SK]
		}
		return out
	}
}

func TestStreamRecordsAreChanges(t *testing.T) {
	var got []store.Change
	h := Stream(worker, collect(&got, nil), logTo(io.Discard))
	out, err := h.Invoke(t.Context(), streamOf(record(1, "INSERT", "p", "s", image), record(2, "MODIFY", "p", "s", image),
		`{"eventID":"e3","eventName":"REMOVE","dynamodb":{"Keys":{"pk":{"S":"p"},"sk":{"S":"s"}},"SequenceNumber":"1003"}}`))
	if err != nil || string(out) != `{"batchItemFailures":[]}` {
		t.Fatalf("%s, %v", out, err)
	}
	item := store.Item{Key: store.Key{PK: "p", SK: "s"}, Attrs: store.Attrs{"kind": store.S("index"), "seq": store.Decimal("12"),
		"d": store.B([]byte(`{"a":1}`)), "on": store.T(true), "ttl": store.S("an item's own")}}
	want := []store.Change{{Key: item.Key, Item: &item, New: true}, {Key: item.Key, Item: &item}, {Key: item.Key}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// TestT20TheFirstFailedRecordIsReported, alone: the stream comes back from there on.
func TestT20TheFirstFailedRecordIsReported(t *testing.T) {
	log := &bytes.Buffer{}
	var got []store.Change
	fail := map[string]error{"b": errs.New(errs.Unavailable, "UNAVAILABLE", "kanarya"), "d": errors.New("kanarya")}
	h := Stream(worker, collect(&got, fail), logTo(log))
	var records []string
	for i, sk := range []string{"a", "b", "c", "d"} {
		records = append(records, record(i, "INSERT", "p", sk, image))
	}
	out, err := h.Invoke(t.Context(), streamOf(records...))
	if err != nil || string(out) != `{"batchItemFailures":[{"itemIdentifier":"1001"}]}` || len(got) != 4 {
		t.Errorf("%s, %v, %d changes", out, err, len(got))
	}
	if text := log.String(); strings.Contains(text, "kanarya") || !strings.Contains(text, `"code":"UNAVAILABLE"`) || !strings.Contains(text, `"records":4`) {
		t.Errorf("log %s", text)
	}
}

// TestT20APoisonRecordHoldsUpNoOther: it is told by its number and passed over.
func TestT20APoisonRecordHoldsUpNoOther(t *testing.T) {
	poison := map[string]string{
		"no object":             `"kanarya"`,
		"null":                  `null`,
		"a number":              `7`,
		"another source":        `{"messageId":"kanarya","body":"kanarya"}`,
		"keys of numbers":       `{"eventName":"INSERT","dynamodb":{"Keys":{"pk":{"N":"1"},"sk":{"S":"kanarya"}},"NewImage":{"a":{"S":"kanarya"}},"SequenceNumber":"5"}}`,
		"no keys":               `{"eventName":"INSERT","dynamodb":{"NewImage":{"a":{"S":"kanarya"}},"SequenceNumber":"5"}}`,
		"no image":              `{"eventName":"MODIFY","dynamodb":{"Keys":{"pk":{"S":"p"},"sk":{"S":"s"}},"SequenceNumber":"5"}}`,
		"a list":                record(5, "INSERT", "p", "poison", `{"a":{"L":[{"S":"kanarya"}]}}`),
		"a null value":          record(5, "INSERT", "p", "poison", `{"a":{"NULL":true}}`),
		"an unknown type":       record(5, "INSERT", "p", "poison", `{"a":{"X":"kanarya"}}`),
		"two types":             record(5, "INSERT", "p", "poison", `{"a":{"S":"kanarya","N":"1"}}`),
		"bytes not in base 64":  record(5, "INSERT", "p", "poison", `{"a":{"B":"kanarya!"}}`),
		"an event of another":   record(5, "EXPLODE", "p", "poison", image),
		"a key with NUL":        strings.Replace(record(5, "INSERT", "p", "poison", image), `{"S":"p"}`, `{"S":"p\u0000"}`, 1),
		"a number without name": `{"eventName":"INSERT","dynamodb":{"Keys":{"pk":{"S":"p"},"sk":{"S":"s"}},"NewImage":{"a":{"S":"b"}},"SequenceNumber":""}}`,
	}
	for name, raw := range poison {
		var got []store.Change
		log := &bytes.Buffer{}
		h := Stream(worker, collect(&got, nil), logTo(log))
		out, err := h.Invoke(t.Context(), streamOf(record(1, "INSERT", "p", "a", image), raw, record(9, "INSERT", "p", "b", image)))
		if err != nil || string(out) != `{"batchItemFailures":[]}` {
			t.Errorf("%s: %s, %v", name, out, err)
		}
		got = slices.DeleteFunc(got, func(c store.Change) bool { return c.Key.SK != "a" && c.Key.SK != "b" })
		if len(got) != 2 || strings.Contains(log.String(), "kanarya") || strings.Count(log.String(), "passed over") != 1 {
			t.Errorf("%s: %d changes, log %s", name, len(got), log)
		}
	}
}

// TestABatchOfPoisonOnlyIsDone, without the worker's body.
func TestABatchOfPoisonOnlyIsDone(t *testing.T) {
	h := Stream(worker, func(context.Context, []store.Change) []error { panic("called") }, logTo(io.Discard))
	if out, err := h.Invoke(t.Context(), streamOf(`{}`, `1`)); err != nil || string(out) != `{"batchItemFailures":[]}` {
		t.Errorf("%s, %v", out, err)
	}
}

// TestAFailedBodyFailsFromTheFirstRecordOn, poison before it left out.
func TestAFailedBodyFailsFromTheFirstRecordOn(t *testing.T) {
	for name, handle := range map[string]func(context.Context, []store.Change) []error{
		"panic":       func(context.Context, []store.Change) []error { panic("kanarya") },
		"too few":     func(context.Context, []store.Change) []error { return nil },
		"too many":    func(context.Context, []store.Change) []error { return make([]error, 9) },
		"out of time": func(ctx context.Context, c []store.Change) []error { return slices.Repeat([]error{ctx.Err()}, len(c)) },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if name == "out of time" {
			cancel()
		}
		log := &bytes.Buffer{}
		out, err := Stream(worker, handle, logTo(log)).Invoke(ctx, streamOf(`{}`, record(1, "INSERT", "p", "a", image), record(2, "INSERT", "p", "b", image)))
		cancel()
		if err != nil || string(out) != `{"batchItemFailures":[{"itemIdentifier":"1001"}]}` || strings.Contains(log.String(), "kanarya") {
			t.Errorf("%s: %s, %v, log %s", name, out, err, log)
		}
	}
}

func TestEventsThatAreNoStreamFailAsAWhole(t *testing.T) {
	h := Stream(worker, func(context.Context, []store.Change) []error { panic("called") }, logTo(io.Discard))
	for _, payload := range []string{"", "{", "{}", "[]", `{"Records":[]}`, `{"Records":7}`} {
		if out, err := h.Invoke(t.Context(), []byte(payload)); err == nil || out != nil {
			t.Errorf("%q: %s, %v", payload, out, err)
		}
	}
}

func TestTheStreamHasTheWorkersTimeout(t *testing.T) {
	h := Stream(worker, func(ctx context.Context, c []store.Change) []error {
		if at, limited := ctx.Deadline(); !limited || time.Until(at) > worker.Timeout {
			t.Error("no deadline")
		}
		return make([]error, len(c))
	}, logTo(io.Discard))
	if _, err := h.Invoke(t.Context(), streamOf(record(1, "INSERT", "p", "a", image))); err != nil {
		t.Error(err)
	}
}

// FuzzStream: no payload makes the handler panic or answer null.
func FuzzStream(f *testing.F) {
	f.Add(streamOf(record(1, "INSERT", "p", "a", image)))
	f.Add([]byte(`{"Records":[{"dynamodb":{"Keys":{"pk":{"B":"AA=="}},"SequenceNumber":"1"}}]}`))
	f.Add([]byte(`{"Records":[null]}`))
	h := Stream(worker, func(_ context.Context, c []store.Change) []error { return make([]error, len(c)) }, logTo(io.Discard))
	f.Fuzz(func(t *testing.T, payload []byte) {
		out, err := h.Invoke(context.Background(), payload)
		if err == nil && string(out) != `{"batchItemFailures":[]}` {
			t.Errorf("%s", out)
		}
	})
}
