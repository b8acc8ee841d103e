package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/embed"
)

const (
	testKey       = "sk-opensesame"
	testModel     = "maker/model-1"
	testDimension = 8
)

// double speaks the protocol on loopback. Each call is answered by the next of
// its replies, and by sound vectors when they are used up.
type double struct {
	*httptest.Server
	mu      sync.Mutex
	replies []http.HandlerFunc
	asked   []request     // bodies, in order of arrival
	headers []http.Header // of the same calls
}

func newDouble(t *testing.T, replies ...http.HandlerFunc) *double {
	t.Helper()
	d := &double{replies: replies}
	d.Server = httptest.NewServer(d)
	t.Cleanup(d.Close)
	return d
}

func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var message request
	if err != nil || json.Unmarshal(body, &message) != nil || r.URL.Path != "/v1/embeddings" || r.Method != http.MethodPost {
		http.Error(w, "not the protocol", http.StatusTeapot)
		return
	}
	reply := d.take(message, r.Header)
	r.Body = io.NopCloser(bytes.NewReader(body))
	reply(w, r)
}

func (d *double) take(message request, header http.Header) http.HandlerFunc {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked, d.headers = append(d.asked, message), append(d.headers, header)
	if len(d.replies) == 0 {
		return sound
	}
	reply := d.replies[0]
	d.replies = d.replies[1:]
	return reply
}

// seen answers the bodies so far.
func (d *double) seen() []request {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.asked)
}

// sound answers a vector for each text, which the text alone decides.
func sound(w http.ResponseWriter, r *http.Request) {
	var message request
	if err := json.NewDecoder(r.Body).Decode(&message); err != nil {
		http.Error(w, "not the protocol", http.StatusTeapot)
		return
	}
	var items []map[string]any
	for i, text := range message.Input {
		items = append(items, item(i, vectorOf(text)))
	}
	write(w, map[string]any{"object": "list", "data": items, "model": message.Model, "usage": map[string]int{"total_tokens": 3}})
}

func item(index int, vector any) map[string]any {
	return map[string]any{"object": "embedding", "index": index, "embedding": vector}
}

func vectorOf(text string) []float64 {
	hash := fnv.New64a()
	hash.Write([]byte(text))
	random := rand.New(rand.NewPCG(hash.Sum64(), 1))
	vector := make([]float64, testDimension)
	for i := range vector {
		vector[i] = 5 * random.NormFloat64()
	}
	return vector
}

func write(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		http.Error(w, "cannot write", http.StatusTeapot)
	}
}

// status answers a status, echoing what a careless server might.
func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.Copy(w, r.Body)
		_, _ = io.WriteString(w, r.Header.Get("Authorization"))
	}
}

// raw answers 200 with a body as it is.
func raw(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

// data answers 200 with items.
func data(items ...map[string]any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { write(w, map[string]any{"data": items}) }
}

// cutOff promises more than it sends and hangs up.
func cutOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "5000")
	_, _ = io.WriteString(w, `{"data":[`)
	panic(http.ErrAbortHandler)
}

// hangs holds the answer back until the caller is gone.
func hangs(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// naps records the pauses and takes none.
type naps struct {
	mu    sync.Mutex
	taken []time.Duration
}

func (n *naps) sleep(ctx context.Context, d time.Duration) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.taken = append(n.taken, d)
	return ctx.Err()
}

// full is a source of randomness that draws the longest pause.
type full struct{}

func (full) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 0xff
	}
	return len(p), nil
}

var testNow = time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)

func optionsFor(d *double, n *naps) Options {
	return Options{URL: d.URL + "/v1", Key: testKey, Model: testModel, Dimension: testDimension,
		Client: d.Client(), Clock: clock.NewFixed(testNow), Random: full{}, Sleep: n.sleep}
}

func embedderFor(t *testing.T, options Options) embed.Embedder {
	t.Helper()
	embedder, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	return embedder
}
