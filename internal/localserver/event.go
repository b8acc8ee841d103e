package localserver

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strconv"

	"github.com/aws/aws-lambda-go/events"

	"holdfast/internal/queue"
	"holdfast/internal/routes"
)

// invoke hands a batch to its function as SQS would and answers which messages
// failed, by id; nil when all did, because the function did not answer.
func (w *Workers) invoke(ctx context.Context, one routes.Worker, batch []queue.Received) map[string]bool {
	payload, err := json.Marshal(sqsEvent(one, batch))
	if err != nil {
		return nil
	}
	raw, err := w.Functions[one.ID].Invoke(ctx, payload)
	var answer events.SQSEventResponse
	if err == nil {
		err = json.Unmarshal(raw, &answer)
	}
	if err != nil {
		w.Log.LogAttrs(ctx, slog.LevelError, "batch failed", slog.String("worker", one.ID), slog.Int("messages", len(batch)))
		return nil
	}
	failed := make(map[string]bool, len(answer.BatchItemFailures))
	for _, f := range answer.BatchItemFailures {
		if !holds(batch, f.ItemIdentifier) {
			return nil // SQS takes an id that it did not send for the whole batch
		}
		failed[f.ItemIdentifier] = true
	}
	return failed
}

func holds(batch []queue.Received, id string) bool {
	return slices.ContainsFunc(batch, func(m queue.Received) bool { return m.ID == id })
}

func sqsEvent(one routes.Worker, batch []queue.Received) events.SQSEvent {
	e := events.SQSEvent{Records: make([]events.SQSMessage, len(batch))}
	for i, m := range batch {
		e.Records[i] = events.SQSMessage{
			MessageId: m.ID, ReceiptHandle: m.Handle, Body: m.Body,
			EventSource: "aws:sqs", EventSourceARN: "arn:aws:sqs:local:000000000000:" + one.Queue, AWSRegion: "local",
			Attributes: map[string]string{
				"ApproximateReceiveCount": strconv.Itoa(m.Receives),
				"SentTimestamp":           strconv.FormatInt(m.SentAt.UnixMilli(), 10),
			},
		}
	}
	return e
}
