package sqs

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"

	"holdfast/internal/awsconf"
	"holdfast/internal/awsconf/signtest"
	"holdfast/internal/queue"
)

// call is a request as SQS gets it.
type call struct {
	Operation           string
	QueueURL            string `json:"QueueUrl"`
	MaxNumberOfMessages int
	WaitTimeSeconds     int
	VisibilityTimeout   *int
	ReceiptHandle       string
	Entries             []struct {
		ID                string `json:"Id"`
		MessageBody       string
		DelaySeconds      int
		ReceiptHandle     string
		VisibilityTimeout *int
	}
}

// reply answers a call: a status and what is written as JSON, or as it is when it
// is a string.
type reply func(w http.ResponseWriter, c call)

// double is SQS on loopback. Each call is answered by the next of its replies, and
// soundly when they are used up. Calls that are not signed as they should be fail
// the test.
type double struct {
	*httptest.Server
	t       *testing.T
	mu      sync.Mutex
	replies []reply
	calls   []call
	letters []string // bodies in the dead-letter queue: each is answered once
}

func newDouble(t *testing.T, replies ...reply) *double {
	t.Helper()
	d := &double{t: t, replies: replies}
	d.Server = httptest.NewServer(d)
	t.Cleanup(d.Close)
	return d
}

func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := signtest.Check(r, "sqs"); err != nil {
		d.t.Errorf("%s: %v", r.Header.Get("X-Amz-Target"), err)
	}
	raw, err := io.ReadAll(r.Body)
	c := call{Operation: strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "AmazonSQS.")}
	if err != nil || json.Unmarshal(raw, &c) != nil {
		d.t.Errorf("%s: not the protocol: %s", c.Operation, raw)
	}
	d.mu.Lock()
	d.calls = append(d.calls, c)
	next := d.sound
	if len(d.replies) > 0 {
		next, d.replies = d.replies[0], d.replies[1:]
	}
	d.mu.Unlock()
	next(w, c)
}

// seen answers the calls so far.
func (d *double) seen() []call {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.calls)
}

func (d *double) operations() []string {
	var out []string
	for _, c := range d.seen() {
		out = append(out, c.Operation)
	}
	return out
}

func write(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		panic(http.ErrAbortHandler)
	}
}

type object = map[string]any

func sum(body string) string { s := md5.Sum([]byte(body)); return hex.EncodeToString(s[:]) }

// sound is SQS when all is well.
func (d *double) sound(w http.ResponseWriter, c call) {
	switch c.Operation {
	case "SendMessageBatch":
		taken(w, c)
	case "DeleteMessageBatch", "ChangeMessageVisibilityBatch":
		var done []object
		for _, e := range c.Entries {
			done = append(done, object{"Id": e.ID})
		}
		write(w, 200, object{"Successful": done, "Failed": []object{}})
	case "ReceiveMessage":
		d.mu.Lock()
		n := min(len(d.letters), c.MaxNumberOfMessages)
		some := d.letters[:n]
		d.letters = d.letters[n:]
		d.mu.Unlock()
		received := []object{}
		for _, body := range some {
			received = append(received, letter("m-"+body, body))
		}
		write(w, 200, object{"Messages": received})
	case "GetQueueAttributes":
		write(w, 200, object{"Attributes": object{"ApproximateNumberOfMessages": "3",
			"ApproximateNumberOfMessagesNotVisible": "2", "ApproximateNumberOfMessagesDelayed": "1"}})
	default:
		write(w, 200, object{})
	}
}

func letter(id, body string) object {
	return object{"MessageId": id, "Body": body, "MD5OfBody": sum(body), "ReceiptHandle": "h-" + id,
		"Attributes": object{"ApproximateReceiveCount": "2", "SentTimestamp": "1777626000123"}}
}

// taken takes every message.
func taken(w http.ResponseWriter, c call) {
	var done []object
	for _, e := range c.Entries {
		done = append(done, object{"Id": e.ID, "MessageId": "m" + e.ID, "MD5OfMessageBody": sum(e.MessageBody)})
	}
	write(w, 200, object{"Successful": done})
}

// refuses answers an error as SQS does, repeating what it got.
func refuses(status int, code string) reply {
	return func(w http.ResponseWriter, c call) {
		write(w, status, object{"__type": "com.amazonaws.sqs#" + code, "message": fmt.Sprintf("kanarya %+v", c)})
	}
}

func cutOff(w http.ResponseWriter, _ call) {
	w.Header().Set("Content-Length", "5000")
	_, _ = io.WriteString(w, `{"Successful":[`)
	panic(http.ErrAbortHandler)
}

func hangsUp(http.ResponseWriter, call) { panic(http.ErrAbortHandler) }

func raw(body string) reply {
	return func(w http.ResponseWriter, _ call) { _, _ = io.WriteString(w, body) }
}

// eager tries again without a pause, as often as in production.
func eager() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = attempts
		o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
	})
}

func (d *double) queue(again bool) *Queue {
	d.t.Helper()
	cfg := signtest.Config(d.URL, awsconf.NewClient())
	if again {
		cfg.Retryer = eager
	}
	q, err := New(cfg, Options{Addresses: map[queue.Name]Address{
		queue.Index: {URL: d.URL + "/1/index", Dead: d.URL + "/1/index-dead"}, queue.Seal: {URL: d.URL + "/1/seal"}}})
	if err != nil {
		d.t.Fatal(err)
	}
	return q
}
