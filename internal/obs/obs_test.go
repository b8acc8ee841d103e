package obs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/slogtest"
	"time"
)

// lines reads what was logged.
func lines(t *testing.T, b *bytes.Buffer) []map[string]any {
	t.Helper()
	var all []map[string]any
	for _, text := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		all = append(all, line)
	}
	return all
}

func newLog(secrets ...string) (*slog.Logger, *bytes.Buffer) {
	b := new(bytes.Buffer)
	return NewLogger(b, nil, secrets...), b
}

func TestHandlerKeepsTheRulesOfSlog(t *testing.T) {
	log, b := newLog()
	if err := slogtest.TestHandler(log.Handler(), func() []map[string]any { return lines(t, b) }); err != nil {
		t.Error(err)
	}
}

func TestLinesHaveTheContextsFields(t *testing.T) {
	log, b := newLog()
	ctx := With(context.Background(), Fields{RequestID: "r1", Route: "memory-append", ColdStart: true})
	ctx = With(ctx, Fields{TenantID: "t1", WorkspaceID: "w1", KeyID: "k1", Route: "memory-get"})
	log.InfoContext(ctx, "request", "status", 200)
	log.With("a", 1).WithGroup("g").InfoContext(ctx, "in a group", "b", 2)
	log.InfoContext(ctx, "own", "key", "k2")
	log.Info("no context")
	got := lines(t, b)
	for _, line := range got[:2] {
		for name, want := range map[string]any{"requestId": "r1", "route": "memory-get", "tenant": "t1", "workspace": "w1", "key": "k1", "cold": true} {
			if line[name] != want {
				t.Errorf("%s is %v", name, line[name])
			}
		}
	}
	if g, _ := got[1]["g"].(map[string]any); got[1]["a"] != 1.0 || g["b"] != 2.0 {
		t.Errorf("grouped %v", got[1])
	}
	if got[2]["key"] != "k2" || strings.Count(b.String(), `"key"`) != 3 {
		t.Errorf("a line's own field: %v", got[2])
	}
	if names := slices.Sorted(maps.Keys(got[3])); !slices.Equal(names, []string{"level", "msg", "time"}) {
		t.Errorf("without context: %v", names)
	}
}

func TestLevelHoldsLinesBack(t *testing.T) {
	b := new(bytes.Buffer)
	var level slog.LevelVar
	level.Set(slog.LevelWarn)
	log := NewLogger(b, &level)
	log.Info("one")
	log.Warn("two")
	level.Set(slog.LevelDebug)
	log.Debug("three")
	if got := lines(t, b); len(got) != 2 || got[0]["msg"] != "two" || got[1]["msg"] != "three" {
		t.Errorf("got %v", got)
	}
}

// canary is a key in form; root is a root key that JSON spells in another way.
const (
	canary = "holdfast_0190c4a27e157b3c9d215f60718293a4_Canary0secret0of0forty0three0characters0xyz"
	root   = `root "canary" <with> \ and ü, long enough`
)

type stringer struct{ text string }

func (s stringer) String() string { return s.text }

func TestT29NoLineHoldsAKey(t *testing.T) {
	log, b := newLog(root, "")
	ctx := With(context.Background(), Fields{RequestID: canary, Route: root})
	for _, secret := range []string{canary, root} {
		log.InfoContext(ctx, "message with "+secret)
		log.Info("value", "v", secret, secret, "name")
		log.Info("error", "err", fmt.Errorf("outer: %w", errors.New(secret)))
		log.Info("any", "v", map[string]any{"nested": []string{secret}}, "s", stringer{secret}, "p", &stringer{secret})
		log.With("w", secret).WithGroup(secret).Info("grouped", slog.Group("g", slog.String("k", "Bearer "+secret)))
		log.Info("bytes", "v", json.RawMessage(`{"k":`+fmt.Sprintf("%q", secret)+`}`))
		log.Info("twice " + secret + " and " + secret + secret)
	}
	log.Info("other case " + strings.ToUpper(canary) + " cut " + canary[:30])
	if text := b.String(); strings.Contains(strings.ToLower(text), "canary") || strings.Contains(strings.ToLower(text), "holdfast_0") {
		t.Errorf("a key in: %s", text)
	}
	if n := len(lines(t, b)); n != 15 {
		t.Errorf("%d lines", n)
	}
	for text := range strings.Lines(b.String()) {
		if !strings.Contains(text, redacted) {
			t.Errorf("nothing is hidden in %s", text)
		}
	}
}

