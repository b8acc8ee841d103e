package sqs

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/smithy-go"

	"holdfast/internal/queue"
)

// Error is a request that SQS refused or did not answer. It holds SQS's code and
// leaves its text out, which may repeat what was sent.
type Error struct {
	Operation string
	Code      string // of SQS; «NoAnswer» when there was none
	cause     error  // of the port, or the context's
}

// Error names operation and code.
func (e *Error) Error() string { return "sqs: " + e.Operation + ": " + e.Code }

// Unwrap answers the port's error or the context's, if it is one of these.
func (e *Error) Unwrap() error { return e.cause }

// noAnswer is the code of a request that brought none: a broken connection, a cut
// answer, credentials that could not be had.
const noAnswer = "NoAnswer"

// failed turns an error of the client into one of ours; nil stays nil.
func failed(ctx context.Context, operation string, err error) error {
	if err == nil {
		return nil
	}
	if ended := ctx.Err(); ended != nil {
		return &Error{Operation: operation, Code: noAnswer, cause: ended}
	}
	var refused smithy.APIError
	if !errors.As(err, &refused) {
		return &Error{Operation: operation, Code: noAnswer}
	}
	return &Error{Operation: operation, Code: refused.ErrorCode(), cause: meaning(operation, refused.ErrorCode())}
}

// meaning is the port's error for a code of SQS.
func meaning(operation, code string) error {
	switch code {
	case "ReceiptHandleIsInvalid", "MessageNotInflight", "AWS.SimpleQueueService.MessageNotInflight":
		return queue.ErrBadReceipt
	case "InvalidParameterValue": // of these two it says that the handle has expired
		if operation == "DeleteMessage" || operation == "ChangeMessageVisibility" {
			return queue.ErrBadReceipt
		}
	case "QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue", "InvalidAddress":
		return ErrUnknownQueue
	case "BatchRequestTooLong", "TooManyEntriesInBatchRequest",
		"AWS.SimpleQueueService.BatchRequestTooLong", "AWS.SimpleQueueService.TooManyEntriesInBatchRequest":
		return queue.ErrTooLarge
	case "InvalidMessageContents":
		return ErrContent
	}
	return nil
}

// refusal is the error of one message of a batch.
func refusal(operation string, code *string) error {
	if code == nil {
		return &Error{Operation: operation, Code: "Unknown"}
	}
	return &Error{Operation: operation, Code: *code, cause: meaning(operation, *code)}
}

func tooLarge(what string, n any) error {
	return fmt.Errorf("%w: %s of %v", queue.ErrTooLarge, what, n)
}
