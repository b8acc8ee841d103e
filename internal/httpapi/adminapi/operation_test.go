package adminapi

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/httpapi"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
)

func TestT30HealthzTouchesNothing(t *testing.T) {
	b := newBench(t)
	b.send("GET", "/healthz", "", "").want(200).same("status", `"ok"`)
}

// gone is a store that does not answer.
type gone struct{ store.Store }

func (gone) Get(context.Context, store.Key) (store.Item, bool, error) {
	return store.Item{}, false, errors.New("no disk at /some/place")
}

func TestT30ProbeThatNeverAnswersIsNamed(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	release := make(chan struct{})
	defer close(release)
	err := askAll(ctx, []probe{{"stuck", func(context.Context) error { <-release; return nil }}})
	if e := errs.As(err); !errs.Is(err, errs.Unavailable) || !slices.Equal(e.Extra["failing"].([]string), []string{"stuck"}) {
		t.Errorf("got %v", err)
	}
}

// journal is a journal of which only Ping is asked.
type journal struct {
	ledger.Journal
	err error
}

func (j journal) Ping(context.Context) error { return j.err }

func TestT30ReadyzSaysWhichStoreDoesNotAnswer(t *testing.T) {
	ready := func(change func(*httpapi.Deps)) answer {
		var d httpapi.Deps
		b := benchWith(t, func(given *httpapi.Deps) { d = *given })
		change(&d)
		b.handler = serve(t, d)
		return b.send("GET", "/readyz", "", "")
	}
	ready(func(*httpapi.Deps) {}).want(200).same("status", `"ok"`)
	store := ready(func(d *httpapi.Deps) { d.Store = gone{} }).want(503).code("UNAVAILABLE").same("failing", `["store"]`)
	if strings.Contains(store.raw, "disk") || store.header.Get("Retry-After") == "" {
		t.Errorf("%s, headers %v", store.raw, store.header)
	}
	ready(func(d *httpapi.Deps) { d.Index = index{err: errors.New("red")} }).want(503).same("failing", `["search"]`)
	ready(func(d *httpapi.Deps) { d.Journal = journal{} }).want(200)
	ready(func(d *httpapi.Deps) { d.Journal = journal{err: errors.New("full")} }).want(503).same("failing", `["journal"]`)
	ready(func(d *httpapi.Deps) { d.Store, d.Index = gone{}, index{err: errors.New("red")} }).want(503).same("failing", `["store","search"]`)
}

func TestT39ClockGoesForwardForTheRootKeyOnly(t *testing.T) {
	b := newBench(t)
	b.send("POST", "/v1/test/clock", rootKey, `{"advanceSeconds":10}`).want(200).same("now", `"2026-03-01T12:00:10Z"`)
	b.send("POST", "/v1/test/clock", rootKey, `{"advanceSeconds":3600}`).want(200).same("now", `"2026-03-01T13:00:10Z"`)
	b.send("POST", "/v1/test/clock", rootKey, `{"advanceSeconds":0}`).want(200).same("now", `"2026-03-01T13:00:10Z"`)
	b.send("POST", "/v1/test/clock", b.admin, `{"advanceSeconds":5}`).want(403)
	b.send("POST", "/v1/test/clock", "", `{"advanceSeconds":5}`).want(401)
	for _, bad := range []string{`-1`, `"5"`, `null`, `1.5`, `315360001`, `[]`} {
		b.send("POST", "/v1/test/clock", rootKey, `{"advanceSeconds":`+bad+`}`).want(422).code("VALIDATION_FAILED").points("/advanceSeconds")
	}
	b.send("POST", "/v1/test/clock", rootKey, `{}`).want(422).points("/advanceSeconds")
	without := benchWith(t, func(d *httpapi.Deps) { d.Advance = nil })
	without.send("POST", "/v1/test/clock", rootKey, `{"advanceSeconds":5}`).want(404)
	failing := benchWith(t, func(d *httpapi.Deps) {
		d.Advance = func(context.Context, time.Duration) (time.Time, error) { return time.Time{}, errors.New("worker") }
	})
	failing.send("POST", "/v1/test/clock", rootKey, `{"advanceSeconds":5}`).want(500)
}
