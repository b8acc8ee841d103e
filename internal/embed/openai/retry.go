package openai

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"net/http"
	"strconv"
	"time"

	"holdfast/internal/embed"
)

// Pauses grow from firstPause by doubling to longestPause, and the one taken is
// drawn evenly from zero to that ("full jitter", M. Brooker, Exponential Backoff
// And Jitter, 2015), so that callers refused together do not come back together.
const (
	firstPause   = 200 * time.Millisecond
	longestPause = 5 * time.Second
)

// failure is one try that brought no answer.
type failure struct {
	err     error
	passing bool          // may pass by itself: try again
	after   time.Duration // the other side's wish: not before
}

// failed is a try that ended with a status other than 200.
func failed(response *http.Response) *failure {
	f := &failure{err: fmt.Errorf("%w: status %d", embed.ErrUnavailable, response.StatusCode)}
	switch status := response.StatusCode; {
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status >= 500:
		f.passing, f.after = true, retryAfter(response.Header)
	}
	return f
}

// retryAfter reads the header's form in seconds (RFC 9110, 10.2.3); the form
// with a date is passed over.
func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.ParseUint(header.Get("Retry-After"), 10, 16)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// pause waits before the next try. When the deadline comes first it gives up at
// once with the failure at hand: waiting would only hold the caller.
func (e *Embedder) pause(ctx context.Context, attempt int, f *failure) error {
	wait, err := e.jitter(min(longestPause, firstPause<<min(attempt-1, 10)))
	if err != nil {
		return err
	}
	wait = max(wait, f.after)
	if deadline, ok := ctx.Deadline(); ok && e.options.Clock.Now().Add(wait).After(deadline) {
		return f.err
	}
	if err := e.options.Sleep(ctx, wait); err != nil {
		return embed.Ended(err)
	}
	return nil
}

// jitter draws evenly from zero up to limit.
func (e *Embedder) jitter(limit time.Duration) (time.Duration, error) {
	var random [8]byte
	if _, err := io.ReadFull(e.options.Random, random[:]); err != nil {
		return 0, fmt.Errorf("%w: no randomness for the pause", embed.ErrUnavailable)
	}
	high, _ := bits.Mul64(binary.BigEndian.Uint64(random[:]), uint64(limit)+1)
	return time.Duration(high), nil
}
