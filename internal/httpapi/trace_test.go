package httpapi

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"holdfast/internal/ids"
)

const (
	traceID  = "4bf92f3577b34da6a3ce929d0e0e4736"
	parentID = "00f067aa0ba902b7"
)

// TestT11EveryAnswerHasARequestIDOfItsOwn: successes and problems, which repeat it.
func TestT11EveryAnswerHasARequestIDOfItsOwn(t *testing.T) {
	g := newGate(t, testDeps(io.Discard))
	store, read := g.Handler(echoStore()), g.Handler(echoRead())
	seen := map[string]bool{}
	for _, answer := range []got{
		ask(t, read, "GET", readPath, ""),
		ask(t, read, "GET", readPath, ""),
		ask(t, read, "GET", readPath, "", "Authorization", ""),
		ask(t, store, "POST", "/v1/things", "{"),
		ask(t, store, "POST", "/v1/things", strings.Repeat("x", 70000)),
		ask(t, g.Fallback(nil), "GET", "/v1/no-such-route", "", "Request-Id", "mine"),
	} {
		id := answer.header.Get("Request-Id")
		if !ids.Valid(id) || seen[id] {
			t.Errorf("Request-Id %q", id)
		}
		seen[id] = true
		if answer.status >= 400 && answer.body["requestId"] != id {
			t.Errorf("requestId %v, header %s", answer.body["requestId"], id)
		}
	}
}

// TestT11TraceparentIsContinued: the same trace, a span of our own, in the log too.
func TestT11TraceparentIsContinued(t *testing.T) {
	log := &safeBuffer{}
	h := newGate(t, testDeps(log)).Handler(echoRead())
	for _, sent := range []string{"00-" + traceID + "-" + parentID + "-01", "cc-" + traceID + "-" + parentID + "-01-what-comes-later"} {
		answer := ask(t, h, "GET", readPath, "", "traceparent", sent)
		answer.want(t, 200, "")
		back := readTrace(answer.header)
		if back.id != traceID || back.parent == parentID || back.flags != "01" {
			t.Errorf("answered %q", answer.header.Get("traceparent"))
		}
	}
	if !strings.Contains(log.String(), traceID) {
		t.Error("the log line lacks the trace")
	}
}

// TestT11BadTraceparentSpoilsNothing and is not answered.
func TestT11BadTraceparentSpoilsNothing(t *testing.T) {
	log := &safeBuffer{}
	h := newGate(t, testDeps(log)).Handler(echoRead())
	zeros := strings.Repeat("0", 32)
	for _, sent := range []string{
		"", "00-0-0-00", strings.Repeat("x", 300), "00-" + zeros + "-" + parentID + "-01", "00-" + traceID + "-" + zeros[:16] + "-01",
		"ff-" + traceID, "ff-" + traceID + "-" + parentID + "-01", "00-" + strings.ToUpper(traceID) + "-" + parentID + "-01",
		"00-" + traceID + "-" + parentID + "-0g", "00-" + traceID + "-" + parentID + "-01-more", "cc-" + traceID + "-" + parentID + "-01more",
		"00_" + traceID + "_" + parentID + "_01", "kanarya",
	} {
		answer := ask(t, h, "GET", readPath, "", "Traceparent", sent+"")
		answer.want(t, 200, "")
		if answer.header.Get("traceparent") != "" {
			t.Errorf("%q was continued as %q", sent, answer.header.Get("traceparent"))
		}
	}
	if strings.Contains(log.String(), "kanarya") {
		t.Error("the log repeats a header")
	}
}

// TestT29LogLinesHoldIDsAndNumbersOnly: one a request, with everything that finds
// it again and nothing that was sent.
func TestT29LogLinesHoldIDsAndNumbersOnly(t *testing.T) {
	log := &safeBuffer{}
	g := newGate(t, testDeps(log))
	h := g.Handler(echoStore())
	first := ask(t, h, "POST", "/v1/things", bodyOf(`"runId":"kanarya","tags":{"kanarya":"kanarya"}`), "Idempotency-Key", "kanarya")
	first.want(t, 200, "")
	ask(t, h, "POST", "/v1/things?kanarya=1", bodyOf(`"kanarya":1`)).want(t, 400, "")
	ask(t, g.Fallback(nil), "GET", "/v1/kanarya?kanarya", "").want(t, 404, "")
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines: %s", len(lines), log)
	}
	if strings.Contains(log.String(), "kanarya") || strings.Contains(log.String(), goodKey) {
		t.Errorf("content or key in the log: %s", log)
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(lines[0]), &line); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{"requestId": first.header.Get("Request-Id"), "route": "things-store", "status": 200.0,
		"tenant": tenantID, "workspace": ours, "key": "k1", "cold": true} {
		if line[name] != want {
			t.Errorf("%s = %v, want %v", name, line[name], want)
		}
	}
	if _, timed := line["ms"].(float64); !timed {
		t.Errorf("no duration: %s", lines[0])
	}
	if strings.Contains(lines[1], "cold") || !strings.Contains(lines[1], "VALIDATION_FAILED") {
		t.Errorf("second line: %s", lines[1])
	}
}
