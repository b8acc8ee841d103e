package bedrock

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"holdfast/internal/awsconf/signtest"
	"holdfast/internal/embed"
	"holdfast/internal/embed/embedtest"
)

func TestConformance(t *testing.T) {
	embedtest.Run(t, func(t *testing.T) embed.Embedder { return newDouble(t).embedder() }, nil)
}

func TestConformanceOfOtherProtocols(t *testing.T) {
	for _, p := range []Protocol{TitanV1, Cohere} {
		t.Run(string(p), func(t *testing.T) {
			embedtest.Run(t, func(t *testing.T) embed.Embedder {
				return newDouble(t).embedder(func(o *Options) { o.Model, o.Protocol = "a-model", p })
			}, nil)
		})
	}
}

func one(t *testing.T, d *double, e *Embedder) asked {
	t.Helper()
	if _, err := e.Embed(t.Context(), []string{"two violins"}); err != nil {
		t.Fatal(err)
	}
	calls := d.seen()
	return calls[len(calls)-1]
}

// TestRequestsOfEachProtocol hold what the model asks for and no more.
func TestRequestsOfEachProtocol(t *testing.T) {
	for model, want := range map[string]struct {
		protocol   Protocol
		dimensions int
	}{
		"":                                   {TitanV2, testDimension},
		"eu.amazon.titan-embed-text-v2:0":    {TitanV2, testDimension},
		"amazon.titan-embed-text-v1":         {TitanV1, 0},
		"amazon.titan-embed-g1-text-02":      {TitanV1, 0},
		"cohere.embed-multilingual-v3":       {Cohere, 0},
		"arn:aws:bedrock:x:1:provisioned/ab": {TitanV2, testDimension},
	} {
		d := newDouble(t)
		got := one(t, d, d.embedder(func(o *Options) { o.Model = model }))
		if model == "" {
			model = DefaultModel
		}
		if got.Model != model || got.text() != "two violins" {
			t.Errorf("%s: %+v", model, got)
		}
		if (got.Dimensions != nil) != (want.dimensions > 0) || got.Dimensions != nil && *got.Dimensions != want.dimensions {
			t.Errorf("%s: dimensions %v", model, got.Dimensions)
		}
		if (want.protocol == Cohere) != (len(got.Texts) == 1 && got.InputType == "search_document") || (want.protocol == TitanV2) != (got.Normalize != nil && *got.Normalize) {
			t.Errorf("%s: %+v", model, got)
		}
	}
}