func TestRedactorLeavesAllElse(t *testing.T) {
	for _, text := range []string{
		"", "_", "plain", "holdfast", "the holdfast_ prefix alone", `{"name":"HOLDFAST_"}`, "hold_fast", "a_b_c_", "münchen_1",
	} {
		var b bytes.Buffer
		n, err := NewRedactor(&b, "").Write([]byte(text))
		if err != nil || n != len(text) || b.String() != text {
			t.Errorf("%q became %q", text, b.String())
		}
	}
}

func FuzzT29RedactorHidesKeysAndKeepsTheRest(f *testing.F) {
	for _, seed := range []string{"", "Bearer ", "x holdfast_", `{"k":"`, "_holdfast_", "holdfastholdfast_"} {
		f.Add(seed, `"}`)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		if strings.ContainsAny(before+after, "_") {
			return // then other key-like texts may come about
		}
		clean := string(hideKeys([]byte(before + canary + after)))
		rest := strings.TrimLeftFunc(after, func(r rune) bool { return r < 128 && keyByte(byte(r)) })
		if want := before + redacted + rest; clean != want {
			t.Errorf("got %q, want %q", clean, want)
		}
	})
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestRedactorPassesErrorsOn(t *testing.T) {
	if n, err := NewRedactor(failingWriter{}).Write([]byte("x")); n != 0 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
}

// lineWriter checks that each Write is one line.
type lineWriter struct {
	mu    sync.Mutex
	count int
	bad   int
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count++
	if !bytes.HasSuffix(p, []byte("\n")) || bytes.Count(p, []byte("\n")) != 1 {
		w.bad++
	}
	return len(p), nil
}

func TestLinesAreWrittenWhole(t *testing.T) {
	w := new(lineWriter)
	log := NewLogger(w, nil)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				log.Info(strings.Repeat("x", 3000), "with", "a\nbreak")
			}
		})
	}
	wg.Wait()
	if w.count != 200 || w.bad != 0 {
		t.Errorf("%d writes, %d of them no line", w.count, w.bad)
	}
}

func TestEMFLineHasTheFormOfCloudWatch(t *testing.T) {
	var b bytes.Buffer
	at := time.Date(2026, 3, 1, 12, 0, 0, 5e6, time.UTC)
	err := EMF(&b, at, []Dimension{{"Route", "memory-append"}}, Metric{"Latency", Milliseconds, 12.5}, Metric{"Calls", Count, 1})
	want := `{"Calls":1,"Latency":12.5,"Route":"memory-append","_aws":{"Timestamp":1772366400005,"CloudWatchMetrics":[` +
		`{"Namespace":"Holdfast","Dimensions":[["Route"]],"Metrics":[{"Name":"Latency","Unit":"Milliseconds"},{"Name":"Calls","Unit":"Count"}]}]}}` + "\n"
	if err != nil || b.String() != want {
		t.Errorf("got %s, %v", b.String(), err)
	}
}

func TestEMFRefusesWhatCloudWatchWouldDrop(t *testing.T) {
	one := Metric{"Calls", Count, 1}
	tests := map[string]error{
		"no metric":      EMF(&bytes.Buffer{}, time.Time{}, nil),
		"too many":       EMF(&bytes.Buffer{}, time.Time{}, nil, make([]Metric, maxMetrics+1)...),
		"dimensions":     EMF(&bytes.Buffer{}, time.Time{}, make([]Dimension, maxDimensions+1), one),
		"name twice":     EMF(&bytes.Buffer{}, time.Time{}, []Dimension{{"Calls", "x"}}, one),
		"no number":      EMF(&bytes.Buffer{}, time.Time{}, nil, Metric{"Calls", Count, math.NaN()}),
		"writer refuses": EMF(failingWriter{}, time.Time{}, nil, one),
	}
	for name, err := range tests {
		if err == nil {
			t.Errorf("%s: written", name)
		}
	}
}

func BenchmarkLine(b *testing.B) {
	log := NewLogger(new(lineWriter), nil, root)
	ctx := With(context.Background(), Fields{RequestID: "r", Route: "memory-append", TenantID: "t", WorkspaceID: "w", KeyID: "k"})
	b.ReportAllocs()
	for b.Loop() {
		log.InfoContext(ctx, "request", "status", 200, "ms", 1.25)
	}
}
