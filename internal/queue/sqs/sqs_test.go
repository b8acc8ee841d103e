package sqs

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/awsconf/signtest"
	"holdfast/internal/queue"
)

func messages(bodies ...string) []queue.Message {
	var out []queue.Message
	for _, body := range bodies {
		out = append(out, queue.Message{Body: body})
	}
	return out
}

func TestSendIsOneSignedRequest(t *testing.T) {
	d := newDouble(t)
	batch := []queue.Message{{Body: "a"}, {Body: "b", Delay: 1500 * time.Millisecond}, {Body: "c", Delay: queue.MaxDelay}}
	errs, err := d.queue(false).Send(t.Context(), queue.Index, batch)
	if err != nil || len(errs) != 3 || errors.Join(errs...) != nil {
		t.Fatalf("%v, %v", errs, err)
	}
	calls := d.seen()
	if len(calls) != 1 || calls[0].QueueURL != d.URL+"/1/index" || len(calls[0].Entries) != 3 {
		t.Fatalf("%+v", calls)
	}
	for i, want := range []int{0, 2, 900} {
		if e := calls[0].Entries[i]; e.DelaySeconds != want || e.MessageBody != batch[i].Body {
			t.Errorf("%+v", e)
		}
	}
}

// TestT20APartialFailureIsTheMessagesOwn: what SQS refuses, forgets or mentions
// without being asked.
func TestT20APartialFailureIsTheMessagesOwn(t *testing.T) {
	d := newDouble(t, func(w http.ResponseWriter, c call) {
		write(w, 200, object{
			"Successful": []object{{"Id": "0", "MessageId": "m", "MD5OfMessageBody": sum("a")}, {"Id": "7", "MessageId": "m", "MD5OfMessageBody": sum("x")}},
			"Failed": []object{{"Id": "1", "Code": "InternalError", "Message": "kanarya", "SenderFault": false},
				{"Id": "2", "Code": "InvalidMessageContents", "Message": "kanarya", "SenderFault": true}, {"Id": "x", "Code": "Odd"}},
		})
	})
	errs, err := d.queue(false).Send(t.Context(), queue.Index, messages("a", "kanarya", "c", "forgotten"))
	if err != nil || errs[0] != nil || errs[1] == nil || !errors.Is(errs[2], ErrContent) || errs[3] == nil {
		t.Fatalf("%v, %v", errs, err)
	}
	if text := errors.Join(errs...).Error(); strings.Contains(text, "kanarya") || !strings.Contains(text, "InternalError") {
		t.Errorf("%s", text)
	}
}

// TestAWrongChecksumIsNoAnswer: the message may have been damaged on its way.
func TestAWrongChecksumIsNoAnswer(t *testing.T) {
	d := newDouble(t, func(w http.ResponseWriter, _ call) {
		write(w, 200, object{"Successful": []object{{"Id": "0", "MessageId": "m", "MD5OfMessageBody": sum("b")}}})
	})
	if errs, err := d.queue(false).Send(t.Context(), queue.Index, messages("a")); err == nil {
		t.Errorf("%v, %v", errs, err)
	}
}

// TestMessagesThatCannotBeSentAreNotSent, and the others are.
func TestMessagesThatCannotBeSentAreNotSent(t *testing.T) {
	d := newDouble(t)
	bad := map[string]error{
		"": ErrContent, "\x00": ErrContent, "a\x1f": ErrContent, "\ufffe": ErrContent, "\xff": ErrContent,
		strings.Repeat("x", queue.MaxBody+1): queue.ErrTooLarge,
	}
	batch := messages("good \t\r\n\U0001F600\uE000\uFFFD")
	for body := range bad {
		batch = append(batch, queue.Message{Body: body})
	}
	errs, err := d.queue(false).Send(t.Context(), queue.Index, batch)
	if err != nil || errs[0] != nil {
		t.Fatalf("%v, %v", errs, err)
	}
	for i, m := range batch[1:] {
		if !errors.Is(errs[i+1], bad[m.Body]) {
			t.Errorf("%.5q: %v", m.Body, errs[i+1])
		}
	}
	if calls := d.seen(); len(calls) != 1 || len(calls[0].Entries) != 1 {
		t.Errorf("%d calls", len(calls))
	}
	if _, err := d.queue(false).Send(t.Context(), queue.Index, messages("")); err != nil || len(d.seen()) != 1 {
		t.Errorf("a batch with nothing to send: %v, %d calls", err, len(d.seen()))
	}
}

