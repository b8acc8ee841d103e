package dynamo_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"holdfast/internal/store"
	"holdfast/internal/store/dynamo"
)

// hopeful are the port's errors that promise that nothing happened.
var hopeful = []error{store.ErrConflict, store.ErrThrottled, store.ErrBadRequest, store.ErrTooLarge, store.ErrBadCursor}

// unknown checks that an error promises nothing and shows nothing.
func unknown(t *testing.T, err error) {
	t.Helper()
	var condition *store.ConditionError
	if err == nil || errors.As(err, &condition) || slices.ContainsFunc(hopeful, func(h error) bool { return errors.Is(err, h) }) {
		t.Fatalf("got %v, want an unknown outcome", err)
	}
	discreet(t, err)
}

func discreet(t *testing.T, err error) {
	t.Helper()
	if strings.Contains(err.Error(), secretText) {
		t.Fatalf("the error repeats the engine's text: %v", err)
	}
}

func TestThrottledCallsAreTriedAgain(t *testing.T) {
	for _, code := range []string{
		"ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded", "SlowDown",
	} {
		for _, k := range kinds {
			t.Run(code+" "+k.name, func(t *testing.T) {
				no := refuses(400, code, "")
				s, d := start(t, no, no, no, fine)
				if err := k.run(t.Context(), s); err != nil || d.tryCount() != 4 {
					t.Fatalf("%d tries, %v", d.tryCount(), err)
				}
			})
		}
	}
}

func TestThrottledUntilTheDeadlineIsErrThrottled(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			s, d := start(t, refuses(400, "ThrottlingException", ""))
			err := k.run(t.Context(), s)
			if !errors.Is(err, store.ErrThrottled) || d.tryCount() != 6 {
				t.Fatalf("%d tries, %v", d.tryCount(), err)
			}
			discreet(t, err)
		})
	}
}

func TestADeadlineThatIsNearEndsTheTries(t *testing.T) {
	s, d := startWith(t, func(o *dynamo.Options) { o.Pause = func(int) time.Duration { return time.Hour } },
		refuses(400, "ThrottlingException", ""))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Commit(ctx, twoPuts); !errors.Is(err, store.ErrThrottled) || d.tryCount() != 1 {
		t.Fatalf("%d tries, %v", d.tryCount(), err)
	}
}

func TestUnclearFailuresAreRepeatedWhereThatIsSafe(t *testing.T) {
	for name, failure := range map[string]reply{
		"500":         refuses(500, "InternalServerError", ""),
		"503":         refuses(503, "ServiceUnavailable", ""),
		"no JSON":     answers(200, `<html>`),
		"cut":         cut,
		"in progress": refuses(400, "TransactionInProgressException", ""),
	} {
		for _, k := range kinds {
			t.Run(name+" "+k.name, func(t *testing.T) {
				s, d := start(t, failure, failure, fine)
				err := k.run(t.Context(), s)
				if k.repeatable && (err != nil || d.tryCount() != 3) {
					t.Fatalf("%d tries, %v", d.tryCount(), err)
				}
				if !k.repeatable {
					unknown(t, err)
				}
				if !k.repeatable && d.tryCount() != 1 {
					t.Fatalf("%d tries of a write that has no token", d.tryCount())
				}
			})
		}
	}
}

func TestARepeatedTransactionHasTheSameToken(t *testing.T) {
	no := refuses(500, "InternalServerError", "")
	s, d := startWith(t, func(o *dynamo.Options) { o.Random = nil }, no, no, fine, fine)
	for range 2 {
		if err := s.Commit(t.Context(), twoPuts); err != nil {
			t.Fatal(err)
		}
	}
	var tokens []any
	for _, c := range d.seen() {
		tokens = append(tokens, c.body["ClientRequestToken"])
	}
	if len(tokens) != 4 || tokens[0] == nil || tokens[0] != tokens[1] || tokens[1] != tokens[2] || tokens[2] == tokens[3] {
		t.Fatalf("tokens %v", tokens)
	}
}

// TestNoPromiseAfterAnUnclearTry: once a try may have taken effect, a later refusal
// does not say that nothing happened.
func TestNoPromiseAfterAnUnclearTry(t *testing.T) {
	for name, later := range map[string]reply{
		"condition": cancels("ConditionalCheckFailed", "None"),
		"conflict":  cancels("TransactionConflict", "None"),
		"throttled": refuses(400, "ThrottlingException", ""),
		"refused":   refuses(400, "AccessDeniedException", ""),
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := start(t, refuses(500, "InternalServerError", ""), later)
			unknown(t, s.Commit(t.Context(), twoPuts))
		})
	}
}

