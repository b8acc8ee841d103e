package lambdawork

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"holdfast/internal/errs"
	"holdfast/internal/routes"
)

// Queue makes the Lambda handler of a queue's worker; handle gets the body of one
// message, with what is left of the worker's timeout.
func Queue(w routes.Worker, handle func(ctx context.Context, body string) error, log *slog.Logger) lambda.Handler {
	return queueWorker{worker: w, handle: handle, log: log}
}

type queueWorker struct {
	worker routes.Worker
	handle func(ctx context.Context, body string) error
	log    *slog.Logger
}

// answer is the report of a batch. Failed is never nil.
type answer struct {
	Failed []failure `json:"batchItemFailures"`
}

type failure struct {
	ID string `json:"itemIdentifier"`
}

// Invoke handles one batch. Its only error is a payload that is no batch: then
// all messages come back.
func (q queueWorker) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var batch events.SQSEvent
	if err := json.Unmarshal(payload, &batch); err != nil || len(batch.Records) == 0 {
		return nil, errors.New("lambdawork: the event is no batch of messages")
	}
	ctx, cancel := context.WithTimeout(ctx, q.worker.Timeout)
	defer cancel()
	out := answer{Failed: []failure{}}
	for _, message := range batch.Records {
		if err := q.one(ctx, message); err != nil {
			out.Failed = append(out.Failed, failure{message.MessageId})
		}
	}
	return json.Marshal(out)
}

// one handles a message. When the time is up it is not begun.
func (q queueWorker) one(ctx context.Context, message events.SQSMessage) error {
	ctx = named(ctx, q.worker, message.MessageId)
	err := ctx.Err()
	if err == nil {
		err = guarded(func() error { return q.handle(ctx, message.Body) })
	}
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("worker", q.worker.ID),
		slog.String("message", message.MessageId),
		slog.String("receives", message.Attributes["ApproximateReceiveCount"]),
	}
	if err != nil {
		level = slog.LevelError
		attrs = append(attrs, slog.String("code", Code(err)))
	}
	q.log.LogAttrs(ctx, level, "message", attrs...)
	return err
}

// Schedule makes the Lambda handler of a scheduled worker. What the event says
// does not count, so a queue's messages may wake it between its times: its answer
// is also the report of a batch that is done, its error brings the batch back.
func Schedule(w routes.Worker, handle func(ctx context.Context) error, log *slog.Logger) lambda.Handler {
	return scheduleWorker{worker: w, handle: handle, log: log}
}

type scheduleWorker struct {
	worker routes.Worker
	handle func(ctx context.Context) error
	log    *slog.Logger
}

// Invoke runs once. An error tells Lambda to try again.
func (s scheduleWorker) Invoke(ctx context.Context, _ []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(named(ctx, s.worker, ""), s.worker.Timeout)
	defer cancel()
	err := guarded(func() error { return s.handle(ctx) })
	level, attrs := slog.LevelDebug, []slog.Attr{slog.String("worker", s.worker.ID)}
	if err != nil {
		level, attrs = slog.LevelError, append(attrs, slog.String("code", Code(err)))
	}
	s.log.LogAttrs(ctx, level, "schedule", attrs...)
	if err != nil {
		return nil, errors.New("lambdawork: " + s.worker.ID + ": " + Code(err))
	}
	return json.Marshal(answer{Failed: []failure{}})
}

// guarded turns a panic into an error that names its type only.
func guarded(run func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = errs.New(errs.Internal, fmt.Sprintf("PANIC %T", cause), "")
		}
	}()
	return run()
}

// Code is an error as logs name it: its code, or its type. Texts are left out,
// since those of parsers and clients repeat what they read.
func Code(err error) string {
	switch e := errs.As(err); {
	case e != nil:
		return e.Code
	case errors.Is(err, context.DeadlineExceeded):
		return "TIMEOUT"
	}
	return fmt.Sprintf("%T", err)
}
