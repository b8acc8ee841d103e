package recall

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/embed"
	"holdfast/internal/errs"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// without is an answer of an index whose semantic arm failed.
func without(a search.Answer) search.Answer {
	hits := a.Hits
	a.Hits, a.SemanticErr = nil, errAway
	for _, h := range hits {
		if h.HasVec, h.Semantic = false, 0; h.Lexical > 0 {
			a.Hits = append(a.Hits, h)
		}
	}
	return a
}

// away are the ways in which a semantic arm can fail, each with how long a retrieve
// waits for it.
var away = map[string]struct {
	fail func(*world)
	wait time.Duration
}{
	"model down":              {func(w *world) { w.model.fail = embed.ErrUnavailable }, 0},
	"model hangs":             {func(w *world) { w.model.slow.Store(true) }, defaultEmbedTime},
	"model answers too late":  {func(w *world) { w.model.late = defaultEmbedTime + 1 }, defaultEmbedTime},
	"model of another length": {func(w *world) { w.model.Embedder = longer{w.model.Embedder} }, 0},
	"vectors down":            {func(w *world) { w.index.change = without }, 0},
	"both": {func(w *world) {
		w.model.slow.Store(true)
		w.EmbedTime, w.index.change = time.Second, without
	}, time.Second},
}

// longer answers vectors that are none of its profile.
type longer struct{ embed.Embedder }

func (l longer) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := l.Embedder.Embed(ctx, texts)
	for i := range vectors {
		vectors[i] = append(vectors[i], 1)
	}
	return vectors, err
}

// lively is a world with sessions, speakers, an importance of each kind, an index that
// lags, and more that the arms know than an answer holds.
func lively(t *testing.T) *world {
	w := newWorld(t)
	w.EmbedTime, w.SearchTime = 0, 0 // the defaults
	for i := range 90 {
		text := fmt.Sprintf("The ferry number %d has a bell, said %s.", i, []string{"Ida", "Olav", "Nora"}[i%3])
		w.add(text, inRun(fmt.Sprint("r", i/9)), alone)
		if i%5 == 0 {
			w.add("Bicycles travel free on Sundays.", alone)
		}
	}
	w.store(sibling, fact("Every ferry has a life boat.", inLayer("Tenant")))
	w.sync(here, sibling)
	w.add("The ferry takes bicycles since May.")
	w.add("Cars pay double on the boat.")
	return w
}

// took answers a context and how long it took.
func (w *world) took(query string, changes ...func(*Request)) (Context, time.Duration) {
	w.t.Helper()
	begun := time.Now()
	c := w.ask(query, changes...)
	return c, time.Since(begun)
}

var asking = []string{"Which ferry has a bell?", "When does Ida's boat take bicycles?", "ferry", "the of", "zeppelin", "What did Nora say in May about 7?"}

// scores are the entries of each section by place, with their scores.
func scores(c Context) map[Section][]string {
	out := map[Section][]string{}
	for s, entries := range c.Sections {
		for _, e := range entries {
			out[s] = append(out[s], fmt.Sprint(e.Memory.ID, " ", e.Score))
		}
	}
	return out
}

// Recall without the semantic arm is that of the lexical mode, to the score, whatever
// ails the arm; and nobody waits longer than the model may take.
func TestA04WithoutTheSemanticArmTheOrderIsThatOfTheLexicalMode(t *testing.T) {
	for name, c := range away {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := lively(t)
				c.fail(w)
				for _, query := range asking {
					for _, change := range []func(*Request){most(20), most(200), raw, least(.2), expanding(2, 1)} {
						want, _ := w.took(query, in(Lexical), change)
						got, wait := w.took(query, change)
						if a, b := scores(got), scores(want); !reflect.DeepEqual(a, b) {
							t.Errorf("%q: %v, want %v", query, a, b)
						}
						if arms := w.arms(got); arms != [3]ArmState{Ran, Degraded, Ran} || wait != c.wait {
							t.Errorf("%q: %v after %v", query, arms, wait)
						}
					}
				}
				<-time.After(time.Hour) // models that are deaf to their context end
			})
		})
	}
}