// TestALargeBatchIsSeveralRequests, of which one may fail.
func TestALargeBatchIsSeveralRequests(t *testing.T) {
	d := newDouble(t, taken, refuses(500, "InternalError"), taken)
	body := strings.Repeat("x", 100<<10)
	errs, err := d.queue(false).Send(t.Context(), queue.Index, messages(body, body, body, body, body))
	if err != nil || len(d.seen()) != 3 {
		t.Fatalf("%d requests, %v", len(d.seen()), err)
	}
	for i, wrong := range []bool{false, false, true, true, false} {
		if (errs[i] != nil) != wrong {
			t.Errorf("message %d: %v", i, errs[i])
		}
	}
}

// TestWhatMayPassIsTriedAgain: throttles, server errors, cut and broken answers.
func TestWhatMayPassIsTriedAgain(t *testing.T) {
	for name, r := range map[string]reply{
		"throttled": refuses(400, "ThrottlingException"), "request throttled": refuses(403, "RequestThrottled"),
		"500": refuses(500, "InternalError"), "503": refuses(503, "ServiceUnavailable"),
		"cut body": cutOff, "hangs up": hangsUp,
	} {
		d := newDouble(t, r, r, r)
		errs, err := d.queue(true).Send(t.Context(), queue.Index, messages("a"))
		if err != nil || errs[0] != nil || len(d.seen()) != 4 {
			t.Errorf("%s: %v, %v, asked %d times", name, errs, err, len(d.seen()))
		}
	}
}

func TestTriesAreUsedUp(t *testing.T) {
	for name, r := range map[string]reply{"throttled": refuses(400, "ThrottlingException"), "500": refuses(500, "InternalError"), "cut body": cutOff} {
		d := newDouble(t, r, r, r, r)
		errs, err := d.queue(true).Send(t.Context(), queue.Index, messages("kanarya"))
		if err == nil || errs != nil || len(d.seen()) != attempts || strings.Contains(err.Error(), "kanarya") {
			t.Errorf("%s: %v, %v, asked %d times", name, errs, err, len(d.seen()))
		}
	}
}

// TestRefusalsAreNotTriedAgain and name the code alone.
func TestRefusalsAreNotTriedAgain(t *testing.T) {
	for code, c := range map[string]struct {
		status int
		is     error
	}{
		"ExpiredToken": {403, nil}, "InvalidClientTokenId": {403, nil}, "AccessDenied": {403, nil}, "SignatureDoesNotMatch": {403, nil},
		"QueueDoesNotExist": {400, ErrUnknownQueue}, "BatchRequestTooLong": {400, queue.ErrTooLarge}, "InvalidMessageContents": {400, ErrContent},
	} {
		d := newDouble(t, refuses(c.status, code))
		_, err := d.queue(true).Send(t.Context(), queue.Index, messages("a"))
		var e *Error
		if !errors.As(err, &e) || e.Operation != "SendMessageBatch" || len(d.seen()) != 1 || strings.Contains(err.Error(), "kanarya") {
			t.Errorf("%s: %v, asked %d times", code, err, len(d.seen()))
		}
		if c.is != nil && !errors.Is(err, c.is) || e != nil && !strings.HasSuffix(e.Code, code) {
			t.Errorf("%s: %v", code, err)
		}
	}
}

func TestHandlesThatSQSRefuses(t *testing.T) {
	for code, want := range map[string]error{"ReceiptHandleIsInvalid": queue.ErrBadReceipt, "InvalidParameterValue": queue.ErrBadReceipt,
		"MessageNotInflight": queue.ErrBadReceipt, "QueueDoesNotExist": ErrUnknownQueue} {
		d := newDouble(t, refuses(400, code), refuses(400, code))
		q := d.queue(false)
		if err := q.Delete(t.Context(), queue.Index, "h"); !errors.Is(err, want) {
			t.Errorf("%s: delete: %v", code, err)
		}
		if err := q.Release(t.Context(), queue.Index, "h", 0); !errors.Is(err, want) {
			t.Errorf("%s: release: %v", code, err)
		}
	}
	d := newDouble(t)
	if err := d.queue(false).Delete(t.Context(), queue.Index, ""); !errors.Is(err, queue.ErrBadReceipt) {
		t.Error(err)
	}
	if err := d.queue(false).Release(t.Context(), queue.Index, "", 0); !errors.Is(err, queue.ErrBadReceipt) || len(d.seen()) != 0 {
		t.Error(err)
	}
}

