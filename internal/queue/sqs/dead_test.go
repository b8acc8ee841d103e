package sqs

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/queue"
)

func letters(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprint(i))
	}
	return out
}

// TestALookAtDeadLettersShowsThemAgain, each once, more than one request brings.
func TestALookAtDeadLettersShowsThemAgain(t *testing.T) {
	d := newDouble(t)
	d.letters = letters(23)
	got, err := d.queue(false).Dead(t.Context(), queue.Index, 100)
	if err != nil || len(got) != 23 {
		t.Fatalf("%d letters, %v", len(got), err)
	}
	want := []string{"ReceiveMessage", "ReceiveMessage", "ReceiveMessage", "ReceiveMessage",
		"ChangeMessageVisibilityBatch", "ChangeMessageVisibilityBatch", "ChangeMessageVisibilityBatch"}
	if !slices.Equal(d.operations(), want) {
		t.Errorf("%v", d.operations())
	}
	shown := 0
	for _, c := range d.seen() {
		if c.QueueURL != d.URL+"/1/index-dead" {
			t.Errorf("%s of %s", c.Operation, c.QueueURL)
		}
		if c.Operation == "ReceiveMessage" && (c.VisibilityTimeout == nil || *c.VisibilityTimeout < 1 || c.WaitTimeSeconds < 1) {
			t.Errorf("%+v", c)
		}
		for _, e := range c.Entries {
			if e.VisibilityTimeout == nil || *e.VisibilityTimeout != 0 || e.ReceiptHandle == "" {
				t.Errorf("%+v", e)
			}
			shown++
		}
	}
	if shown != 23 {
		t.Errorf("%d were made visible", shown)
	}
}

func TestALookHasItsLimit(t *testing.T) {
	d := newDouble(t)
	d.letters = letters(23)
	if got, err := d.queue(false).Dead(t.Context(), queue.Index, 12); err != nil || len(got) != 12 || len(d.letters) != 11 {
		t.Errorf("%d letters, %v", len(got), err)
	}
	if got, err := d.queue(false).Dead(t.Context(), queue.Index, 0); err != nil || len(got) != 0 {
		t.Errorf("%d letters, %v", len(got), err)
	}
}

// TestALookEndsWhereNothingNewComes: SQS may answer a letter again.
func TestALookEndsWhereNothingNewComes(t *testing.T) {
	same := func(w http.ResponseWriter, _ call) { write(w, 200, object{"Messages": []object{letter("m", "a")}}) }
	d := newDouble(t, same, same, same)
	if got, err := d.queue(false).Dead(t.Context(), queue.Index, 5); err != nil || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestALookThatFailsStillShowsWhatItHid(t *testing.T) {
	d := newDouble(t, nil, refuses(500, "InternalError"))
	d.replies[0] = d.sound
	d.letters = letters(10)
	if got, err := d.queue(false).Dead(t.Context(), queue.Index, 20); err == nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
	if ops := d.operations(); ops[len(ops)-1] != "ChangeMessageVisibilityBatch" {
		t.Errorf("%v", ops)
	}
}

func TestRedriveIsReceiveSendDelete(t *testing.T) {
	d := newDouble(t)
	d.letters = letters(12)
	if n, err := d.queue(false).Redrive(t.Context(), queue.Index, 50); n != 12 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	want := []string{"ReceiveMessage", "SendMessageBatch", "DeleteMessageBatch", "ReceiveMessage", "SendMessageBatch", "DeleteMessageBatch", "ReceiveMessage"}
	if !slices.Equal(d.operations(), want) {
		t.Errorf("%v", d.operations())
	}
	for _, c := range d.seen() {
		if live := c.QueueURL == d.URL+"/1/index"; live != (c.Operation == "SendMessageBatch") {
			t.Errorf("%s of %s", c.Operation, c.QueueURL)
		}
	}
}

// TestT20OnlyWhatWasSentIsDeleted from the dead letters.
func TestT20OnlyWhatWasSentIsDeleted(t *testing.T) {
	partly := func(w http.ResponseWriter, c call) {
		write(w, 200, object{"Successful": []object{{"Id": "0", "MessageId": "m", "MD5OfMessageBody": sum(c.Entries[0].MessageBody)}},
			"Failed": []object{{"Id": "1", "Code": "InternalError", "Message": "kanarya"}}})
	}
	for name, c := range map[string]struct {
		send    reply
		moved   int
		deleted []string
	}{
		"one is refused":     {partly, 1, []string{"h-m-0"}},
		"the request failed": {refuses(500, "InternalError"), 0, nil},
	} {
		d := newDouble(t, nil, c.send)
		d.replies[0] = d.sound
		d.letters = letters(2)
		n, err := d.queue(false).Redrive(t.Context(), queue.Index, 2)
		if n != c.moved || err == nil || strings.Contains(err.Error(), "kanarya") {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		var deleted []string
		for _, call := range d.seen() {
			for _, e := range call.Entries {
				if call.Operation == "DeleteMessageBatch" {
					deleted = append(deleted, e.ReceiptHandle)
				}
			}
		}
		if !slices.Equal(deleted, c.deleted) {
			t.Errorf("%s: deleted %v", name, deleted)
		}
	}
}

// TestALetterThatCannotBeDeletedIsTold: it is in both queues now.
func TestALetterThatCannotBeDeletedIsTold(t *testing.T) {
	d := newDouble(t, nil, nil, func(w http.ResponseWriter, _ call) {
		write(w, 200, object{"Successful": []object{{"Id": "0"}}, "Failed": []object{{"Id": "1", "Code": "ReceiptHandleIsInvalid"}}})
	})
	d.replies[0], d.replies[1] = d.sound, d.sound
	d.letters = letters(2)
	if n, err := d.queue(false).Redrive(t.Context(), queue.Index, 2); n != 1 || !errors.Is(err, queue.ErrBadReceipt) {
		t.Errorf("%d, %v", n, err)
	}
}

func TestDepthCountsDelayedMessagesAsWaiting(t *testing.T) {
	d := newDouble(t)
	got, err := d.queue(false).Depth(t.Context(), queue.Index)
	if err != nil || got != (queue.Depth{Waiting: 4, InFlight: 2, Dead: 6}) {
		t.Errorf("%+v, %v", got, err)
	}
}
