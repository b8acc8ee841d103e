package httpapi

import (
	"io"
	"testing"
)

// TestT9WholeNumbersInAnySpelling: 64.0 and 1e2 are integers by JSON Schema, read
// exactly; 60.5 and "60" are none.
func TestT9WholeNumbersInAnySpelling(t *testing.T) {
	for token, want := range map[string]string{
		"64.0": "64", "1e3": "1000", "1E+3": "1000", "640e-1": "64", "6.40e1": "64", "0.0": "0", "-0.0e9": "0", "-6.4e1": "-64",
		"9007199254740993.0": "9007199254740993", "9223372036854775807.00": "9223372036854775807", "0.001e3": "1",
		"60.5": "", "1e-1": "", "605e-1": "", "1e-99999999999999999999": "", "0e99999999999999999999": "0",
		"1e99999999999999999999": "100000000000000000000", "-1e400": "-100000000000000000000",
	} {
		if got, ok := wholeOf(token); got != want || ok != (want != "") {
			t.Errorf("%s is %q, %v; want %q", token, got, ok, want)
		}
	}
	h := newGate(t, testDeps(io.Discard)).Handler(echoStore())
	for _, spelled := range []string{"20", "20.0", "2e1", "2000e-2", "0.2E2"} {
		answer := ask(t, h, "POST", "/v1/things", bodyOf(`"importance":0.50,"count":`+spelled+`,"tags":{"a":"b"}`))
		answer.want(t, 200, "")
		if got := answer.body["got"].(map[string]any); got["count"] != 20.0 || got["importance"] != 0.5 || got["tags"].(map[string]any)["a"] != "b" {
			t.Errorf("%s: %v", spelled, got)
		}
	}
	for _, refused := range []string{"60.5", `"60"`, "2.01e2", "1e400", "-1e400", "1e-5"} {
		ask(t, h, "POST", "/v1/things", bodyOf(`"count":`+refused)).want(t, 400, "VALIDATION_FAILED")
	}
	read := newGate(t, testDeps(io.Discard)).Handler(echoRead())
	answer := ask(t, read, "GET", readPath+"&limit=5e1", "")
	answer.want(t, 200, "")
	if got := answer.body["got"].(map[string]any)["Limit"]; got != 50.0 {
		t.Errorf("limit 5e1: %v", got)
	}
}
