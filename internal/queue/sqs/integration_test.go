//go:build integration

package sqs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"holdfast/internal/awsconf"
	"holdfast/internal/awsconf/signtest"
	"holdfast/internal/queue"
	"holdfast/internal/queue/queuetest"
)

// The timers of the queues that the suite gets: time is real here.
const (
	visibility  = 3 * time.Second
	maxReceives = 2
)

// exceptions are what SQS standard queues do not promise.
var exceptions = queuetest.Exceptions{
	"an unknown handle deletes nothing": "SQS takes a handle of a message that is gone as done; " +
		"TestHandlesThatAreNoneAreRefused has the handles that it refuses",
	"an outdated handle deletes nothing": "SQS takes an outdated handle of a standard queue's message as done",
}

func emulator(t *testing.T) aws.Config {
	t.Helper()
	url := os.Getenv("HOLDFAST_TEST_SQS_URL")
	if url == "" {
		t.Fatal("HOLDFAST_TEST_SQS_URL must name an SQS endpoint, such as http://127.0.0.1:4566")
	}
	c := signtest.Config(url, awsconf.NewClient())
	c.Retryer = nil
	return c
}

// made makes every queue and its dead-letter queue under names of their own.
func made(t *testing.T) *Queue {
	t.Helper()
	cfg := emulator(t)
	client := sqs.NewFromConfig(cfg)
	run := strings.ToLower(rand.Text()[:10])
	addresses := map[queue.Name]Address{}
	for _, name := range queue.Names() {
		dead := create(t, client, fmt.Sprintf("t-%s-%s-dead", run, name), nil)
		arn, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{QueueUrl: &dead, AttributeNames: []types.QueueAttributeName{"QueueArn"}})
		if err != nil {
			t.Fatal(err)
		}
		live := create(t, client, fmt.Sprintf("t-%s-%s", run, name), map[string]string{
			"VisibilityTimeout": fmt.Sprint(int(visibility / time.Second)),
			"RedrivePolicy":     fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":"%d"}`, arn.Attributes["QueueArn"], maxReceives),
		})
		addresses[name] = Address{URL: live, Dead: dead}
	}
	q, err := New(cfg, Options{Addresses: addresses})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func create(t *testing.T, client *sqs.Client, name string, attributes map[string]string) string {
	t.Helper()
	out, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name, Attributes: attributes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := client.DeleteQueue(context.WithoutCancel(t.Context()), &sqs.DeleteQueueInput{QueueUrl: out.QueueUrl}); err != nil {
			t.Error(err)
		}
	})
	return *out.QueueUrl
}

func pass(d time.Duration) { <-time.After(d + 100*time.Millisecond) }

func TestConformance(t *testing.T) {
	queuetest.Run(t, func(t *testing.T) queuetest.Subject {
		t.Parallel() // each has queues of its own, and waits most of the time
		return queuetest.Subject{Queue: made(t), Name: queue.Index, Visibility: visibility, MaxReceives: maxReceives,
			Pass: pass, Delay: visibility}
	}, exceptions)
}

// TestHandlesThatAreNoneAreRefused: what is left of the two exceptions.
func TestHandlesThatAreNoneAreRefused(t *testing.T) {
	t.Parallel()
	q := made(t)
	send(t, q, "a")
	got, err := q.Receive(t.Context(), queue.Index, 1, 0)
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	for _, handle := range []string{"", "no-such-handle"} {
		if err := q.Delete(t.Context(), queue.Index, handle); !errors.Is(err, queue.ErrBadReceipt) {
			t.Errorf("%q: %v", handle, err)
		}
	}
	pass(visibility)
	if got, err := q.Receive(t.Context(), queue.Index, 1, 0); err != nil || len(got) != 1 {
		t.Errorf("deleted by a handle that is none: %v, %v", got, err)
	}
}

// TestManyDeadLettersAreListedAndDrivenAgain, more than one request brings.
func TestManyDeadLettersAreListedAndDrivenAgain(t *testing.T) {
	t.Parallel()
	q := made(t)
	for range 3 {
		send(t, q, "a", "b", "c", "d", "e")
	}
	for range maxReceives + 1 {
		for range 2 {
			if _, err := q.Receive(t.Context(), queue.Index, queue.MaxBatch, 0); err != nil {
				t.Fatal(err)
			}
		}
		pass(visibility)
	}
	for range 2 {
		if got, err := q.Dead(t.Context(), queue.Index, 100); err != nil || len(got) != 15 {
			t.Fatalf("%d dead, %v", len(got), err)
		}
	}
	if n, err := q.Redrive(t.Context(), queue.Index, 100); n != 15 || err != nil {
		t.Fatalf("%d moved, %v", n, err)
	}
	if d, err := q.Depth(t.Context(), queue.Index); err != nil || d != (queue.Depth{Waiting: 15}) {
		t.Errorf("%+v, %v", d, err)
	}
}

func send(t *testing.T, q *Queue, bodies ...string) {
	t.Helper()
	errs, err := q.Send(t.Context(), queue.Index, messages(bodies...))
	if err := errors.Join(append(errs, err)...); err != nil {
		t.Fatal(err)
	}
}
