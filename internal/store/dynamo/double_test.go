package dynamo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"holdfast/internal/awsconf"
	"holdfast/internal/clock"
	"holdfast/internal/store"
	"holdfast/internal/store/dynamo"
)

// call is a request as the double saw it.
type call struct {
	operation string
	body      map[string]any
	header    http.Header
	raw       []byte
	request   *http.Request
}

// reply answers a call.
type reply func(w http.ResponseWriter, c call)

// double stands for DynamoDB where an emulator cannot: it answers each call with the
// next reply, and with the last one from then on.
type double struct {
	t       *testing.T
	mu      sync.Mutex
	replies []reply
	calls   []call
}

// ServeHTTP implements http.Handler.
func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		d.t.Errorf("request body: %v", err)
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "DynamoDB_20120810.")
	c := call{operation: operation, header: r.Header, raw: raw, request: r}
	if err := json.Unmarshal(raw, &c.body); err != nil {
		d.t.Errorf("request body: %v", err)
	}
	d.mu.Lock()
	next := d.replies[min(len(d.calls), len(d.replies)-1)]
	d.calls = append(d.calls, c)
	d.mu.Unlock()
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	next(w, c)
}

func (d *double) seen() []call {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls
}

// tryCount answers how many requests came.
func (d *double) tryCount() int { return len(d.seen()) }

// answers is a reply with a body.
func answers(status int, body string) reply {
	return func(w http.ResponseWriter, _ call) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // the client may have gone
	}
}

// refuses is a reply with one of DynamoDB's errors. Its text must never be shown.
func refuses(status int, code, more string) reply {
	return answers(status, fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"%s"%s}`, code, secretText, more))
}

const secretText = "the violet umbrella"

var fine = answers(200, `{}`)

// cut is a reply that ends in the middle.
func cut(w http.ResponseWriter, _ call) {
	w.Header().Set("Content-Length", "100")
	_, _ = io.WriteString(w, `{"Item":{"pk":{"S":`)
}

// silent never answers.
func silent(_ http.ResponseWriter, c call) { <-c.request.Context().Done() }

// start makes a store whose engine gives these replies. Pauses take no time, but move
// the store's clock forward by a second.
func start(t *testing.T, replies ...reply) (*dynamo.Store, *double) {
	t.Helper()
	return startWith(t, func(*dynamo.Options) {}, replies...)
}

func startWith(t *testing.T, change func(*dynamo.Options), replies ...reply) (*dynamo.Store, *double) {
	t.Helper()
	d := &double{t: t, replies: replies}
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	now := clock.NewFixed(time.Now())
	o := dynamo.Options{
		Config: configFor(t, server.URL), Table: "holdfast", Patience: 5500 * time.Millisecond, Clock: now, Random: zeros{},
		Pause: func(int) time.Duration { now.Advance(time.Second); return 0 },
	}
	change(&o)
	s, err := dynamo.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s, d
}

func configFor(t *testing.T, url string) aws.Config {
	t.Helper()
	values := map[string]string{
		"AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "a secret of the tests",
		"AWS_SESSION_TOKEN": "a session of the tests", "AWS_ENDPOINT_URL": url,
	}
	config, err := awsconf.Load(t.Context(), func(name string) (string, bool) { v, set := values[name]; return v, set }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// zeros is a source of randomness that has none.
type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

var (
	somewhere = store.Key{PK: "p", SK: "s"}
	onePut    = store.Tx{Actions: []store.Action{store.PutItem("put", store.Item{Key: somewhere}, nil)}}
	twoPuts   = store.Tx{Actions: []store.Action{
		store.PutItem("first", store.Item{Key: somewhere}, store.IfAbsent()),
		store.PutItem("second", store.Item{Key: store.Key{PK: "p", SK: "t"}}, nil),
	}}
)

// calls of each kind: all must treat failures alike, as far as they can be repeated.
var kinds = []struct {
	name       string
	repeatable bool
	run        func(context.Context, *dynamo.Store) error
}{
	{"get", true, func(ctx context.Context, s *dynamo.Store) error {
		_, _, err := s.Get(ctx, somewhere)
		return err
	}},
	{"get many", true, func(ctx context.Context, s *dynamo.Store) error {
		_, err := s.GetMany(ctx, []store.Key{somewhere})
		return err
	}},
	{"query", true, func(ctx context.Context, s *dynamo.Store) error {
		_, err := s.Query(ctx, store.Query{PK: "p"})
		return err
	}},
	{"due", true, func(ctx context.Context, s *dynamo.Store) error {
		_, err := s.Due(ctx, store.DueQuery{Until: time.UnixMilli(1)})
		return err
	}},
	{"scan", true, func(ctx context.Context, s *dynamo.Store) error {
		return s.Scan(ctx, func(store.Item) error { return nil })
	}},
	{"transaction", true, func(ctx context.Context, s *dynamo.Store) error { return s.Commit(ctx, twoPuts) }},
	{"check", true, func(ctx context.Context, s *dynamo.Store) error {
		return s.Commit(ctx, store.Tx{Actions: []store.Action{store.CheckItem("check", somewhere, store.IfExists())}})
	}},
	{"put", false, func(ctx context.Context, s *dynamo.Store) error { return s.Commit(ctx, onePut) }},
	{"delete", false, func(ctx context.Context, s *dynamo.Store) error {
		return s.Commit(ctx, store.Tx{Actions: []store.Action{store.DeleteItem("delete", somewhere, nil)}})
	}},
	{"add", false, func(ctx context.Context, s *dynamo.Store) error {
		return s.Commit(ctx, store.Tx{Actions: []store.Action{store.AddTo("add", somewhere, map[string]int64{"n": 1}, nil)}})
	}},
}
