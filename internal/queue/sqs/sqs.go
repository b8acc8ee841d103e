package sqs

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"holdfast/internal/queue"
)

// ErrUnknownQueue: the options name no address of this queue, or SQS has none
// there.
var ErrUnknownQueue = errors.New("sqs: no such queue")

// ErrNoDeadQueue: the options name no address of this dead-letter queue.
var ErrNoDeadQueue = errors.New("sqs: no address of the dead-letter queue")

// ErrContent: SQS refuses the message's text for ever: it is empty or has
// characters that XML 1.0 does not allow.
var ErrContent = errors.New("sqs: a text that a message cannot have")

// Address is where a queue and its dead-letter queue lie.
type Address struct {
	URL  string
	Dead string // empty: Dead, Redrive and Depth answer ErrNoDeadQueue
}

// Options say where the queues are.
type Options struct {
	Addresses map[queue.Name]Address
}

// Queue is the port over SQS.
type Queue struct {
	client    *sqs.Client
	addresses map[queue.Name]Address
}

var _ queue.Queue = (*Queue)(nil)

// Tries of a request when cfg brings no retryer: throttles, server errors and
// broken connections are tried again after a pause drawn evenly from zero to a
// limit that doubles up to maxPause, while the context allows it.
const (
	attempts = 4
	maxPause = 2 * time.Second
)

// New makes the client once; it does not reach out.
func New(cfg aws.Config, o Options) (*Queue, error) {
	for name, a := range o.Addresses {
		for _, address := range []string{a.URL, a.Dead} {
			u, err := url.Parse(address)
			if err != nil || address != "" && (u.Host == "" || u.Path == "") || a.URL == "" {
				return nil, fmt.Errorf("sqs: the address of queue %q is no queue's URL", name)
			}
		}
	}
	client := sqs.NewFromConfig(cfg, func(so *sqs.Options) {
		if cfg.Retryer == nil {
			so.Retryer = retry.NewStandard(func(ro *retry.StandardOptions) { ro.MaxAttempts, ro.MaxBackoff = attempts, maxPause })
		}
	})
	return &Queue{client: client, addresses: o.Addresses}, nil
}

func (q *Queue) address(ctx context.Context, name queue.Name) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	a, ok := q.addresses[name]
	if !ok {
		return "", ErrUnknownQueue
	}
	return a.URL, nil
}

// both answers the addresses of a queue and of its dead letters.
func (q *Queue) both(ctx context.Context, name queue.Name) (live, dead string, err error) {
	if live, err = q.address(ctx, name); err != nil {
		return "", "", err
	}
	if dead = q.addresses[name].Dead; dead == "" {
		return "", "", ErrNoDeadQueue
	}
	return live, dead, nil
}

// Delete implements queue.Queue.
func (q *Queue) Delete(ctx context.Context, name queue.Name, handle string) error {
	address, err := q.address(ctx, name)
	if err != nil {
		return err
	}
	if handle == "" {
		return queue.ErrBadReceipt
	}
	_, err = q.client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &address, ReceiptHandle: &handle})
	return failed(ctx, "DeleteMessage", err)
}

// MaxRelease is how long Release can hold a message back.
const MaxRelease = 12 * time.Hour

// Release implements queue.Queue.
func (q *Queue) Release(ctx context.Context, name queue.Name, handle string, after time.Duration) error {
	address, err := q.address(ctx, name)
	switch {
	case err != nil:
		return err
	case handle == "":
		return queue.ErrBadReceipt
	case after < 0 || after > MaxRelease:
		return fmt.Errorf("%w: release after %s", queue.ErrTooLarge, after)
	}
	_, err = q.client.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{
		QueueUrl: &address, ReceiptHandle: &handle, VisibilityTimeout: secondsUp(after)})
	return failed(ctx, "ChangeMessageVisibility", err)
}

// secondsUp is a time in whole seconds, no shorter.
func secondsUp(d time.Duration) int32 { return int32((d + time.Second - 1) / time.Second) }