func TestTheProfileIsThatOfTheOptions(t *testing.T) {
	e, err := New(signtest.Config("http://127.0.0.1:1", nil), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := embed.Profile{Model: DefaultModel, Dimension: 512, Version: 1, LexicalShare: .45, Floor: .1}
	if e.Profile() != want || e.Profile().Name() != "amazon.titan-embed-text-v2_0-512-v1" {
		t.Errorf("%+v %s", e.Profile(), e.Profile().Name())
	}
}

func TestWrongOptionsAreNamed(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"Model":         func(o *Options) { o.Model = " marzipan" },
		"Protocol":      func(o *Options) { o.Protocol = "marzipan" },
		"Dimension":     func(o *Options) { o.Dimension = -1 },
		"256, 512":      func(o *Options) { o.Dimension = 300 },
		"Concurrency":   func(o *Options) { o.Concurrency = -1 },
		"MaxCharacters": func(o *Options) { o.MaxCharacters = -1 },
		"Attempts":      func(o *Options) { o.Attempts = -1 },
		"Version":       func(o *Options) { o.Version = -1 },
		"LexicalShare":  func(o *Options) { o.LexicalShare = 1.5 },
		"Floor":         func(o *Options) { o.Floor = 1 },
	} {
		o := Options{}
		change(&o)
		if _, err := New(signtest.Config("http://127.0.0.1:1", nil), o); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "marzipan") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRequestsUnderWayAreBounded, those of all calls together.
func TestRequestsUnderWayAreBounded(t *testing.T) {
	gate := make(chan struct{})
	held := func(w http.ResponseWriter, a asked) { <-gate; sound(w, a) }
	var replies []reply
	for range 40 {
		replies = append(replies, held)
	}
	d := newDouble(t, replies...)
	e := d.embedder(func(o *Options) { o.Concurrency = 3 })
	done := make(chan error)
	for range 2 {
		go func() {
			_, err := e.Embed(context.Background(), strings.Split(strings.Repeat("a ", 20)+"b", " "))
			done <- err
		}()
	}
	for range 40 {
		gate <- struct{}{}
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if d.most > 3 {
		t.Errorf("%d requests at once", d.most)
	}
}

// TestOneFailureEndsTheOthers and is the one that is told.
func TestOneFailureEndsTheOthers(t *testing.T) {
	d := newDouble(t, refuses(400, "ValidationException"))
	e := d.embedder(func(o *Options) { o.Concurrency = 1 })
	vectors, err := e.Embed(t.Context(), []string{"a", "b", "c", "d"})
	if !errors.Is(err, embed.ErrUnavailable) || !strings.Contains(err.Error(), "400 (ValidationException)") || vectors != nil {
		t.Errorf("%d vectors, %v", len(vectors), err)
	}
	if n := len(d.seen()); n > 2 {
		t.Errorf("asked %d times", n)
	}
}

func TestLongTextsAreCutBetweenCharacters(t *testing.T) {
	d := newDouble(t)
	e := d.embedder(func(o *Options) { o.MaxCharacters = 5 })
	if _, err := e.Embed(t.Context(), []string{"Brücken über Flüsse"}); err != nil {
		t.Fatal(err)
	}
	if got := d.seen()[0].InputText; got != "Brück" {
		t.Errorf("%q", got)
	}
}

func TestAnswersThatAreNoVector(t *testing.T) {
	zeros := func(n int, first string) string {
		return first + strings.Repeat(",0", n-1)
	}
	for name, body := range map[string]string{
		"no JSON": "marzipan", "an empty body": "", "no vector": `{"inputTextTokenCount":3}`, "null": `{"embedding":null}`,
		"another protocol's": fmt.Sprintf(`{"embeddings":[[%s]]}`, zeros(testDimension, "1")),
		"a text":             `{"embedding":"marzipan"}`,
		"too short":          fmt.Sprintf(`{"embedding":[%s]}`, zeros(testDimension-1, "1")),
		"too long":           fmt.Sprintf(`{"embedding":[%s]}`, zeros(testDimension+1, "1")),
		"a null within":      fmt.Sprintf(`{"embedding":[%s]}`, zeros(testDimension, "null")),
		"a text within":      fmt.Sprintf(`{"embedding":[%s]}`, zeros(testDimension, `"marzipan"`)),
		"out of range":       fmt.Sprintf(`{"embedding":[%s]}`, zeros(testDimension, "1e99")),
		"all zero":           fmt.Sprintf(`{"embedding":[%s]}`, zeros(testDimension, "0")),
	} {
		d := newDouble(t, raw(body))
		vectors, err := d.embedder().Embed(t.Context(), []string{"a"})
		if !errors.Is(err, embed.ErrBadAnswer) || vectors != nil || strings.Contains(err.Error(), "marzipan") || len(d.seen()) != 1 {
			t.Errorf("%s: %d vectors, %v, asked %d times", name, len(vectors), err, len(d.seen()))
		}
	}
	d := newDouble(t, raw(`{"embeddings":[[1],[2]]}`))
	if _, err := d.embedder(func(o *Options) { o.Protocol = Cohere }).Embed(t.Context(), []string{"a"}); !errors.Is(err, embed.ErrBadAnswer) {
		t.Errorf("two vectors: %v", err)
	}
}

func TestWhatMayPassIsTriedAgain(t *testing.T) {
	for name, r := range map[string]reply{
		"throttled": refuses(429, "ThrottlingException"), "not ready": refuses(429, "ModelNotReadyException"),
		"timeout": refuses(408, "ModelTimeoutException"), "500": refuses(500, "InternalServerException"),
		"503": refuses(503, "ServiceUnavailableException"), "cut body": cutOff, "hangs up": hangsUp,
	} {
		d := newDouble(t, r, r, r)
		vectors, err := d.embedder().Embed(t.Context(), []string{"a"})
		if err != nil || len(vectors) != 1 || len(d.seen()) != 4 {
			t.Errorf("%s: %d vectors, %v, asked %d times", name, len(vectors), err, len(d.seen()))
		}
	}
}

func TestTriesAreUsedUp(t *testing.T) {
	for name, r := range map[string]reply{"throttled": refuses(429, "ThrottlingException"), "500": refuses(500, "InternalServerException"), "cut body": cutOff} {
		d := newDouble(t, r, r, r, r)
		vectors, err := d.embedder().Embed(t.Context(), []string{"marzipan"})
		if !errors.Is(err, embed.ErrUnavailable) || vectors != nil || len(d.seen()) != 4 || strings.Contains(err.Error(), "marzipan") {
			t.Errorf("%s: %d vectors, %v, asked %d times", name, len(vectors), err, len(d.seen()))
		}
	}
}

func TestRefusalsAreNotTriedAgain(t *testing.T) {
	for code, status := range map[string]int{"ValidationException": 400, "AccessDeniedException": 403, "ExpiredTokenException": 403,
		"UnrecognizedClientException": 403, "ResourceNotFoundException": 404, "ServiceQuotaExceededException": 400} {
		d := newDouble(t, refuses(status, code))
		_, err := d.embedder().Embed(t.Context(), []string{"marzipan"})
		if !errors.Is(err, embed.ErrUnavailable) || !strings.Contains(err.Error(), code) || strings.Contains(err.Error(), "marzipan") || len(d.seen()) != 1 {
			t.Errorf("%s: %v, asked %d times", code, err, len(d.seen()))
		}
	}
}

// TestCodesThatAreNoneAreNotRepeated: a proxy may answer anything.
func TestCodesThatAreNoneAreNotRepeated(t *testing.T) {
	for _, code := range []string{"marzipan 7", strings.Repeat("marzipan", 9), "<marzipan>"} {
		d := newDouble(t, refuses(400, code))
		if _, err := d.embedder().Embed(t.Context(), []string{"a"}); err == nil || strings.Contains(err.Error(), "marzipan") || !strings.Contains(err.Error(), "400") {
			t.Errorf("%v", err)
		}
	}
}

func TestASlowAnswerEndsWithTheContext(t *testing.T) {
	released := make(chan struct{})
	hangs := func(http.ResponseWriter, asked) { <-released }
	d := newDouble(t, hangs, hangs, hangs)
	t.Cleanup(func() { close(released) })
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Millisecond)
	defer cancel()
	e := d.embedder(func(o *Options) { o.Concurrency = 2 })
	vectors, err := e.Embed(ctx, []string{"a", "b", "c"})
	if !errors.Is(err, embed.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) || vectors != nil || len(d.seen()) > 2 {
		t.Errorf("%d vectors, %v, asked %d times", len(vectors), err, len(d.seen()))
	}
}

// deadline is a context that says when it will end and does not end: the clock of
// the test stands still.
type deadline struct {
	context.Context
	at time.Time
}

func (d deadline) Deadline() (time.Time, bool) { return d.at, true }

// TestNoPauseBeyondTheDeadline: the failure at hand is answered at once.
func TestNoPauseBeyondTheDeadline(t *testing.T) {
	for _, c := range []struct {
		left  time.Duration
		tries int
	}{{0, 1}, {time.Hour, 2}} {
		d := newDouble(t, refuses(429, "ThrottlingException"))
		_, err := d.embedder().Embed(deadline{t.Context(), testNow.Add(c.left)}, []string{"a"})
		if len(d.seen()) != c.tries || c.tries == 1 && (err == nil || !strings.Contains(err.Error(), "429")) {
			t.Errorf("%s left: %v, asked %d times", c.left, err, len(d.seen()))
		}
	}
}

// TestPausesAreDrawnEvenlyUpToALimitThatGrows: full jitter.
func TestPausesAreDrawnEvenlyUpToALimitThatGrows(t *testing.T) {
	r := patient(10)
	for attempt := 1; attempt < 9; attempt++ {
		var low, high time.Duration = time.Hour, 0
		for range 300 {
			pause, err := r.RetryDelay(attempt, errors.New("x"))
			if err != nil {
				t.Fatal(err)
			}
			low, high = min(low, pause), max(high, pause)
		}
		if high > longestPause || low > high/3 {
			t.Errorf("try %d: pauses from %s to %s", attempt, low, high)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, body := range []string{`{"embedding":[1,2]}`, `{"embedding":[0,0]}`, `{"embeddings":[[3,4]]}`, `{"embedding":[1e40,1]}`, `{`, `{"embedding":[null,1]}`} {
		f.Add([]byte(body), false)
		f.Add([]byte(body), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, cohere bool) {
		o := Options{Model: "m", Dimension: 2}
		if cohere {
			o.Protocol = Cohere
		}
		e, err := New(signtest.Config("http://127.0.0.1:1", nil), o)
		if err != nil {
			t.Fatal(err)
		}
		vector, err := e.decode(body)
		if (err == nil) != (len(vector) == 2) || err != nil && !errors.Is(err, embed.ErrBadAnswer) {
			t.Fatalf("%v, %v", vector, err)
		}
		if err == nil && (embed.Dot(vector, vector) < .999 || embed.Dot(vector, vector) > 1.001) {
			t.Fatalf("length %v", vector)
		}
	})
}
