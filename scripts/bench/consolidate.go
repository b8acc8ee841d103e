package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"holdfast/internal/e2e/process"
)

// consolidateEntries is the length of the run that is consolidated.
const consolidateEntries = 10_000

// consolidateRow is what ending a long run takes.
type consolidateRow struct {
	Entries int
	Seconds float64 // from the first call to the answer 200
	Calls   int     // with those that were answered 409 or 503
	Idle    int64   // RssAnon before, after a restart, in bytes
	Peak    int64   // the greatest RssAnon from the first call to the last answer
	Made    int     // memories that the workspace holds afterwards
}

// longRun is the run's id.
const longRun = "long-run"

func measureConsolidate(ctx context.Context, binary, folder string) (row consolidateRow, err error) {
	data := filepath.Join(folder, "data-consolidate")
	s, _, err := startService(ctx, binary, data, nil)
	if err != nil {
		return row, err
	}
	b := &bench{service: s, data: data, texts: newSentences(23)}
	defer func() { _ = b.Close() }() // after an error; a clean stop was checked
	row.Entries = consolidateEntries
	for _, step := range []func(context.Context, *consolidateRow) error{b.talk, b.rest, b.consolidate, b.cleared} {
		if err := step(ctx, &row); err != nil {
			return row, err
		}
	}
	return row, errors.Join(b.stop(ctx), os.RemoveAll(data))
}

// openings make every other entry something that is worth keeping.
var openings = []string{"", "We decided that ", "", "I prefer ", "", "First, ", "", "Then "}

// talk appends the run's entries, in order.
func (b *bench) talk(ctx context.Context, row *consolidateRow) (err error) {
	if b.main, err = b.tenant.Workspace(ctx, "consolidated"); err != nil {
		return err
	}
	items := make([]item, row.Entries)
	for n := range items {
		items[n] = b.item("", n)
		items[n].RunID, items[n].Layer = longRun, "Session"
		items[n].Content = openings[n%len(openings)] + items[n].Content
	}
	if _, err := b.send(ctx, b.main, items, 1); err != nil {
		return err
	}
	if _, err := b.indexed(ctx, b.main); err != nil {
		return err
	}
	return b.counted(ctx, row.Entries)
}

// rest starts the server anew, so that what the appends took is not counted as idle,
// and waits until it holds no more than it did a second before.
func (b *bench) rest(ctx context.Context, row *consolidateRow) error {
	if err := b.stop(ctx); err != nil {
		return err
	}
	s, _, err := startService(ctx, b.binary, b.data, b.service)
	if err != nil {
		return err
	}
	b.service = s
	if _, err := b.indexed(ctx, b.main); err != nil {
		return err
	}
	for range 60 {
		before := row.Idle
		m, err := b.Memory()
		if err != nil {
			return err
		}
		if row.Idle = m.Anonymous; before > 0 && row.Idle <= before+before/50 {
			return nil
		}
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
	}
	return errors.New("the idle server's memory keeps growing")
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// consolidateTime bounds the whole: a job that makes no progress must not hang here.
const consolidateTime = 15 * time.Minute

// consolidate ends the run: it calls until the answer is 200, since one call may be
// answered before all of a long run is done.
func (b *bench) consolidate(ctx context.Context, row *consolidateRow) error {
	ctx, cancel := context.WithTimeout(ctx, consolidateTime)
	defer cancel()
	watch := b.watch()
	start := time.Now()
	for done := false; !done; {
		row.Calls++
		a, err := b.agent.Call(ctx, http.MethodPost, "/v1/memory/consolidate", map[string]any{"workspaceId": b.main, "runId": longRun})
		if err == nil {
			done, err = ended(a.Status, a.Body)
		}
		if err == nil && !done {
			err = pause(ctx, 100*time.Millisecond)
		}
		if err != nil {
			return errors.Join(err, watch().err)
		}
	}
	row.Seconds = time.Since(start).Seconds()
	seen := watch()
	row.Peak = seen.peak
	return seen.err
}

// ended tells an answer that the run is done from one that asks to try again.
func ended(status int, body []byte) (bool, error) {
	switch status {
	case http.StatusOK:
		return true, nil
	case http.StatusConflict, http.StatusServiceUnavailable:
		return false, nil
	}
	return false, fmt.Errorf("POST /v1/memory/consolidate: status %d: %s", status, body)
}

// watched is the greatest RssAnon that was seen.
type watched struct {
	peak int64
	err  error
}

// watch looks at the process's memory every 5 ms until the answered function is
// called.
func (s *service) watch() func() watched {
	stop, out := make(chan struct{}), make(chan watched, 1)
	look := func(w *watched) {
		var m process.Memory
		if m, w.err = s.Memory(); w.err == nil {
			w.peak = max(w.peak, m.Anonymous)
		}
	}
	go func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		var w watched
		for w.err == nil {
			look(&w)
			select {
			case <-stop:
				out <- w
				return
			case <-tick.C:
			}
		}
		<-stop
		out <- w
	}()
	return func() watched { close(stop); return <-out }
}

// cleared fails when a session entry of the run is still to be seen, or nothing was
// made of it.
func (b *bench) cleared(ctx context.Context, row *consolidateRow) error {
	left, err := b.listed(ctx, "layer=Session&runId="+longRun)
	if err != nil {
		return err
	}
	if left {
		return errors.New("session entries are left after consolidation")
	}
	made, err := b.listed(ctx, "type=episode")
	if err != nil {
		return err
	}
	if !made {
		return errors.New("consolidation made no episode")
	}
	var usage struct{ Items int }
	err = b.tenant.Admin.Do(ctx, http.MethodGet, "/v1/admin/usage?workspaceId="+b.main, nil, &usage)
	row.Made = usage.Items
	return err
}

// listed tells whether any entry passes a filter. A page may be empty and still have a
// next one.
func (b *bench) listed(ctx context.Context, filter string) (bool, error) {
	cursor := ""
	for {
		var page struct {
			Entries    []struct{ ID string }
			NextCursor string
		}
		path := "/v1/memory?limit=1&" + filter + "&workspaceId=" + b.main + cursor
		if err := b.agent.Do(ctx, http.MethodGet, path, nil, &page); err != nil {
			return false, err
		}
		if len(page.Entries) > 0 || page.NextCursor == "" {
			return len(page.Entries) > 0, nil
		}
		cursor = "&cursor=" + url.QueryEscape(page.NextCursor)
	}
}