// With a breaker the model is waited for a few times; then retrieves take the time of
// the lexical arm, and one now and then tries.
func TestAModelThatHangsIsLeftOutAfterAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lively(t)
		w.Breaker = NewBreaker(w.clock)
		w.model.slow.Store(true)
		waits := func(n int, want time.Duration) {
			t.Helper()
			for range n {
				if c, wait := w.took("ferry"); wait != want || w.arms(c) != [3]ArmState{Ran, Degraded, Ran} {
					t.Errorf("%v after %v, want %v", c.Arms, wait, want)
				}
			}
		}
		waits(breakAfter, defaultEmbedTime)
		waits(5, 0)
		w.clock.Advance(breakFor)
		waits(1, defaultEmbedTime)
		waits(5, 0)
		if c, wait := w.took("ferry", in(Semantic)); wait != defaultEmbedTime || c.arm("semantic").State != Degraded {
			t.Errorf("the mode that has no other arm: %+v after %v", c.Arms, wait)
		}
		w.clock.Advance(breakFor)
		w.model.slow.Store(false)
		if c, wait := w.took("ferry"); wait != 0 || w.arms(c) != [3]ArmState{Ran, Ran, Ran} {
			t.Errorf("once it is back: %+v after %v", c.Arms, wait)
		}
	})
}

// Of many retrieves at a time one tries.
func TestOneRetrieveAtATimeTriesAModelThatWasAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lively(t)
		w.Breaker = NewBreaker(w.clock)
		w.model.slow.Store(true)
		for range breakAfter {
			w.ask("ferry")
		}
		w.clock.Advance(breakFor)
		w.model.calls.Store(0)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if _, err := w.Retrieve(t.Context(), question("ferry")); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if n := w.model.calls.Load(); n != 1 {
			t.Errorf("%d tried", n)
		}
	})
}

// Vectors that fail in the index open the circuit as a model does; an index that is away
// as a whole says nothing of its semantic arm.
func TestTheBreakerCountsFailuresOfTheArmAlone(t *testing.T) {
	w := lively(t)
	w.Breaker = NewBreaker(w.clock)
	for range 2 * breakAfter {
		w.index.fail = search.ErrUnavailable
		w.ask("ferry")
		w.index.fail = nil
		w.index.change = func(a search.Answer) search.Answer { a.SemanticErr, a.LexicalErr = errAway, errAway; return a }
		w.ask("ferry")
	}
	w.index.change = nil
	if got := w.arms(w.ask("ferry")); got != [3]ArmState{Ran, Ran, Ran} {
		t.Errorf("after an index that was away: %v", got)
	}
	w.index.change = without
	for range breakAfter {
		w.ask("ferry")
	}
	w.index.change, w.index.asked = nil, nil
	if got := w.arms(w.ask("ferry")); got != [3]ArmState{Ran, Degraded, Ran} || w.index.asked[0].Semantic != 0 {
		t.Errorf("after vectors that were away: %v", got)
	}
}

// slowCursors take their time.
type slowCursors struct {
	Cursors
	pause time.Duration
}

func (c slowCursors) Cursor(ctx context.Context, scope tenant.Scope) (int64, error) {
	if err := clock.Pause(ctx, c.pause); err != nil {
		return 0, err
	}
	return c.Cursors.Cursor(ctx, scope)
}

// A vector that came in time counts, also where the table took longer than it may take.
func TestASlowTableIsNoSlowModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := lively(t)
		w.Breaker = NewBreaker(w.clock)
		w.Cursors = slowCursors{w.Cursors, 2 * defaultEmbedTime}
		for range 20 { // two ways are open, and none may be taken by chance
			if c := w.ask("ferry"); c.arm("semantic").State != Ran {
				t.Fatalf("%+v", c.Arms)
			}
		}
	})
}

// An index that cannot count does not know what its semantic arm misses.
func TestA04AnIndexThatCannotCountSaysSo(t *testing.T) {
	w := lively(t)
	want := scores(w.ask("ferry"))
	w.index.change = func(a search.Answer) search.Answer { a.CountErr, a.Tallies = errAway, nil; return a }
	c := w.ask("ferry")
	if got := w.arms(c); got != [3]ArmState{Ran, Degraded, Ran} || !reflect.DeepEqual(scores(c), want) {
		t.Errorf("%+v", c.Arms)
	}
	if got := w.arms(w.ask("ferry", in(Lexical))); got != [3]ArmState{Ran, Skipped, Ran} {
		t.Errorf("%v", got)
	}
}

