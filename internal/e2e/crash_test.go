package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"holdfast/internal/e2e/client"
)

// attempt is one append of the load: its key and text, and the id once acknowledged.
type attempt struct {
	key, content, id string
}

// load appends from several clients until the server is gone.
type load struct {
	place
	mu       sync.Mutex
	attempts []*attempt
	all      sync.WaitGroup
}

const writers = 8

func (l *load) begin(t *testing.T, round int) {
	for w := range writers {
		l.all.Go(func() {
			for n := 0; ; n++ {
				a := &attempt{key: fmt.Sprintf("k-%d-%d-%d", round, w, n), content: fmt.Sprintf("Crate %d of row %d was counted in round %d.", n, w, round)}
				l.mu.Lock()
				l.attempts = append(l.attempts, a)
				l.mu.Unlock()
				if err := l.send(t, a); err != nil {
					return
				}
			}
		})
	}
}

func (l *load) send(t *testing.T, a *attempt) error {
	var made struct{ ID string }
	err := l.agent.Do(t.Context(), http.MethodPost, "/v1/memory/append", l.memory(a.content), &made,
		client.Header{Name: "Idempotency-Key", Value: a.key})
	if err == nil {
		l.mu.Lock()
		a.id = made.ID
		l.mu.Unlock()
	}
	return err
}

func (l *load) acknowledged() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, a := range l.attempts {
		if a.id != "" {
			n++
		}
	}
	return n
}

