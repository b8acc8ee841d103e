package bedrock

import (
	"encoding/json"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"

	"holdfast/internal/awsconf"
	"holdfast/internal/awsconf/signtest"
	"holdfast/internal/clock"
)

const testDimension = 256

// asked is a request as the model gets it.
type asked struct {
	Model      string
	InputText  string   `json:"inputText"`
	Dimensions *int     `json:"dimensions"`
	Normalize  *bool    `json:"normalize"`
	Texts      []string `json:"texts"`
	InputType  string   `json:"input_type"`
}

func (a asked) text() string { return strings.Join(append(a.Texts, a.InputText), "") }

type reply func(w http.ResponseWriter, a asked)

// double is the model's service on loopback. Each call is answered by the next of
// its replies, and soundly when they are used up. Calls that are not signed as
// they should be fail the test.
type double struct {
	*httptest.Server
	t       *testing.T
	mu      sync.Mutex
	replies []reply
	calls   []asked
	now     int // requests under way
	most    int // the most of them
}

func newDouble(t *testing.T, replies ...reply) *double {
	t.Helper()
	d := &double{t: t, replies: replies}
	d.Server = httptest.NewServer(d)
	t.Cleanup(d.Close)
	return d
}

func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := signtest.Check(r, "bedrock"); err != nil {
		d.t.Errorf("%s: %v", r.URL, err)
	}
	raw, err := io.ReadAll(r.Body)
	var a asked
	model, found := strings.CutPrefix(strings.TrimSuffix(r.URL.EscapedPath(), "/invoke"), "/model/")
	a.Model, _ = url.PathUnescape(model)
	if err != nil || json.Unmarshal(raw, &a) != nil || !found || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
		d.t.Errorf("%s %s: not the protocol", r.Method, r.URL)
	}
	next := d.enter(a)
	defer d.leave()
	next(w, a)
}

func (d *double) enter(a asked) reply {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls = append(d.calls, a)
	d.now++
	d.most = max(d.most, d.now)
	if len(d.replies) == 0 {
		return sound
	}
	next := d.replies[0]
	d.replies = d.replies[1:]
	return next
}

func (d *double) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now--
}

// seen answers the calls so far.
func (d *double) seen() []asked {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.calls)
}

func write(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		panic(http.ErrAbortHandler)
	}
}

type object = map[string]any

// sound answers a vector that the text alone decides, not of unit length.
func sound(w http.ResponseWriter, a asked) {
	hash := fnv.New64a()
	hash.Write([]byte(a.text()))
	random := rand.New(rand.NewPCG(hash.Sum64(), 1))
	vector := make([]float64, testDimension)
	for i := range vector {
		vector[i] = 5 * random.NormFloat64()
	}
	if len(a.Texts) > 0 {
		write(w, 200, object{"embeddings": [][]float64{vector}, "texts": a.Texts, "response_type": "embeddings_floats"})
		return
	}
	write(w, 200, object{"embedding": vector, "inputTextTokenCount": 3})
}

// refuses answers an error as Bedrock does, repeating the text.
func refuses(status int, code string) reply {
	return func(w http.ResponseWriter, a asked) {
		w.Header().Set("X-Amzn-ErrorType", code+":http://internal.amazon.com/coral/")
		write(w, status, object{"message": "marzipan " + a.text()})
	}
}

func raw(body string) reply {
	return func(w http.ResponseWriter, _ asked) { _, _ = io.WriteString(w, body) }
}

func cutOff(w http.ResponseWriter, _ asked) {
	w.Header().Set("Content-Length", "5000")
	_, _ = io.WriteString(w, `{"embedding":[`)
	panic(http.ErrAbortHandler)
}

func hangsUp(http.ResponseWriter, asked) { panic(http.ErrAbortHandler) }

// eager is the retryer of production, which pauses for next to nothing.
func eager() aws.Retryer {
	standard := patient(4).(*retry.Standard)
	return quick{standard}
}

type quick struct{ *retry.Standard }

func (q quick) RetryDelay(attempt int, err error) (time.Duration, error) {
	if _, err := q.Standard.RetryDelay(attempt, err); err != nil {
		return 0, err
	}
	return time.Microsecond, nil
}

var testNow = time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)

func (d *double) embedder(change ...func(*Options)) *Embedder {
	d.t.Helper()
	cfg := signtest.Config(d.URL, awsconf.NewClient())
	cfg.Retryer = eager
	o := Options{Dimension: testDimension, Clock: clock.NewFixed(testNow)}
	for _, c := range change {
		c(&o)
	}
	e, err := New(cfg, o)
	if err != nil {
		d.t.Fatal(err)
	}
	return e
}
