package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"holdfast/internal/e2e/client"
)

// folderFacts is the number of facts of one agent that the calls of /v0 are measured
// at, few that of a small memory, and userFacts those of an end user who is erased.
const (
	folderFacts = 100_000
	fewFacts    = 100
	userFacts   = 5000
	folderCalls = 500
)

// folderRow is what facts in folders take.
type folderRow struct {
	Facts                   int
	WriteFew, WriteMany     latency
	Search                  map[string]latency // by kind of query
	EraseAnswer, EraseWhole time.Duration      // of a user with userFacts: the call, and until no row is left
	Idle, Full              int64              // RssAnon with no fact, and after a restart with all of them, in bytes
}

// folders is a run's memory under measure.
type folders struct {
	*service
	workspace string
	texts     *sentences
	run       client.Header
}

func measureFolders(ctx context.Context, binary, folder string) (row folderRow, err error) {
	data := filepath.Join(folder, "data-facts")
	s, _, err := startService(ctx, binary, data, nil)
	if err != nil {
		return row, err
	}
	f := &folders{service: s, texts: newSentences(29)}
	defer func() { _ = f.Close() }() // after an error; a clean stop was checked
	row.Facts = folderFacts
	for _, step := range []func(context.Context, *folderRow) error{f.begin, f.writes, f.searches, f.again, f.erases} {
		if err := step(ctx, &row); err != nil {
			return row, err
		}
	}
	return row, errors.Join(f.stop(ctx), os.RemoveAll(data))
}

// begin starts a run for an end user.
func (f *folders) begin(ctx context.Context, row *folderRow) (err error) {
	m, err := f.Memory()
	if err != nil {
		return err
	}
	row.Idle = m.Anonymous
	if f.workspace, err = f.tenant.Workspace(ctx, "facts"); err != nil {
		return err
	}
	var started struct{ Token string }
	err = f.agent.Do(ctx, http.MethodPost, "/v0/runs", map[string]any{"agent_id": "desk", "user_id": "ida"}, &started, f.place())
	f.run = client.Header{Name: "X-Agentos-Run-Token", Value: started.Token}
	return err
}

func (f *folders) place() client.Header {
	return client.Header{Name: "Workspace-Id", Value: f.workspace}
}

// call makes a call of the run and answers how long it took.
func (f *folders) call(ctx context.Context, path string, body any) (time.Duration, error) {
	start := time.Now()
	a, err := f.agent.With("").Call(ctx, http.MethodPost, path, body, f.run)
	if err == nil && a.Status/100 != 2 {
		err = fmt.Errorf("POST %s: status %d: %s", path, a.Status, a.Body)
	}
	return time.Since(start), err
}

func (f *folders) save(ctx context.Context, folder, text string) (time.Duration, error) {
	return f.call(ctx, "/v0/memory/facts", map[string]any{"path": folder, "text": text})
}

// writes measures a write beside few facts and beside many.
func (f *folders) writes(ctx context.Context, row *folderRow) (err error) {
	if err := f.fill(ctx, fewFacts-folderCalls/10, 0); err != nil {
		return err
	}
	if row.WriteFew, err = f.eachSave(ctx); err != nil {
		return err
	}
	if err := f.fill(ctx, folderFacts-userFacts-fewFacts-2*folderCalls, userFacts); err != nil {
		return err
	}
	row.WriteMany, err = f.eachSave(ctx)
	return err
}

func (f *folders) eachSave(ctx context.Context) (latency, error) {
	took := make([]time.Duration, folderCalls)
	for n := range took {
		var err error
		if took[n], err = f.save(ctx, fmt.Sprintf("companies/%d/", n%97), f.texts.next()); err != nil {
			return latency{}, err
		}
	}
	return summarize(took), nil
}