func TestT40KillUnderLoadLosesNothingThatWasAcknowledged(t *testing.T) {
	data := folder(t)
	s := start(t, options(data))
	l := &load{place: s.place(t)}
	for round := range 3 {
		before := l.acknowledged()
		l.begin(t, round)
		eventually(t, "the load runs", func() bool { return l.acknowledged() > before+50*(round+1) })
		if err := s.Kill(); err != nil {
			t.Fatal(err)
		}
		l.all.Wait()
		s = start(t, options(data))
		l.place = l.at(s)
		l.allThere(t)
	}
	l.tryAgain(t)
	l.chain(t)
	if code := s.stop(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// allThere reads every acknowledged memory back.
func (l *load) allThere(t *testing.T) {
	t.Helper()
	for _, a := range l.attempts {
		if a.id == "" {
			continue
		}
		var got struct{ Content string }
		if err := l.agent.Do(t.Context(), http.MethodGet, l.path(a.id), nil, &got); err != nil || got.Content != a.content {
			t.Errorf("%s was acknowledged: %q, %v", a.key, got.Content, err)
		}
	}
}

// tryAgain repeats what was under way at the kills with the same keys, as a caller
// does who got no answer; then every text is there once (T.15, T.17).
func (l *load) tryAgain(t *testing.T) {
	t.Helper()
	for _, a := range l.attempts {
		if a.id != "" {
			continue
		}
		if err := l.send(t, a); err != nil {
			t.Error(err)
		}
	}
	count := make(map[string]int)
	for cursor := ""; ; {
		var page struct {
			Entries    []struct{ Content string }
			NextCursor string
		}
		path := "/v1/memory?limit=100&workspaceId=" + l.workspace + "&cursor=" + cursor
		if cursor == "" {
			path = strings.TrimSuffix(path, "&cursor=")
		}
		if err := l.agent.Do(t.Context(), http.MethodGet, path, nil, &page); err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Entries {
			count[e.Content]++
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	for _, a := range l.attempts {
		if count[a.content] != 1 {
			t.Errorf("%s is there %d times", a.key, count[a.content])
		}
	}
	if len(count) != len(l.attempts) {
		t.Errorf("%d texts are listed, %d were written", len(count), len(l.attempts))
	}
}

func TestT40BackgroundWorkGoesOnAfterAKill(t *testing.T) {
	data := folder(t)
	s := start(t, options(data, "HOLDFAST_TEST_CLOCK=1"))
	p := s.place(t)
	kept, gone := p.remember(t, "The lighthouse lamp is serviced in autumn."), p.remember(t, "The keeper's number is on the door.")
	if err := p.agent.Do(t.Context(), http.MethodDelete, p.path(gone), nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	s = start(t, options(data, "HOLDFAST_TEST_CLOCK=1"))
	s.leasesEnd(t)
	p = p.at(s)
	eventually(t, "the erasure is complete", func() bool { return p.erasure(t, gone) == "complete" })
	eventually(t, "the memory is recalled", func() bool { return p.recalls(t, "lighthouse lamp", kept) })
	p.chain(t)
}

// leasesEnd lets the time go by for which a job stays with a worker: one that was
// under way at a kill is free again then.
func (s *server) leasesEnd(t *testing.T) {
	t.Helper()
	step := map[string]any{"advanceSeconds": 600}
	if err := s.root.Do(t.Context(), http.MethodPost, "/v1/test/clock", step, nil); err != nil {
		t.Fatal(err)
	}
}

func (p place) erasure(t *testing.T, id string) string {
	t.Helper()
	var got struct{ Status string }
	if err := p.agent.Do(t.Context(), http.MethodGet, "/v1/memory/"+id+"/erasure?workspaceId="+p.workspace, nil, &got); err != nil {
		t.Fatal(err)
	}
	return got.Status
}

type memoryContext struct {
	ReceiptID        string
	WorkspaceEntries []struct{ ID string }
}

func (p place) retrieve(t *testing.T, query string) memoryContext {
	t.Helper()
	var got memoryContext
	body := map[string]any{"workspaceId": p.workspace, "semanticQuery": query}
	if err := p.agent.Do(t.Context(), http.MethodPost, "/v1/memory/retrieve", body, &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func (p place) recalls(t *testing.T, query, id string) bool {
	t.Helper()
	for _, e := range p.retrieve(t, query).WorkspaceEntries {
		if e.ID == id {
			return true
		}
	}
	return false
}

func TestT40DeferredEmbeddingGoesOnAfterAKill(t *testing.T) {
	data := folder(t)
	s := start(t, options(data, "HOLDFAST_TEST_CLOCK=1"))
	p := s.place(t)
	change := map[string]any{"deferEmbedding": true}
	if err := p.tenant.Admin.Do(t.Context(), http.MethodPatch, "/v1/admin/workspaces/"+p.workspace, change, nil); err != nil {
		t.Fatal(err)
	}
	var operations []string
	for i := range 20 {
		var made struct{ OperationID string }
		text := fmt.Sprintf("Buoy number %d was repainted.", i)
		if err := p.agent.Do(t.Context(), http.MethodPost, "/v1/memory/append", p.memory(text), &made); err != nil {
			t.Fatal(err)
		}
		operations = append(operations, made.OperationID)
	}
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	s = start(t, options(data, "HOLDFAST_TEST_CLOCK=1"))
	p = p.at(s)
	s.leasesEnd(t)
	for _, id := range operations {
		eventually(t, "operation "+id+" is indexed", func() bool {
			var got struct{ Status string }
			err := p.agent.Do(t.Context(), http.MethodGet, "/v1/memory/operations/"+id+"?workspaceId="+p.workspace, nil, &got)
			if err != nil {
				t.Fatal(err)
			}
			return got.Status == "indexed"
		})
	}
}

func TestT19ReadReceiptsSurviveAKill(t *testing.T) {
	data := folder(t)
	s := start(t, options(data))
	p := s.place(t)
	p.remember(t, "The pilot boat is moored at berth three.")
	receipt := p.retrieve(t, "pilot boat").ReceiptID
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	p = p.at(start(t, options(data)))
	eventually(t, "the receipt is sealed", func() bool {
		sealed, err := p.sealed(t, receipt)
		if err != nil {
			t.Fatal(err)
		}
		return sealed
	})
	p.chain(t)
}

// sealed tells whether a read receipt has its place in the chain (T.41).
func (p place) sealed(t *testing.T, receipt string) (bool, error) {
	var got struct {
		ReceiptID string
		Sequence  *int64
	}
	err := p.tenant.Admin.Do(t.Context(), http.MethodGet, "/v1/receipts/"+receipt+"?workspaceId="+p.workspace, nil, &got)
	if err == nil && got.ReceiptID != receipt {
		err = errors.New("another receipt was answered")
	}
	return got.Sequence != nil, err
}
