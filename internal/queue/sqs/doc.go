// Package sqs is the queue port over SQS standard queues.
//
// A message is checked before it is sent, so that one over a limit or with
// characters that SQS refuses takes no other with it; a batch that is larger than
// one request may be goes in several. Waits and delays are whole seconds: a delay
// is rounded up, a wait down. What lies in a dead-letter queue comes back by
// receive, send, delete: a process that dies in between leaves a message in both
// queues, which workers stand.
//
// Errors name the operation and SQS's code, never what was sent. ErrBadReceipt
// holds for what SQS itself refuses; it takes an outdated handle of a message
// that is still there, and one of a message that is gone, as done. Depths are
// approximate, as SQS says.
//
// The caller's HTTP client must allow an answer to take longer than a long poll
// (20 s). The package may import queue and the AWS SDK.
package sqs