func TestASilentEngineCostsATryAndNotTheCall(t *testing.T) {
	impatient := func(o *dynamo.Options) { o.TryTime = 50 * time.Millisecond }
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			s, d := startWith(t, impatient, silent, fine)
			err := k.run(t.Context(), s)
			if k.repeatable && (err != nil || d.tryCount() != 2) {
				t.Fatalf("%d tries, %v", d.tryCount(), err)
			}
			if !k.repeatable {
				unknown(t, err)
			}
		})
	}
}

func TestASlowBodyCostsATryAndNotTheCall(t *testing.T) {
	slow := func(w http.ResponseWriter, c call) {
		w.Header().Set("Content-Length", "100")
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		silent(w, c)
	}
	s, d := startWith(t, func(o *dynamo.Options) { o.TryTime = 50 * time.Millisecond }, slow, fine)
	if _, _, err := s.Get(t.Context(), somewhere); err != nil || d.tryCount() != 2 {
		t.Fatalf("%d tries, %v", d.tryCount(), err)
	}
}

func TestAFailureToConnectIsTriedAgain(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			fails := 2
			s, d := startWith(t, func(o *dynamo.Options) {
				inner := o.Config.HTTPClient
				o.Client = func(c *dynamodb.Options) {
					c.HTTPClient = doer(func(r *http.Request) (*http.Response, error) {
						if fails--; fails >= 0 {
							return nil, &net.OpError{Op: "dial", Err: errors.New("refused")}
						}
						return inner.Do(r)
					})
				}
			}, fine)
			if err := k.run(t.Context(), s); err != nil || d.tryCount() != 1 {
				t.Fatalf("%d requests, %v", d.tryCount(), err)
			}
		})
	}
}

type doer func(*http.Request) (*http.Response, error)

// Do calls the function.
func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

func TestCallsOfACallerWhoGaveUpEnd(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			s, d := start(t, func(w http.ResponseWriter, c call) { cancel(); silent(w, c) })
			if err := k.run(ctx, s); !errors.Is(err, context.Canceled) || d.tryCount() != 1 {
				t.Fatalf("%d tries, %v", d.tryCount(), err)
			}
		})
	}
}

func TestRefusedCredentialsAreNotTriedAgain(t *testing.T) {
	for _, code := range []string{
		"ExpiredTokenException", "UnrecognizedClientException", "InvalidSignatureException", "AccessDeniedException",
		"ResourceNotFoundException",
	} {
		for _, k := range kinds {
			t.Run(code+" "+k.name, func(t *testing.T) {
				s, d := start(t, refuses(400, code, ""))
				err := k.run(t.Context(), s)
				unknown(t, err)
				if d.tryCount() != 1 || !strings.Contains(err.Error(), code) {
					t.Fatalf("%d tries, %v", d.tryCount(), err)
				}
			})
		}
	}
}

func TestRefusalsHaveTheirClass(t *testing.T) {
	tooLong := `{"__type":"ValidationException","message":"Item size has exceeded the maximum allowed size"}`
	for _, c := range []struct {
		name  string
		reply reply
		want  error
	}{
		{"validation", refuses(400, "ValidationException", ""), store.ErrBadRequest},
		{"serialization", refuses(400, "SerializationException", ""), store.ErrBadRequest},
		{"item too large", answers(400, tooLong), store.ErrTooLarge},
		{"request too large", answers(413, `{}`), store.ErrTooLarge},
		{"collection too large", refuses(400, "ItemCollectionSizeLimitExceededException", ""), store.ErrTooLarge},
		{"conflict", refuses(400, "TransactionConflictException", ""), store.ErrConflict},
		{"conflict between Regions", refuses(400, "ReplicatedWriteConflictException", ""), store.ErrConflict},
	} {
		for _, k := range kinds {
			t.Run(c.name+" "+k.name, func(t *testing.T) {
				s, d := start(t, c.reply)
				err := k.run(t.Context(), s)
				if !errors.Is(err, c.want) || d.tryCount() != 1 {
					t.Fatalf("%d tries, %v", d.tryCount(), err)
				}
				discreet(t, err)
			})
		}
	}
}
