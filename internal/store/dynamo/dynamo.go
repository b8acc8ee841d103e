package dynamo

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	smithyrand "github.com/aws/smithy-go/rand"

	"holdfast/internal/clock"
	"holdfast/internal/store"
)

// Options say which table, and how patiently.
type Options struct {
	Config aws.Config
	Table  string

	// Patience bounds the tries of a call whose context has no deadline; 0: 10 s.
	Patience time.Duration
	// TryTime bounds one try, from connecting to the end of the answer; 0: 5 s.
	TryTime time.Duration
	// Pause answers how long to wait before try n+1, n from 1; nil: full jitter
	// below 25 ms, doubling to 1 s.
	Pause func(n int) time.Duration
	// Random makes the tokens of transactions; nil: the system's randomness.
	Random io.Reader
	// Clock is what deadlines are compared with; nil: the system's.
	Clock clock.Clock
	// Client changes the SDK client's own options.
	Client func(*dynamodb.Options)
}

// Store is a table. It is safe for concurrent use.
type Store struct {
	Options
	client *dynamodb.Client
	table  *string
}

var (
	_ store.Store   = (*Store)(nil)
	_ store.Scanner = (*Store)(nil)
)

// New makes a Store. It sends nothing: whether the table is there shows at the first
// call.
func New(o Options) (*Store, error) {
	if o.Table == "" {
		return nil, errors.New("dynamo: no table name")
	}
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	if o.TryTime == 0 {
		o.TryTime = 5 * time.Second
	}
	if o.Pause == nil {
		o.Pause = jitter
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	client := dynamodb.NewFromConfig(o.Config, o.client)
	return &Store{Options: o, client: client, table: aws.String(o.Table)}, nil
}

func (o Options) client(c *dynamodb.Options) {
	if o.Random != nil {
		c.IdempotencyTokenProvider = smithyrand.NewUUIDIdempotencyToken(o.Random)
	}
	if o.Client != nil {
		o.Client(c)
	}
	if c.HTTPClient != nil {
		c.HTTPClient = timed{next: c.HTTPClient, limit: o.TryTime}
	}
}

// The pauses between tries: a random part of a time that doubles
// (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
const (
	firstPause   = 25 * time.Millisecond
	longestPause = time.Second
)

func jitter(n int) time.Duration {
	longest := min(firstPause<<min(n-1, 10), longestPause)
	return time.Duration(rand.Int64N(int64(longest)))
}

// begin makes the state of one call's tries.
func (s *Store) begin(ctx context.Context, of kind) *tries {
	deadline, has := ctx.Deadline()
	if !has {
		deadline = s.Clock.Now().Add(s.Patience)
	}
	return &tries{of: of, clock: s.Clock, pause: s.Pause, deadline: deadline}
}