func hangs(ctx context.Context) { <-ctx.Done() }

// Whoever hangs, a request ends within its deadline, and with an answer where the table
// and the journal have theirs.
func TestNoRetrieveWaitsBeyondItsDeadline(t *testing.T) {
	const deadline = 800 * time.Millisecond
	lag := func(w *world) {
		w.CatchUp = func(ctx context.Context, _ tenant.Scope) error { hangs(ctx); return ctx.Err() }
	}
	model := func(w *world) { w.model.slow.Store(true); w.EmbedTime = time.Hour }
	index := func(w *world) { w.index.before = hangs }
	second := func(w *world) { w.Reranker, w.RerankTime = &scorer{slow: true}, time.Hour }
	for name, c := range map[string]struct {
		mode  Mode
		want  time.Duration // each takes half of what is left
		hangs []func(*world)
	}{
		"nobody": {Hybrid, 0, nil}, "model": {Hybrid, deadline / 2, []func(*world){model}}, "index": {Hybrid, deadline / 2, []func(*world){index}},
		"words alone": {Lexical, deadline / 2, []func(*world){model, index}}, "index and model": {Hybrid, deadline * 3 / 4, []func(*world){model, index}},
		"catch-up": {Deterministic, deadline / 2, []func(*world){lag}}, "catch-up and index": {Deterministic, deadline * 3 / 4, []func(*world){lag, index}},
		"second scorer": {Hybrid, deadline / 2, []func(*world){second}}, "all": {Hybrid, deadline * 7 / 8, []func(*world){model, index, second}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := lively(t)
				for _, hang := range c.hangs {
					hang(w)
				}
				ctx, cancel := context.WithTimeout(t.Context(), deadline)
				defer cancel()
				begun := time.Now()
				got, err := w.Retrieve(ctx, question("ferry bicycles", in(c.mode), func(r *Request) { r.Rerank = c.mode == Hybrid }))
				if took := time.Since(begun); err != nil || len(got.ids()) == 0 || took != c.want {
					t.Errorf("%v with %d entries after %v, want %v", err, len(got.ids()), took, c.want)
				}
			})
		})
	}
}

// Without the table or the journal there is no answer: an error at the deadline, and
// nothing is handed out.
func TestAStoreThatHangsIsToldAtTheDeadline(t *testing.T) {
	const deadline = 800 * time.Millisecond
	for _, mode := range []Mode{Hybrid, Deterministic} {
		for at := 1; ; at++ {
			done := false
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.EmbedTime, w.SearchTime = 0, 0 // the defaults
				w.store(here, floor("Sign the register."))
				w.add("The ferry has a bell.", inRun("r1"), alone)
				w.add("Ida likes the ferry.", ofUser("ida"), ofType("preference"))
				w.sync(here)
				w.add("The ferry takes bicycles.")
				s := &trips{Store: w.Store, hang: at}
				w.Store, w.Memories.Store = s, s
				ctx, cancel := context.WithTimeout(t.Context(), deadline)
				defer cancel()
				begun := time.Now()
				c, err := w.Retrieve(ctx, question("ferry bicycles", in(mode), asUser("ida"), expanding(2, 1)))
				took := time.Since(begun)
				if done = s.n < at; done {
					return
				}
				if !errs.Is(err, errs.Unavailable) || errs.As(err).RetryAfter <= 0 || took != deadline || c.ReceiptID != "" || len(w.journal.all) != 0 {
					t.Errorf("%s, read %d: %v after %v: %+v", mode, at, err, took, c)
				}
			})
			if done {
				break
			}
		}
	}
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.EmbedTime, w.SearchTime = 0, 0 // the defaults
		w.journal.slow = true
		ctx, cancel := context.WithTimeout(t.Context(), deadline)
		defer cancel()
		if c, err := w.Retrieve(ctx, question("ferry")); !errs.Is(err, errs.Unavailable) || c.Sections != nil {
			t.Errorf("journal: %v, %+v", err, c)
		}
	})
}