// fill saves facts in companies' folders and in the user's, many callers at a time.
func (f *folders) fill(ctx context.Context, shared, own int) error {
	type fact struct{ folder, text string }
	work := make(chan fact)
	var mu sync.Mutex
	var failures []error
	var done sync.WaitGroup
	for range 32 {
		done.Go(func() {
			for one := range work {
				if _, err := f.save(ctx, one.folder, one.text); err != nil {
					mu.Lock()
					failures = append(failures, err)
					mu.Unlock()
				}
			}
		})
	}
	for n := range shared + own {
		folder := fmt.Sprintf("companies/%d/", n%97)
		if n >= shared {
			folder = "users/{user}/"
		}
		work <- fact{folder, f.texts.next()}
	}
	close(work)
	done.Wait()
	return errors.Join(failures...)
}

// searches measures a search by a sentence's words, by a common word, by one letter and
// within a folder.
func (f *folders) searches(ctx context.Context, row *folderRow) error {
	row.Search = map[string]latency{}
	for name, ask := range map[string]func() map[string]any{
		"words":      func() map[string]any { return map[string]any{"query": f.texts.query(), "k": 5} },
		"one word":   func() map[string]any { return map[string]any{"query": strings.Fields(f.texts.query())[0], "k": 5} },
		"one letter": func() map[string]any { return map[string]any{"query": f.texts.query()[:1], "k": 5} },
		"a folder": func() map[string]any {
			return map[string]any{"query": f.texts.query(), "path": "companies/7/", "k": 50}
		},
	} {
		took := make([]time.Duration, folderCalls)
		for n := range took {
			var err error
			if took[n], err = f.call(ctx, "/v0/memory/search", ask()); err != nil {
				return err
			}
		}
		row.Search[name] = summarize(took)
	}
	return nil
}

// again starts the server anew, so that what the writes took is not counted.
func (f *folders) again(ctx context.Context, row *folderRow) error {
	if err := f.stop(ctx); err != nil {
		return err
	}
	s, _, err := startService(ctx, f.binary, f.Data, f.service)
	if err != nil {
		return err
	}
	f.service = s
	if _, err := f.call(ctx, "/v0/memory/search", map[string]any{"query": f.texts.query()}); err != nil {
		return err
	}
	m, err := f.Memory()
	row.Full = m.Anonymous
	return err
}

// erases erases the end user, and waits until no job is left.
func (f *folders) erases(ctx context.Context, row *folderRow) error {
	start := time.Now()
	err := f.tenant.Admin.Do(ctx, http.MethodDelete, "/v0/agents/desk/users/ida", nil, nil, f.place())
	row.EraseAnswer = time.Since(start)
	for err == nil {
		var open struct{ Jobs []struct{ JobID string } }
		err = f.tenant.Admin.Do(ctx, http.MethodGet, "/v1/admin/jobs?workspaceId="+f.workspace, nil, &open)
		if err == nil && len(open.Jobs) == 0 {
			row.EraseWhole = time.Since(start)
			return nil
		}
		if err == nil {
			err = pause(ctx, 10*time.Millisecond)
		}
	}
	return err
}

func printFolders(w io.Writer, r folderRow) error {
	return table(w, func(p *printer) {
		p.row("facts of one agent: %d\tp50\tp99\t", r.Facts)
		p.row("write at %d\t%s\t%s\t", fewFacts, micro(r.WriteFew.P50), micro(r.WriteFew.P99))
		p.row("write at %d\t%s\t%s\t", r.Facts, micro(r.WriteMany.P50), micro(r.WriteMany.P99))
		for _, name := range []string{"words", "one word", "one letter", "a folder"} {
			p.row("search, %s\t%s\t%s\t", name, micro(r.Search[name].P50), micro(r.Search[name].P99))
		}
		p.row("erase a user of %d\t%s answered\t%s whole\t", userFacts, micro(r.EraseAnswer), micro(r.EraseWhole))
		p.row("RssAnon\t%d MB empty\t%d MB full\t", r.Idle>>20, r.Full>>20)
	})
}
