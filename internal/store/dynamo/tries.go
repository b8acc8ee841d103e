package dynamo

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"holdfast/internal/clock"
)

// tries decides, for one call, which failures are tried again. It is the SDK's
// retryer of that call.
type tries struct {
	of       kind
	clock    clock.Clock
	pause    func(n int) time.Duration
	deadline time.Time
	unclear  bool // some try may have taken effect
}

// kind is what a call does, as far as repeating it goes.
type kind int

const (
	read        kind = iota // has no effect
	transaction             // has a token, by which its repetition is known
	plainWrite              // would have its effect twice
)

// use puts the tries into a call's options.
func (t *tries) use(o *dynamodb.Options) { o.Retryer = t }

// IsErrorRetryable implements aws.Retryer.
func (t *tries) IsErrorRetryable(err error) bool {
	switch classify(err) {
	case throttled, unsent:
		return true
	case unclear:
		t.unclear = t.of != read
		return t.of != plainWrite
	}
	return false
}

// MaxAttempts implements aws.Retryer: time is the bound, not a number.
func (t *tries) MaxAttempts() int { return 0 }

// RetryDelay implements aws.Retryer. When there is no time for another try, the
// failure is the call's answer.
func (t *tries) RetryDelay(n int, failure error) (time.Duration, error) {
	pause := t.pause(n)
	if t.late(pause) {
		return 0, failure
	}
	return pause, nil
}

// late tells whether the deadline comes within a pause.
func (t *tries) late(pause time.Duration) bool {
	return !t.clock.Now().Add(pause).Before(t.deadline)
}

// GetRetryToken implements aws.Retryer.
func (t *tries) GetRetryToken(context.Context, error) (func(error) error, error) { return free, nil }

// GetInitialToken implements aws.Retryer.
func (t *tries) GetInitialToken() func(error) error { return free }

// GetAttemptToken implements aws.RetryerV2.
func (t *tries) GetAttemptToken(context.Context) (func(error) error, error) { return free, nil }

func free(error) error { return nil }

// doer is what the SDK asks of an HTTP client.
type doer interface {
	Do(*http.Request) (*http.Response, error)
}

// timed bounds each request and its answer, so that a server that falls silent costs
// one try and not the whole call.
type timed struct {
	next  doer
	limit time.Duration
}

// Do sends a request.
func (t timed) Do(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), t.limit)
	answer, err := t.next.Do(r.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	answer.Body = &timedBody{answer.Body, cancel}
	return answer, nil
}

// timedBody ends the time limit with the body.
type timedBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

// Close closes the body.
func (b *timedBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}
