package lambdawork

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"holdfast/internal/errs"
	"holdfast/internal/routes"
	"holdfast/internal/store"
)

// Stream makes the Lambda handler of a worker that reads the table's stream;
// handle gets the changes of a batch and answers one error a change. The report
// names the first record that failed: Lambda comes back from there on, so later
// records come again although they are done.
//
// A record that cannot be read is told by its ids and passed over: every later
// record of its shard would wait for it, and what wakes workers by the stream is
// found by their schedules too.
func Stream(w routes.Worker, handle func(ctx context.Context, changes []store.Change) []error, log *slog.Logger) lambda.Handler {
	return streamWorker{worker: w, handle: handle, log: log}
}

type streamWorker struct {
	worker routes.Worker
	handle func(ctx context.Context, changes []store.Change) []error
	log    *slog.Logger
}

// streamBatch keeps the records apart: one that is malformed spoils no other.
type streamBatch struct {
	Records []json.RawMessage `json:"Records"`
}

// Invoke handles one batch. Its only error is a payload that is no batch.
func (s streamWorker) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var batch streamBatch
	if err := json.Unmarshal(payload, &batch); err != nil || len(batch.Records) == 0 {
		return nil, errors.New("lambdawork: the event is no batch of stream records")
	}
	ctx, cancel := context.WithTimeout(named(ctx, s.worker, ""), s.worker.Timeout)
	defer cancel()
	changes, places := s.read(ctx, batch.Records)
	failures := s.run(ctx, changes)
	out := answer{Failed: []failure{}}
	for i, err := range failures {
		if err != nil {
			out.Failed = append(out.Failed, failure{places[i]})
			break
		}
	}
	s.told(ctx, len(batch.Records), len(changes), failures)
	return json.Marshal(out)
}

// read answers the changes and each one's sequence number.
func (s streamWorker) read(ctx context.Context, records []json.RawMessage) (changes []store.Change, places []string) {
	for i, raw := range records {
		change, place, err := readRecord(raw)
		if err != nil {
			s.log.LogAttrs(ctx, slog.LevelError, "stream record passed over", slog.String("worker", s.worker.ID),
				slog.Int("place", i), slog.String("record", plainID(place)))
			continue
		}
		changes, places = append(changes, change), append(places, place)
	}
	return changes, places
}

// run calls handle; a panic fails the batch from its first record on.
func (s streamWorker) run(ctx context.Context, changes []store.Change) (failures []error) {
	if len(changes) == 0 {
		return nil
	}
	err := ctx.Err()
	if err == nil {
		err = guarded(func() error { failures = s.handle(ctx, changes); return nil })
	}
	if err == nil && len(failures) != len(changes) {
		err = errs.New(errs.Internal, "INTERNAL", "a result a change is missing")
	}
	if err != nil {
		return []error{err}
	}
	return failures
}

func (s streamWorker) told(ctx context.Context, records, changes int, failures []error) {
	level := slog.LevelInfo
	attrs := []slog.Attr{slog.String("worker", s.worker.ID), slog.Int("records", records), slog.Int("changes", changes)}
	if err := errors.Join(failures...); err != nil {
		level = slog.LevelError
		for _, failure := range failures {
			if failure != nil {
				attrs = append(attrs, slog.String("code", Code(failure)))
				break
			}
		}
	}
	s.log.LogAttrs(ctx, level, "stream", attrs...)
}

// plainID is a sequence number as logs show it: digits only, whatever came.
func plainID(text string) string {
	if text == "" || len(text) > 64 || strings.Trim(text, "0123456789") != "" {
		return "unknown"
	}
	return text
}

var errRecord = errors.New("lambdawork: a stream record of another form")

// readRecord reads a record. Its sequence number is answered with an error too,
// where it can be found.
func readRecord(raw json.RawMessage) (change store.Change, place string, err error) {
	defer func() { // the event package panics at a value of another type
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%w: %T", errRecord, cause)
		}
	}()
	var head struct {
		Change struct {
			SequenceNumber string `json:"SequenceNumber"`
		} `json:"dynamodb"`
	}
	if json.Unmarshal(raw, &head) == nil {
		place = head.Change.SequenceNumber
	}
	var record events.DynamoDBEventRecord
	if err := json.Unmarshal(raw, &record); err != nil || place == "" {
		return store.Change{}, place, errRecord
	}
	change.Key = store.Key{PK: textOf(record.Change.Keys["pk"]), SK: textOf(record.Change.Keys["sk"])}
	if change.Key.Validate() != nil {
		return store.Change{}, place, errRecord
	}
	switch events.DynamoDBOperationType(record.EventName) {
	case events.DynamoDBOperationTypeRemove:
		return change, place, nil
	case events.DynamoDBOperationTypeInsert:
		change.New = true
	case events.DynamoDBOperationTypeModify:
	default:
		return store.Change{}, place, errRecord
	}
	change.Item, err = readItem(change.Key, record.Change.NewImage)
	return change, place, err
}

// readItem reads a row's image in the form that store/dynamo writes: attributes by
// their names, where one underscore more keeps them apart from the table's own.
func readItem(key store.Key, image map[string]events.DynamoDBAttributeValue) (*store.Item, error) {
	if len(image) == 0 {
		return nil, errRecord // the stream has no new images
	}
	item := &store.Item{Key: key, Attrs: store.Attrs{}}
	for name, value := range image {
		switch name {
		case "pk", "sk", "due_pk", "due_sk", "ttl", "nonwhole":
			continue
		}
		read, ok := readValue(value)
		if !ok {
			return nil, errRecord
		}
		item.Attrs[strings.TrimPrefix(name, "_")] = read
	}
	return item, nil
}

func readValue(value events.DynamoDBAttributeValue) (store.Value, bool) {
	switch value.DataType() {
	case events.DataTypeString:
		return store.S(value.String()), true
	case events.DataTypeNumber:
		return store.Decimal(value.Number()), true
	case events.DataTypeBinary:
		return store.B(value.Binary()), true
	case events.DataTypeBoolean:
		return store.T(value.Boolean()), true
	}
	return store.Value{}, false
}

func textOf(value events.DynamoDBAttributeValue) string {
	if value.DataType() != events.DataTypeString {
		return ""
	}
	return value.String()
}
