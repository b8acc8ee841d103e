package sqs

import (
	"context"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"holdfast/internal/queue"
)

// longPoll is the longest wait of one request.
const longPoll = 20 * time.Second

// Receive implements queue.Queue. A wait longer than one long poll is several; one
// below a second is none.
func (q *Queue) Receive(ctx context.Context, name queue.Name, limit int, wait time.Duration) ([]queue.Received, error) {
	address, err := q.address(ctx, name)
	if err != nil {
		return nil, err
	}
	if limit < 1 || limit > queue.MaxBatch {
		return nil, tooLarge("receive", limit)
	}
	for {
		now := min(max(wait, 0), longPoll)
		got, err := q.receive(ctx, address, limit, now, 0)
		if wait -= now; err != nil || len(got) > 0 || wait < time.Second {
			return got, err
		}
	}
}

// receive is one request; visibility 0 means the queue's own, since the SDK cannot
// say 0.
func (q *Queue) receive(ctx context.Context, address string, limit int, wait, visibility time.Duration) ([]queue.Received, error) {
	in := &sqs.ReceiveMessageInput{
		QueueUrl: &address, MaxNumberOfMessages: int32(limit), WaitTimeSeconds: int32(wait / time.Second),
		VisibilityTimeout: secondsUp(visibility),
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{
			types.MessageSystemAttributeNameApproximateReceiveCount, types.MessageSystemAttributeNameSentTimestamp},
	}
	out, err := q.client.ReceiveMessage(ctx, in)
	if err != nil {
		return nil, failed(ctx, "ReceiveMessage", err)
	}
	got := make([]queue.Received, 0, len(out.Messages))
	for _, m := range out.Messages {
		got = append(got, received(m))
	}
	return got, nil
}

func received(m types.Message) queue.Received {
	attribute := func(name types.MessageSystemAttributeName) int64 {
		n, err := strconv.ParseInt(m.Attributes[string(name)], 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	return queue.Received{
		ID: text(m.MessageId), Body: text(m.Body), Handle: text(m.ReceiptHandle),
		Receives: int(attribute(types.MessageSystemAttributeNameApproximateReceiveCount)),
		SentAt:   time.UnixMilli(attribute(types.MessageSystemAttributeNameSentTimestamp)).UTC(),
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
