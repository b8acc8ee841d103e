//go:build integration

package e2e

import (
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"holdfast/internal/e2e/process"
)

// ownEngines are settings of the real engines: a table and queues of this test's, so that no
// message of another's server is taken by this one, nor held by one that was killed.
func ownEngines(t *testing.T, name string, visibility time.Duration) settings {
	t.Helper()
	given := settings(engines(t))
	emulate, err := process.Build(t.Context(), "holdfast/scripts/emulate", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	name = fmt.Sprintf("%s-%d", name, time.Now().UnixNano())
	out, err := exec.CommandContext(t.Context(), emulate, "-endpoint", given.value("AWS_ENDPOINT_URL"),
		"-opensearch", given.value("HOLDFAST_OPENSEARCH_URL"), "-name", name, "-visibility", visibility.String()).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// settings are lines of NAME=value.
type settings []string

func (s settings) value(name string) string {
	for _, line := range s {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return value
		}
	}
	return ""
}

// with replaces one setting.
func (s settings) with(name, value string) settings {
	out := settings{name + "=" + value}
	for _, line := range s {
		if !strings.HasPrefix(line, name+"=") {
			out = append(out, line)
		}
	}
	return out
}

func (s settings) start(t *testing.T) *server {
	t.Helper()
	return start(t, options(filepath.Join(t.TempDir(), "data"), s...))
}

// lag is how many log rows the index has not reached.
func (p place) lag(t *testing.T) int64 {
	t.Helper()
	var got struct{ IndexLag int64 }
	if err := p.tenant.Admin.Do(t.Context(), http.MethodGet, "/v1/admin/usage?workspaceId="+p.workspace, nil, &got); err != nil {
		t.Fatal(err)
	}
	return got.IndexLag
}

// asked is a retrieve's answer: the states of its arms and what it found.
func (p place) asked(t *testing.T, query string) (arms string, found map[string]bool) {
	t.Helper()
	arms, found = p.tried(t, query)
	if t.Failed() {
		t.FailNow()
	}
	return arms, found
}

// recalled checks that a memory is found once all arms run: those that run out of their
// time on a busy machine are asked again.
func (p place) recalled(t *testing.T, when string, n note) {
	t.Helper()
	var found map[string]bool
	eventually(t, when+" all arms run", func() bool {
		arms, got := p.asked(t, n.text)
		found = got
		return arms == "lexical=ran, semantic=ran, overlay=skipped"
	})
	if !found[n.id] {
		t.Errorf("%s %q is not found", when, n.text)
	}
}

// note is a memory of the load: what it says and its id.
type note struct{ id, text string }

// notes appends some memories from several callers at once and calls after behind
// each.
func (p place) notes(t *testing.T, from, n int, after func(done int)) []note {
	t.Helper()
	out := make([]note, n)
	var mu sync.Mutex
	var all sync.WaitGroup
	done, next := 0, 0
	for range 4 {
		all.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n {
					return
				}
				text := fmt.Sprintf("Parcel %s%d lies on shelf %d of the depot.", word(from+i), from+i, from+i)
				var made struct{ ID string }
				if err := p.agent.Do(t.Context(), http.MethodPost, "/v1/memory/append", p.memory(text), &made); err != nil {
					t.Error(err)
					return
				}
				out[i] = note{made.ID, text}
				mu.Lock()
				done++
				after(done)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return out
}

// word tells a number by letters, so that each text has a word of its own.
func word(n int) string {
	return string([]byte{'q', byte('a' + n/26%26), byte('a' + n%26), 'x'})
}

// TestT20OpenSearchStopsAndComesBackOnRealEngines stops the node in the middle of
// indexing: appends go on, retrieves answer in time and say which arms were missing
// (R0.83), and when it is back the index catches up and everything is found.
func TestT20OpenSearchStopsAndComesBackOnRealEngines(t *testing.T) {
	own := ownEngines(t, "stopped", 3*time.Second)
	node := wireTo(t, own.value("HOLDFAST_OPENSEARCH_URL"))
	s := own.with("HOLDFAST_OPENSEARCH_URL", node.base()).start(t)
	p := s.place(t)
	all := p.notes(t, 0, 30, func(int) {})
	eventually(t, "the index has reached the log", func() bool { return p.lag(t) == 0 })
	p.recalled(t, "before", all[7])

	all = append(all, p.notes(t, 30, 60, func(done int) {
		if done == 20 {
			node.cut()
		}
	})...)
	p.withoutTheIndex(t, 5, note{p.remember(t, "The depot closes at nine on Fridays."), "depot closes on Fridays"})
	if p.lag(t) == 0 {
		t.Error("the index has reached the log without its node")
	}
	s.alive(t)

	node.join()
	eventually(t, "the index has reached the log again", func() bool { return p.lag(t) == 0 })
	for _, n := range all {
		p.recalled(t, "after", n)
	}
	if rows := p.chain(t); rows < int64(len(all)) {
		t.Errorf("%d rows in the chain, %d memories", rows, len(all))
	}
}

// deadline of a retrieve (design: a route's timeout).
const deadline = 10 * time.Second

// withoutTheIndex asks some times while the node is away: what the log's end has is
// found all the same, since the newest rows are laid over the index.
func (p place) withoutTheIndex(t *testing.T, times int, last note) {
	t.Helper()
	for range times {
		began := time.Now()
		arms, found := p.asked(t, last.text)
		if took := time.Since(began); took > deadline {
			t.Errorf("answered after %s", took)
		}
		if arms != "lexical=degraded, semantic=degraded, overlay=ran" || !found[last.id] {
			t.Errorf("without the node: arms %s, the last memory is found: %v", arms, found[last.id])
		}
	}
}

// TestR083OpenSearchStopsUnderRetrievesOnRealEngines cuts the node while callers
// retrieve: every call answers, with all arms or saying which are missing.
func TestR083OpenSearchStopsUnderRetrievesOnRealEngines(t *testing.T) {
	own := ownEngines(t, "asked", 3*time.Second)
	node := wireTo(t, own.value("HOLDFAST_OPENSEARCH_URL"))
	p := own.with("HOLDFAST_OPENSEARCH_URL", node.base()).start(t).place(t)
	all := p.notes(t, 0, 20, func(int) {})
	eventually(t, "the index has reached the log", func() bool { return p.lag(t) == 0 })
	const ran, missing = "lexical=ran, semantic=ran, overlay=skipped", "lexical=degraded, semantic=degraded, overlay=skipped"
	var mu sync.Mutex
	seen := map[string]int{}
	var stopped atomic.Bool
	var callers sync.WaitGroup
	stop := func() { stopped.Store(true); callers.Wait() }
	t.Cleanup(stop) // also where the test ends before
	for c := range 4 {
		callers.Go(func() {
			for i := c; !stopped.Load(); i++ {
				n := all[i%len(all)]
				arms, found := p.tried(t, n.text)
				if arms == ran && !found[n.id] {
					t.Errorf("all arms ran, and %q is not found", n.text)
				}
				mu.Lock()
				seen[arms]++
				mu.Unlock()
			}
		})
	}
	more := func(arms string) {
		mu.Lock()
		least := seen[arms] + 20
		mu.Unlock()
		eventually(t, "answers with "+arms, func() bool { mu.Lock(); defer mu.Unlock(); return seen[arms] >= least })
	}
	for range 3 {
		more(ran)
		node.cut()
		more(missing)
		node.join()
	}
	more(ran)
	stop()
	for arms := range seen { // cut between the two, one arm has its answer
		if arms != ran && !strings.Contains(arms, "=degraded") {
			t.Errorf("states of arms: %v", seen)
		}
	}
}

// tried is asked for callers beside the test's own goroutine.
func (p place) tried(t *testing.T, query string) (arms string, found map[string]bool) {
	body := map[string]any{"workspaceId": p.workspace, "semanticQuery": query}
	a, err := p.agent.Call(t.Context(), http.MethodPost, "/v1/memory/retrieve", body)
	if err != nil || a.Status != http.StatusOK {
		t.Errorf("retrieve: status %d, %v: %s", a.Status, err, a.Body)
		return "none", nil
	}
	var got memoryContext
	if err := a.Into(&got); err != nil {
		t.Error(err)
	}
	found = map[string]bool{}
	for _, e := range got.WorkspaceEntries {
		found[e.ID] = true
	}
	return a.Header.Get("Memory-Arms"), found
}
