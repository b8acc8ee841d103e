package sqs

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"holdfast/internal/queue"
)

const (
	// deadHold is how long a look at dead letters hides them, so that the next
	// request brings others: SQS answers few at a time and in no order.
	deadHold = 20 * time.Second
	// deadWait makes a look ask all of SQS's servers; it is paid once, at the end.
	deadWait = time.Second
)

// Dead implements queue.Queue: it receives and makes visible again. While it looks,
// the letters are hidden from another Dead or Redrive; when it dies they are for
// deadHold.
func (q *Queue) Dead(ctx context.Context, name queue.Name, limit int) ([]queue.Received, error) {
	_, dead, err := q.both(ctx, name)
	if err != nil {
		return nil, err
	}
	var found []queue.Received
	err = q.eachDead(ctx, dead, limit, func(some []queue.Received) error {
		found = append(found, some...)
		return nil
	})
	for some := range slices.Chunk(found, queue.MaxBatch) {
		err = errors.Join(err, q.show(context.WithoutCancel(ctx), dead, some))
	}
	if err != nil {
		return nil, err
	}
	return found, nil
}

// eachDead receives up to limit dead letters, a request at a time, each once.
func (q *Queue) eachDead(ctx context.Context, dead string, limit int, do func([]queue.Received) error) error {
	seen := map[string]bool{}
	for len(seen) < limit {
		got, err := q.receive(ctx, dead, min(limit-len(seen), queue.MaxBatch), deadWait, deadHold)
		if err != nil {
			return err
		}
		got = slices.DeleteFunc(got, func(m queue.Received) bool { return seen[m.ID] })
		if len(got) == 0 {
			return nil
		}
		for _, m := range got {
			seen[m.ID] = true
		}
		if err := do(got); err != nil {
			return err
		}
	}
	return nil
}

// show makes received letters visible again.
func (q *Queue) show(ctx context.Context, address string, some []queue.Received) error {
	in := &sqs.ChangeMessageVisibilityBatchInput{QueueUrl: &address}
	for i, m := range some {
		id := strconv.Itoa(i)
		in.Entries = append(in.Entries, types.ChangeMessageVisibilityBatchRequestEntry{Id: &id, ReceiptHandle: &m.Handle})
	}
	out, err := q.client.ChangeMessageVisibilityBatch(ctx, in)
	if err != nil {
		return failed(ctx, "ChangeMessageVisibilityBatch", err)
	}
	return firstOf("ChangeMessageVisibilityBatch", out.Failed)
}

// Redrive implements queue.Queue: receive, send, delete. What comes back counts
// its deliveries anew, under a new id. With an error it answers how many it moved
// before; what it could not move is in the dead-letter queue still, and what it
// could not delete there is in both.
func (q *Queue) Redrive(ctx context.Context, name queue.Name, limit int) (int, error) {
	live, dead, err := q.both(ctx, name)
	if err != nil {
		return 0, err
	}
	moved := 0
	err = q.eachDead(ctx, dead, limit, func(some []queue.Received) error {
		n, err := q.move(ctx, live, dead, some)
		moved += n
		return err
	})
	return moved, err
}

func (q *Queue) move(ctx context.Context, live, dead string, some []queue.Received) (int, error) {
	batch := make([]queue.Message, len(some))
	places := make([]int, len(some))
	for i, m := range some {
		batch[i], places[i] = queue.Message{Body: m.Body}, i
	}
	errs := make([]error, len(some))
	var sent []queue.Received
	for _, few := range split(batch, places) {
		if q.request(ctx, live, batch, few, errs) != nil {
			break // noted for each of few; the rest is not tried
		}
		for _, i := range few {
			if errs[i] == nil {
				sent = append(sent, some[i])
			}
		}
	}
	n, err := q.remove(context.WithoutCancel(ctx), dead, sent)
	return n, errors.Join(append(errs, err)...)
}

// remove deletes what was moved and answers how many.
func (q *Queue) remove(ctx context.Context, address string, sent []queue.Received) (int, error) {
	if len(sent) == 0 {
		return 0, nil
	}
	in := &sqs.DeleteMessageBatchInput{QueueUrl: &address}
	for i, m := range sent {
		id := strconv.Itoa(i)
		in.Entries = append(in.Entries, types.DeleteMessageBatchRequestEntry{Id: &id, ReceiptHandle: &m.Handle})
	}
	out, err := q.client.DeleteMessageBatch(ctx, in)
	if err != nil {
		return 0, failed(ctx, "DeleteMessageBatch", err)
	}
	return len(out.Successful), firstOf("DeleteMessageBatch", out.Failed)
}

func firstOf(operation string, refused []types.BatchResultErrorEntry) error {
	if len(refused) == 0 {
		return nil
	}
	return refusal(operation, refused[0].Code)
}

// Depth implements queue.Queue. A delayed message waits.
func (q *Queue) Depth(ctx context.Context, name queue.Name) (queue.Depth, error) {
	live, dead, err := q.both(ctx, name)
	if err != nil {
		return queue.Depth{}, err
	}
	l, err := q.count(ctx, live)
	if err != nil {
		return queue.Depth{}, err
	}
	d, err := q.count(ctx, dead)
	if err != nil {
		return queue.Depth{}, err
	}
	return queue.Depth{Waiting: l.Waiting, InFlight: l.InFlight, Dead: d.Waiting + d.InFlight}, nil
}

func (q *Queue) count(ctx context.Context, address string) (queue.Depth, error) {
	const visible, held, delayed = types.QueueAttributeNameApproximateNumberOfMessages,
		types.QueueAttributeNameApproximateNumberOfMessagesNotVisible, types.QueueAttributeNameApproximateNumberOfMessagesDelayed
	out, err := q.client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
		QueueUrl: &address, AttributeNames: []types.QueueAttributeName{visible, held, delayed}})
	if err != nil {
		return queue.Depth{}, failed(ctx, "GetQueueAttributes", err)
	}
	counts := map[types.QueueAttributeName]int{}
	for _, name := range []types.QueueAttributeName{visible, held, delayed} {
		n, err := strconv.Atoi(out.Attributes[string(name)])
		if err != nil {
			return queue.Depth{}, &Error{Operation: "GetQueueAttributes", Code: "NoResult"}
		}
		counts[name] = n
	}
	return queue.Depth{Waiting: counts[visible] + counts[delayed], InFlight: counts[held]}, nil
}
