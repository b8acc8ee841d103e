package httpapi

import (
	"io"
	"testing"

	"holdfast/internal/commit"
)

// TestT16EntityTags: lists, weak tags, the star; RFC 9110 8.8.3 and 13.1.
func TestT16EntityTags(t *testing.T) {
	for _, c := range []struct {
		header             string
		ok, strong3, weak3 bool
	}{
		{`"3"`, true, true, true},
		{`W/"3"`, true, false, true},
		{`*`, true, true, true},
		{` "1" , "3"`, true, true, true},
		{`"1",W/"3"`, true, false, true},
		{`"1", "2"`, true, false, false},
		{`"a,b", "3"`, true, true, true},
		{`"3",`, true, true, true},
		{`"3", , "4"`, true, true, true},
		{`"30"`, true, false, false},
		{`""`, true, false, false},
		{`3`, false, false, false},
		{`"3`, false, false, false},
		{`3"`, false, false, false},
		{`w/"3"`, false, false, false},
		{`W/ "3"`, false, false, false},
		{`"3" "4"`, false, false, false},
		{`"3"x`, false, false, false},
		{`*, "3"`, false, false, false},
		{`"a b"`, false, false, false},
		{`,`, false, false, false},
		{``, false, false, false},
	} {
		tags, ok := ParseTags(c.header)
		if ok != c.ok || tags.Strong(`"3"`) != c.strong3 || tags.Weak(`"3"`) != c.weak3 {
			t.Errorf("%q: ok %v strong %v weak %v", c.header, ok, tags.Strong(`"3"`), tags.Weak(`"3"`))
		}
	}
}

// TestT16ConditionsReachTheCall and a malformed one is bad input.
func TestT16ConditionsReachTheCall(t *testing.T) {
	type seen struct {
		Allows bool `json:"allows"`
		Knows  bool `json:"knows"`
	}
	type input struct {
		ID string `path:"id"`
	}
	h := newGate(t, testDeps(io.Discard)).Handler(Handle(readRoute, func(_ ctx, c *Call, _ *input) (Reply[seen], error) {
		return OK(seen{c.AllowsVersion(3), c.KnowsVersion(3)}), nil
	}))
	for _, c := range []struct {
		headers       []string
		allows, knows bool
	}{
		{nil, true, false},
		{[]string{"If-Match", `"3"`}, true, false},
		{[]string{"If-Match", `"2"`}, false, false},
		{[]string{"If-Match", `W/"3"`}, false, false},
		{[]string{"If-Match", `"2"`, "If-Match", `"3"`}, true, false},
		{[]string{"If-None-Match", `W/"3"`}, true, true},
		{[]string{"If-None-Match", `"7"`}, true, false},
		{[]string{"If-None-Match", `*`}, true, true},
	} {
		answer := ask(t, h, "GET", readPath, "", c.headers...)
		answer.want(t, 200, "")
		if answer.body["allows"] != c.allows || answer.body["knows"] != c.knows {
			t.Errorf("%q: %v", c.headers, answer.body)
		}
	}
	for _, name := range []string{"If-Match", "If-None-Match"} {
		answer := ask(t, h, "GET", readPath, "", name, "3")
		answer.want(t, 422, "VALIDATION_FAILED")
		if got := answer.pointers(); len(got) != 1 || got[0] != name {
			t.Errorf("pointers %q", got)
		}
	}
}

// TestR060RepliesWithHeaders: ETag, Memory-Sequence, Idempotency-Replayed, 304
// and 204 without a body.
func TestR060RepliesWithHeaders(t *testing.T) {
	g := newGate(t, testDeps(io.Discard))
	first := ask(t, g.Handler(answering(openRoute, OK(echo{}).Wrote(commit.Outcome{Sequence: 41}).ETag(2), nil)), "GET", "/open", "")
	first.want(t, 200, "")
	if h := first.header; h.Get("Memory-Sequence") != "41" || h.Get("ETag") != `"2"` || h["Idempotency-Replayed"] != nil {
		t.Errorf("headers %v", h)
	}
	again := ask(t, g.Handler(answering(openRoute, OK(echo{}).Wrote(commit.Outcome{Sequence: 41, Replayed: true}), nil)), "GET", "/open", "")
	if again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("a replay without its header: %v", again.header)
	}
	unchanged := ask(t, g.Handler(answering(openRoute, Empty[echo](304).ETag(2), nil)), "GET", "/open", "")
	if unchanged.status != 304 || unchanged.raw != "" || unchanged.header.Get("ETag") != `"2"` || unchanged.header.Get("Content-Type") != "" {
		t.Errorf("304: %d %q %v", unchanged.status, unchanged.raw, unchanged.header)
	}
	gone := openRoute
	gone.Success = 204
	if answer := ask(t, g.Handler(answering(gone, OK(struct{}{}), nil)), "GET", "/open", ""); answer.status != 204 || answer.raw != "" {
		t.Errorf("204: %d %q", answer.status, answer.raw)
	}
}
