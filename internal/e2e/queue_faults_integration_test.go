//go:build integration

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// sqs speaks SQS's own protocol to the emulator, as an operator's tool does.
type sqs struct {
	t        *testing.T
	endpoint string
	region   string
}

func (q sqs) call(operation string, in map[string]any, out any) {
	q.t.Helper()
	raw, err := json.Marshal(in)
	if err != nil {
		q.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(q.t.Context(), http.MethodPost, q.endpoint+"/", bytes.NewReader(raw))
	if err != nil {
		q.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", "AmazonSQS."+operation)
	// the emulator takes the Region from here and does not look at the signature
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=test/20260101/"+q.region+"/sqs/aws4_request, SignedHeaders=host, Signature=00")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		q.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }() // read below
	if res.StatusCode != http.StatusOK {
		q.t.Fatalf("%s: status %d", operation, res.StatusCode)
	}
	if out == nil {
		return
	}
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		q.t.Fatal(err)
	}
}

func (q sqs) send(queue, body string) {
	q.t.Helper()
	q.call("SendMessage", map[string]any{"QueueUrl": queue, "MessageBody": body}, nil)
}

// depth is how many messages a queue has, those in somebody's hands included.
func (q sqs) depth(queue string) int {
	q.t.Helper()
	var got struct{ Attributes map[string]string }
	names := []string{"ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"}
	q.call("GetQueueAttributes", map[string]any{"QueueUrl": queue, "AttributeNames": names}, &got)
	sum := 0
	for _, name := range names {
		var n int
		if _, err := fmt.Sscan(got.Attributes[name], &n); err != nil {
			q.t.Fatal(err)
		}
		sum += n
	}
	return sum
}

// redrive moves all dead letters back by receive, send, delete, and answers their
// bodies.
func (q sqs) redrive(dead, queue string) []string {
	q.t.Helper()
	var bodies []string
	for {
		var got struct {
			Messages []struct{ Body, ReceiptHandle string }
		}
		q.call("ReceiveMessage", map[string]any{"QueueUrl": dead, "MaxNumberOfMessages": 10}, &got)
		if len(got.Messages) == 0 {
			return bodies
		}
		for _, m := range got.Messages {
			q.send(queue, m.Body)
			q.call("DeleteMessage", map[string]any{"QueueUrl": dead, "ReceiptHandle": m.ReceiptHandle}, nil)
			bodies = append(bodies, m.Body)
		}
	}
}

// TestT20APoisonedMessageEndsAmongTheDeadAndIsRedrivenOnRealEngines: a message that
// no worker can read and one that cannot be done while the node is away are given up
// after their tries; others pass; re-driven after the fix the sound one is done.
func TestT20APoisonedMessageEndsAmongTheDeadAndIsRedrivenOnRealEngines(t *testing.T) {
	own := ownEngines(t, "poisoned", 2*time.Second)
	node := wireTo(t, own.value("HOLDFAST_OPENSEARCH_URL"))
	s := own.with("HOLDFAST_OPENSEARCH_URL", node.base()).start(t)
	p := s.place(t)
	q := sqs{t, own.value("AWS_ENDPOINT_URL"), own.value("AWS_REGION")}
	live := own.value("HOLDFAST_QUEUE_INDEX")
	dead := live + "-dead"

	const garbage = "this is no message kanarya"
	q.send(live, garbage)
	all := p.notes(t, 0, 20, func(int) {})
	eventually(t, "others pass", func() bool { return p.lag(t) == 0 })
	eventually(t, "the poisoned message is among the dead", func() bool { return q.depth(dead) == 1 && q.depth(live) == 0 })

	node.cut()
	late := note{p.remember(t, "The spare key hangs behind the boiler."), "spare key boiler"}
	eventually(t, "what cannot be done is among the dead", func() bool { return q.depth(dead) == 2 && q.depth(live) == 0 })
	node.join()
	if p.lag(t) == 0 {
		t.Error("indexed although the message was given up")
	}
	bodies := q.redrive(dead, live)
	if len(bodies) != 2 {
		t.Errorf("re-driven: %q", bodies)
	}
	eventually(t, "the re-driven message is done", func() bool { return p.lag(t) == 0 })
	for _, n := range append(all, late) {
		p.recalled(t, "in the end", n)
	}
	eventually(t, "the poisoned message is among the dead again", func() bool { return q.depth(dead) == 1 && q.depth(live) == 0 })
	s.alive(t)
	if strings.Contains(s.Output(), "kanarya") {
		t.Error("the log repeats a message's body")
	}
}