func TestReleaseSaysWholeSeconds(t *testing.T) {
	d := newDouble(t)
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{0, 0}, {1, 1}, {1500 * time.Millisecond, 2}, {MaxRelease, 43200}} {
		if err := d.queue(false).Release(t.Context(), queue.Index, "h", c.after); err != nil {
			t.Fatal(err)
		}
		calls := d.seen()
		if got := calls[len(calls)-1]; got.VisibilityTimeout == nil || *got.VisibilityTimeout != c.want || got.ReceiptHandle != "h" {
			t.Errorf("%s: %+v", c.after, got)
		}
	}
	for _, after := range []time.Duration{-1, MaxRelease + 1} {
		if err := d.queue(false).Release(t.Context(), queue.Index, "h", after); !errors.Is(err, queue.ErrTooLarge) {
			t.Errorf("%s: %v", after, err)
		}
	}
}

func TestReceive(t *testing.T) {
	d := newDouble(t)
	d.letters = []string{"a", "b"}
	got, err := d.queue(false).Receive(t.Context(), queue.Index, 5, 2900*time.Millisecond)
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	want := queue.Received{ID: "m-a", Body: "a", Handle: "h-m-a", Receives: 2, SentAt: time.UnixMilli(1777626000123).UTC()}
	if got[0] != want {
		t.Errorf("%+v", got[0])
	}
	if c := d.seen()[0]; c.MaxNumberOfMessages != 5 || c.WaitTimeSeconds != 2 || c.VisibilityTimeout != nil {
		t.Errorf("%+v", c)
	}
}

// TestALongWaitIsSeveralPolls, since SQS waits at most 20 seconds.
func TestALongWaitIsSeveralPolls(t *testing.T) {
	d := newDouble(t)
	got, err := d.queue(false).Receive(t.Context(), queue.Index, 1, 45500*time.Millisecond)
	if err != nil || len(got) != 0 {
		t.Fatalf("%v, %v", got, err)
	}
	var waits []int
	for _, c := range d.seen() {
		waits = append(waits, c.WaitTimeSeconds)
	}
	if !slices.Equal(waits, []int{20, 20, 5}) {
		t.Errorf("%v", waits)
	}
}

// TestASlowAnswerEndsWithTheContext, with the context's own error.
func TestASlowAnswerEndsWithTheContext(t *testing.T) {
	released := make(chan struct{})
	d := newDouble(t, func(http.ResponseWriter, call) { <-released })
	t.Cleanup(func() { close(released) })
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := d.queue(true).Send(ctx, queue.Index, messages("a")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if _, err := d.queue(true).Depth(ctx, queue.Index); !errors.Is(err, context.DeadlineExceeded) || len(d.seen()) > 1 {
		t.Errorf("%v, %d calls", err, len(d.seen()))
	}
}

// TestAnAnswerOfAnotherFormIsAnError, not an empty one.
func TestAnAnswerOfAnotherFormIsAnError(t *testing.T) {
	for _, body := range []string{"<html>kanarya</html>", `{"Messages":"kanarya"}`, `{"Messages":[{`} {
		d := newDouble(t, raw(body))
		if got, err := d.queue(false).Receive(t.Context(), queue.Index, 1, 0); err == nil || strings.Contains(err.Error(), "kanarya") {
			t.Errorf("%q: %v, %v", body, got, err)
		}
	}
	for _, attributes := range []object{{}, {"ApproximateNumberOfMessages": "many"}} {
		d := newDouble(t, func(w http.ResponseWriter, _ call) { write(w, 200, object{"Attributes": attributes}) })
		if got, err := d.queue(false).Depth(t.Context(), queue.Index); err == nil {
			t.Errorf("%v: %+v", attributes, got)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, a := range []Address{{}, {URL: "index"}, {URL: "https://host"}, {URL: "https://host/1/q", Dead: "dead"}, {URL: "::"}, {Dead: "https://host/1/d"}} {
		if _, err := New(signtest.Config("http://127.0.0.1", nil), Options{Addresses: map[queue.Name]Address{"index": a}}); err == nil || !strings.Contains(err.Error(), "index") {
			t.Errorf("%+v: %v", a, err)
		}
	}
	d := newDouble(t)
	q := d.queue(false)
	if _, err := q.Send(t.Context(), queue.Erase, messages("a")); !errors.Is(err, ErrUnknownQueue) {
		t.Error(err)
	}
	_, err1 := q.Dead(t.Context(), queue.Seal, 1)
	_, err2 := q.Redrive(t.Context(), queue.Seal, 1)
	_, err3 := q.Depth(t.Context(), queue.Seal)
	for _, err := range []error{err1, err2, err3} {
		if !errors.Is(err, ErrNoDeadQueue) {
			t.Error(err)
		}
	}
	if len(d.seen()) != 0 {
		t.Errorf("%v", d.operations())
	}
}
