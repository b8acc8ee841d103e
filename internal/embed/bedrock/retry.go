package bedrock

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"holdfast/internal/clock"
	"holdfast/internal/embed"
)

// longestPause bounds the pauses, which the SDK draws evenly from zero to a limit
// that doubles ("full jitter", M. Brooker, Exponential Backoff And Jitter, 2015).
const longestPause = 5 * time.Second

// passing are codes beside the SDK's own after which a request may succeed.
var passing = retry.RetryableErrorCode{Codes: map[string]struct{}{
	"ModelNotReadyException": {}, "ModelTimeoutException": {}, "ServiceUnavailableException": {},
}}

func patient(attempts int) aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts, o.MaxBackoff = attempts, longestPause
		o.Retryables = append(o.Retryables, passing, cutAnswer{})
	})
}

// cutAnswer tells an answer that ended early: the status said 200, the rest is
// missing.
type cutAnswer struct{}

// IsErrorRetryable implements retry.IsErrorRetryable.
func (cutAnswer) IsErrorRetryable(err error) aws.Ternary {
	var broken *smithy.DeserializationError
	if errors.As(err, &broken) {
		return aws.TrueTernary
	}
	return aws.UnknownTernary
}

// inTime makes one request give up where the pause before its next try would
// outlast the deadline: waiting would only hold the caller.
func (e *Embedder) inTime(ctx context.Context) func(*bedrockruntime.Options) {
	deadline, limited := ctx.Deadline()
	return func(o *bedrockruntime.Options) {
		if inner, ok := o.Retryer.(aws.RetryerV2); ok && limited {
			o.Retryer = punctual{inner, e.options.Clock, deadline}
		}
	}
}

type punctual struct {
	aws.RetryerV2
	clock    clock.Clock
	deadline time.Time
}

// RetryDelay answers the failure itself when there is no time for a pause.
func (p punctual) RetryDelay(attempt int, failure error) (time.Duration, error) {
	pause, err := p.RetryerV2.RetryDelay(attempt, failure)
	if err == nil && p.clock.Now().Add(pause).After(p.deadline) {
		return 0, failure
	}
	return pause, err
}

// failed turns an error of the client into the port's. The service's own words are
// left out: they may repeat the text.
func failed(err error) error {
	status := 0
	var response *smithyhttp.ResponseError
	if errors.As(err, &response) {
		status = response.HTTPStatusCode()
	}
	var refused smithy.APIError
	switch {
	case errors.As(err, &refused) && plain(refused.ErrorCode()):
		return fmt.Errorf("%w: status %d (%s)", embed.ErrUnavailable, status, refused.ErrorCode())
	case status > 0:
		return fmt.Errorf("%w: status %d", embed.ErrUnavailable, status)
	}
	return fmt.Errorf("%w: no answer", embed.ErrUnavailable)
}

// plain tells a code from whatever else may stand in its place.
func plain(code string) bool {
	for _, c := range code {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return code != "" && len(code) <= 64
}
