//go:build integration

package e2e

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"holdfast/internal/e2e/client"
)

// throughGate starts a server whose calls of DynamoDB go through a gate.
func throughGate(t *testing.T, own settings) (*gate, *server) {
	t.Helper()
	g := gateTo(t, own.value("AWS_ENDPOINT_URL"))
	return g, own.with("AWS_ENDPOINT_URL_DYNAMODB", g.URL).start(t)
}

// insisting is a caller that sends each memory until it is taken, always with the
// same Idempotency-Key, as T.15 tells callers.
type insisting struct {
	place
	mu       sync.Mutex
	refusals map[int]int // answers by status
}

func (c *insisting) append(ctx context.Context, key, content string) error {
	pause := time.NewTicker(50 * time.Millisecond)
	defer pause.Stop()
	for {
		a, err := c.agent.Call(ctx, http.MethodPost, "/v1/memory/append", c.memory(content),
			client.Header{Name: "Idempotency-Key", Value: key})
		switch {
		case err != nil:
			return err
		case a.Status == http.StatusOK:
			return nil
		case a.Status != http.StatusServiceUnavailable && a.Status != http.StatusTooManyRequests:
			return fmt.Errorf("%s: status %d: %s", key, a.Status, a.Body)
		}
		c.mu.Lock()
		c.refusals[a.Status]++
		c.mu.Unlock()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-pause.C:
		}
	}
}

// TestT15TenSecondsOfThrottlingLeaveOneEffectEachOnRealEngines: DynamoDB has no
// capacity for a while, and callers try again with the same keys.
func TestT15TenSecondsOfThrottlingLeaveOneEffectEachOnRealEngines(t *testing.T) {
	own := ownEngines(t, "throttled", 3*time.Second)
	g, s := throughGate(t, own)
	c := &insisting{place: s.place(t), refusals: map[int]int{}}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var texts []string
	var all sync.WaitGroup
	began := make(chan struct{}, 1)
	for w := range 4 {
		for i := range 12 {
			texts = append(texts, fmt.Sprintf("Ticket %d of window %d was sold.", i, w))
		}
		mine := texts[w*12:]
		all.Go(func() {
			for i, text := range mine {
				if i == 4 {
					select {
					case began <- struct{}{}:
						until := time.Now().Add(10 * time.Second)
						scarce := func() bool { return time.Now().Before(until) }
						g.refuse.Store(&scarce)
					default: // another has begun it
					}
				}
				if err := c.append(ctx, fmt.Sprintf("ticket-%d-%d", w, i), text); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if g.refused.Load() < 10 {
		t.Errorf("%d calls were throttled", g.refused.Load())
	}
	t.Logf("%d calls were throttled, callers met %v", g.refused.Load(), c.refusals)
	s.alive(t)
	c.once(t, texts)
	eventually(t, "the index has reached the log", func() bool { return c.lag(t) == 0 })
}

// once checks that each text is in the workspace once, and nothing else, and that the
// chain has a row for each.
func (p place) once(t *testing.T, texts []string) {
	t.Helper()
	count := map[string]int{}
	for cursor := ""; ; {
		var page struct {
			Entries    []struct{ Content string }
			NextCursor string
		}
		path := "/v1/memory?limit=100&workspaceId=" + p.workspace
		if cursor != "" {
			path += "&cursor=" + cursor
		}
		if err := p.agent.Do(t.Context(), http.MethodGet, path, nil, &page); err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Entries {
			count[e.Content]++
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	for _, text := range texts {
		if count[text] != 1 {
			t.Errorf("%q is there %d times", text, count[text])
		}
	}
	if rows := p.chain(t); len(count) != len(texts) || rows != int64(len(texts)) {
		t.Errorf("%d texts and %d rows in the chain, %d were written", len(count), rows, len(texts))
	}
}

// TestT15KillBetweenCommitAndAnswerLeavesOneEffectOnRealEngines lets the commit
// through and kills the process before it hears of it. The caller tries again with its
// key on another process.
func TestT15KillBetweenCommitAndAnswerLeavesOneEffectOnRealEngines(t *testing.T) {
	own := ownEngines(t, "killed", 3*time.Second)
	// As a function, the one that is killed polls no queue: the emulator would hand
	// messages to its polls for as long as they were to last.
	g, s := throughGate(t, own.with("HOLDFAST_QUEUE", "memory"))
	p := s.place(t)
	committed, released := make(chan struct{}, 8), make(chan struct{})
	defer close(released)
	hold := func(call string) {
		if call == "TransactWriteItems" {
			committed <- struct{}{}
			<-released
		}
	}
	g.hold.Store(&hold)
	const text = "The night train leaves from platform four."
	key := client.Header{Name: "Idempotency-Key", Value: "night-train"}
	answered := make(chan error, 1)
	go func() {
		_, err := p.agent.Call(t.Context(), http.MethodPost, "/v1/memory/append", p.memory(text), key)
		answered <- err
	}()
	select {
	case <-committed:
	case err := <-answered:
		t.Fatalf("answered before the commit was held: %v", err)
	case <-time.After(patience):
		t.Fatal("no commit")
	}
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-answered; err == nil {
		t.Error("the call was answered although the process was killed")
	}

	p = p.at(own.start(t))
	a, err := p.agent.Call(t.Context(), http.MethodPost, "/v1/memory/append", p.memory(text), key)
	if err != nil || a.Status != http.StatusOK || a.Header.Get("Idempotency-Replayed") != "true" {
		t.Fatalf("tried again: status %d, %v, %v: %s", a.Status, a.Header, err, a.Body)
	}
	p.once(t, []string{text})
	var made struct{ ID string }
	if err := a.Into(&made); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the memory is recalled", func() bool { return p.recalls(t, "night train platform", made.ID) })
	p.remember(t, "The day train leaves from platform two.") // wakes the index worker before the sweep does
	eventually(t, "the index has reached the log", func() bool { return p.lag(t) == 0 })
}
