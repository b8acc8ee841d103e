package sqs

import (
	"context"
	"strconv"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"holdfast/internal/queue"
)

// maxRequest is the most bytes of messages in one request. SQS has raised its own
// limit since; the older one holds with every endpoint.
const maxRequest = 256 << 10

// Send implements queue.Sender.
func (q *Queue) Send(ctx context.Context, name queue.Name, batch []queue.Message) ([]error, error) {
	address, err := q.address(ctx, name)
	if err != nil {
		return nil, err
	}
	if len(batch) < 1 || len(batch) > queue.MaxBatch {
		return nil, tooLarge("batch", len(batch))
	}
	errs := make([]error, len(batch))
	var sound []int
	for i, m := range batch {
		if errs[i] = check(m); errs[i] == nil {
			sound = append(sound, i)
		}
	}
	requests := split(batch, sound)
	for _, places := range requests {
		failure := q.request(ctx, address, batch, places, errs)
		if failure != nil && len(requests) == 1 {
			return nil, failure
		}
	}
	return errs, nil
}

// check refuses what SQS would refuse, so that no request fails for one message.
func check(m queue.Message) error {
	switch {
	case len(m.Body) > queue.MaxBody:
		return tooLarge("message", len(m.Body))
	case m.Delay < 0 || m.Delay > queue.MaxDelay:
		return tooLarge("delay", m.Delay)
	case m.Body == "" || !utf8.ValidString(m.Body):
		return ErrContent
	}
	for _, c := range m.Body {
		if !allowed(c) {
			return ErrContent
		}
	}
	return nil
}

// allowed tells the characters of XML 1.0
// (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html).
func allowed(c rune) bool {
	return c == '\t' || c == '\n' || c == '\r' || c >= 0x20 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000
}

// split puts messages into requests that are not over maxRequest.
func split(batch []queue.Message, places []int) [][]int {
	var out [][]int
	size := 0
	for _, i := range places {
		if n := len(batch[i].Body); len(out) == 0 || size+n > maxRequest {
			out, size = append(out, nil), 0
		}
		size += len(batch[i].Body)
		out[len(out)-1] = append(out[len(out)-1], i)
	}
	return out
}

// request sends some of a batch and notes each one's result. When the request
// itself fails that is noted for each, and answered.
func (q *Queue) request(ctx context.Context, address string, batch []queue.Message, places []int, errs []error) error {
	entries := make([]types.SendMessageBatchRequestEntry, 0, len(places))
	for _, i := range places {
		id := strconv.Itoa(i)
		entries = append(entries, types.SendMessageBatchRequestEntry{
			Id: &id, MessageBody: &batch[i].Body, DelaySeconds: secondsUp(batch[i].Delay)})
	}
	out, err := q.client.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{QueueUrl: &address, Entries: entries})
	err = failed(ctx, "SendMessageBatch", err)
	lost := err
	if lost == nil {
		lost = &Error{Operation: "SendMessageBatch", Code: "NoResult"}
	}
	for _, i := range places {
		errs[i] = lost // until the answer says something
	}
	if err != nil {
		return err
	}
	for _, taken := range out.Successful {
		if i, ok := place(taken.Id, places); ok {
			errs[i] = nil
		}
	}
	for _, refused := range out.Failed {
		if i, ok := place(refused.Id, places); ok {
			errs[i] = refusal("SendMessageBatch", refused.Code)
		}
	}
	return nil
}

// place reads an entry's id back.
func place(id *string, places []int) (int, bool) {
	if id == nil {
		return 0, false
	}
	n, err := strconv.Atoi(*id)
	if err != nil {
		return 0, false
	}
	for _, i := range places {
		if i == n {
			return i, true
		}
	}
	return 0, false
}
