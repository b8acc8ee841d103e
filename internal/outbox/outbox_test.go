package outbox_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/errs"
	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

var scope = tenant.Grant("01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002")

// sent is a queue that only remembers.
type sent struct {
	mu    sync.Mutex
	all   []string
	delay []time.Duration
	fail  error
}

func (s *sent) Send(_ context.Context, q queue.Name, batch []queue.Message) ([]error, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return nil, s.fail
	}
	for _, m := range batch {
		s.all, s.delay = append(s.all, string(q)+" "+m.Body), append(s.delay, m.Delay)
	}
	return make([]error, len(batch)), nil
}

type world struct {
	store *memstore.Store
	clock *clock.Fixed
	queue *sent
	r     *outbox.Runner
}

func newWorld(t *testing.T, jobs ...outbox.Job) *world {
	t.Helper()
	w := &world{store: memstore.New(), clock: clock.NewFixed(time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)), queue: &sent{}}
	w.r = &outbox.Runner{Store: w.store, Queue: w.queue, Clock: w.clock, Lease: time.Minute,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	for _, j := range jobs {
		j.Scope, j.State, j.CreatedAt, j.DueAt = scope, outbox.Pending, w.clock.Now(), w.clock.Now()
		action, err := j.Put("job")
		if err != nil {
			t.Fatal(err)
		}
		w.do(t, action)
	}
	return w
}

func (w *world) do(t *testing.T, actions ...store.Action) {
	t.Helper()
	if err := w.store.Commit(t.Context(), store.Tx{Actions: actions}); err != nil {
		t.Fatal(err)
	}
}

func (w *world) job(t *testing.T, id string) (outbox.Job, bool) {
	t.Helper()
	job, found, err := w.r.Find(t.Context(), scope, id)
	if err != nil {
		t.Fatal(err)
	}
	return job, found
}

// finish is work that succeeds: its commit takes the job away.
func (w *world) finish(ctx context.Context, job outbox.Job) error {
	return w.store.Commit(ctx, store.Tx{Actions: []store.Action{job.Done()}})
}

func broken(context.Context, outbox.Job) error { return errs.New(errs.Unavailable, "MODEL_AWAY", "x") }

func TestT20AJobThatIsDoneHasNoRow(t *testing.T) {
	w := newWorld(t, outbox.Job{ID: "j1", Kind: outbox.Embed, ItemID: "m"})
	runs := 0
	for range 2 { // a doubled message
		err := w.r.Run(t.Context(), scope, "j1", func(ctx context.Context, job outbox.Job) error {
			runs++
			return w.finish(ctx, job)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, found := w.job(t, "j1"); found || runs != 1 {
		t.Fatalf("found %v after %d runs", found, runs)
	}
}

func TestT20ALeaseKeepsTwoWorkersApart(t *testing.T) {
	w := newWorld(t, outbox.Job{ID: "j1", Kind: outbox.Erase})
	err := w.r.Run(t.Context(), scope, "j1", func(ctx context.Context, job outbox.Job) error {
		return w.r.Run(ctx, scope, "j1", func(context.Context, outbox.Job) error {
			t.Error("a second worker ran the job")
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(2 * time.Minute) // the first never finished; its lease ran out
	ran := false
	err = w.r.Run(t.Context(), scope, "j1", func(ctx context.Context, job outbox.Job) error {
		ran = true
		return w.finish(ctx, job)
	})
	if err != nil || !ran {
		t.Fatalf("ran %v, %v", ran, err)
	}
}

func TestT20AJobIsDeadAfterItsTriesAndCanBeDrivenAgain(t *testing.T) {
	w := newWorld(t, outbox.Job{ID: "j1", Kind: outbox.Erase})
	gaveUp := 0
	w.r.OnDead = func(context.Context, outbox.Job) error { gaveUp++; return nil }
	var pauses []time.Duration
	for n := 1; n <= outbox.Tries; n++ {
		if err := w.r.Run(t.Context(), scope, "j1", broken); err != nil {
			t.Fatal(err)
		}
		job, _ := w.job(t, "j1")
		if job.Attempts != n || job.LastError != "MODEL_AWAY" {
			t.Fatalf("after %d tries: %+v", n, job)
		}
		pauses = append(pauses, job.DueAt.Sub(w.clock.Now()))
		w.clock.Advance(time.Hour)
	}
	for i := 1; i < len(pauses); i++ {
		if pauses[i] < pauses[i-1] {
			t.Fatalf("pauses do not grow: %v", pauses)
		}
	}
	job, _ := w.job(t, "j1")
	if job.State != outbox.Dead || gaveUp != 1 {
		t.Fatalf("%+v, given up %d times", job, gaveUp)
	}
	if n, err := w.r.Sweep(t.Context()); err != nil || n != 0 {
		t.Fatalf("the sweep sent %d dead jobs, %v", n, err)
	}
	if err := w.r.Run(t.Context(), scope, "j1", w.finish); err != nil {
		t.Fatal(err)
	}
	if _, found := w.job(t, "j1"); !found {
		t.Fatal("a message ran a dead job")
	}
	action, err := job.Again(w.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	w.do(t, action)
	if n, err := w.r.Sweep(t.Context()); err != nil || n != 1 {
		t.Fatalf("driven again: the sweep sent %d, %v", n, err)
	}
	if err := w.r.Run(t.Context(), scope, "j1", w.finish); err != nil {
		t.Fatal(err)
	}
	if _, found := w.job(t, "j1"); found {
		t.Fatal("still there")
	}
}

func TestT20WorkersThatDieSilentlyUseUpTheTries(t *testing.T) {
	w := newWorld(t, outbox.Job{ID: "j1", Kind: outbox.Embed})
	gaveUp := false
	w.r.OnDead = func(context.Context, outbox.Job) error { gaveUp = true; return nil }
	silent := func(context.Context, outbox.Job) error { return nil } // dies: never removes the job
	for range outbox.Tries + 2 {
		if err := w.r.Run(t.Context(), scope, "j1", silent); err != nil {
			t.Fatal(err)
		}
		w.clock.Advance(time.Hour)
		if _, err := w.r.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.clock.Advance(time.Hour)
	}
	if job, _ := w.job(t, "j1"); job.State != outbox.Dead || !gaveUp {
		t.Fatalf("%+v, given up %v", job, gaveUp)
	}
}

func TestT20TheSweepFindsWhatWasMissedOnce(t *testing.T) {
	w := newWorld(t, outbox.Job{ID: "j1", Kind: outbox.Embed}, outbox.Job{ID: "j2", Kind: outbox.Erase})
	w.do(t, outbox.Mark("mark", scope, 7, w.clock.Now()))
	for _, want := range []int{3, 0} {
		if n, err := w.r.Sweep(t.Context()); err != nil || n != want {
			t.Fatalf("sent %d, want %d, %v", n, want, err)
		}
	}
	w.clock.Advance(2 * time.Minute)
	if n, _ := w.r.Sweep(t.Context()); n != 3 {
		t.Fatalf("a minute later %d, want all again", n)
	}
	w.do(t, outbox.Unmark(scope, 7))
	if _, found, _ := w.store.Get(t.Context(), keys.IndexMark(scope)); found {
		t.Fatal("the mark is still there")
	}
}

func TestANewerMarkStays(t *testing.T) {
	w := newWorld(t)
	w.do(t, outbox.Mark("mark", scope, 8, w.clock.Now()))
	err := w.store.Commit(t.Context(), store.Tx{Actions: []store.Action{outbox.Unmark(scope, 7)}})
	if !store.Failed(err, "mark") {
		t.Fatalf("%v, want a failed condition", err)
	}
}

func TestAFailedSendLosesNothing(t *testing.T) {
	w := newWorld(t, outbox.Job{ID: "j1", Kind: outbox.Embed})
	w.queue.fail = errors.New("away")
	if n, err := w.r.Sweep(t.Context()); n != 0 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	w.queue.fail = nil
	w.clock.Advance(2 * time.Minute)
	if n, _ := w.r.Sweep(t.Context()); n != 1 {
		t.Fatalf("%d sent when the queue is back", n)
	}
}

func TestListPagesByState(t *testing.T) {
	var jobs []outbox.Job
	for _, id := range []string{"a", "b", "b-1", "c", "d"} {
		jobs = append(jobs, outbox.Job{ID: id, Kind: outbox.Embed})
	}
	w := newWorld(t, jobs...)
	if err := w.r.Run(t.Context(), scope, "c", broken); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		state outbox.State
		want  string
	}{{"", "a b b-1 c d "}, {outbox.Failed, "c "}, {outbox.Dead, ""}, {outbox.Pending, "a b b-1 d "}} {
		got, after := "", ""
		for {
			page, next, err := w.r.List(t.Context(), scope, c.state, 2, after)
			if err != nil {
				t.Fatal(err)
			}
			for _, j := range page {
				got += j.ID + " "
			}
			if next == "" {
				break
			}
			after = next
		}
		if got != c.want {
			t.Errorf("state %q: %q, want %q", c.state, got, c.want)
		}
	}
}

func TestMessagesThatAreNotOursAreRefused(t *testing.T) {
	for _, body := range []string{"", "{", "[]", "7", `{"job":"x"}`, `{"tenant":"t"}`} {
		if _, err := outbox.ParseMessage(body); !errors.Is(err, outbox.ErrBadMessage) {
			t.Errorf("%q: %v", body, err)
		}
	}
	m := outbox.Message{Tenant: "t", Workspace: "w", Job: "j"}
	if back, err := outbox.ParseMessage(m.Encode()); err != nil || back != m {
		t.Fatalf("%+v, %v", back, err)
	}
}

func TestTheRelayGathersWhatHappened(t *testing.T) {
	q := &sent{}
	r := outbox.NewRelay(q, slog.New(slog.NewTextHandler(io.Discard, nil)))
	for range 50 {
		r.Committed(scope, true, nil)
	}
	r.Committed(scope, false, []outbox.Job{{ID: "j", Kind: outbox.Erase, Scope: scope}})
	r.Flush(t.Context())
	r.Flush(t.Context())
	if len(q.all) != 2 {
		t.Fatalf("%d messages, want one of the index and one of the job: %v", len(q.all), q.all)
	}
}

func TestWorkspacesThatHaveWebhooksHearOfEveryCommit(t *testing.T) {
	q := &sent{}
	r := outbox.NewRelay(q, slog.New(slog.NewTextHandler(io.Discard, nil)))
	broken := scope.Sibling("01890000-0000-7000-8000-000000000003")
	r.Watched = func(_ context.Context, s tenant.Scope) (bool, error) {
		if s == broken {
			return false, errors.New("away")
		}
		return s == scope, nil
	}
	r.Committed(scope, false, nil)
	r.Committed(scope.Own(), false, nil)
	r.Committed(broken, false, nil)
	r.Flush(t.Context())
	if len(q.all) != 1 || q.all[0] != "events "+outbox.NewMessage(scope, "").Encode() {
		t.Errorf("%v", q.all)
	}
	r.Committed(scope, true, nil)
	r.Committed(scope, false, nil)
	r.Flush(t.Context())
	if len(q.all) != 3 {
		t.Errorf("%v", q.all)
	}
}

// The queue of the index has jobs beside the marks of workspaces that moved.
func TestT20TheSweepAndARestartTellIndexJobsFromMarks(t *testing.T) {
	w := newWorld(t, outbox.Job{ID: "refused", Kind: outbox.Index, ItemID: "m1"})
	w.do(t, outbox.Mark("mark", scope, 3, w.clock.Now()))
	broken := func(context.Context, outbox.Job) error { return errors.New("refused") }
	if err := w.r.Run(t.Context(), scope, "refused", broken); err != nil {
		t.Fatal(err)
	}
	w.queue.all = nil
	if err := w.r.Restarted(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := w.r.Sweep(t.Context()); n != 2 || err != nil {
		t.Fatalf("%d sent, %v", n, err)
	}
	slices.Sort(w.queue.all)
	want := []string{"index " + outbox.NewMessage(scope, "").Encode(), "index " + outbox.NewMessage(scope, "refused").Encode()}
	slices.Sort(want)
	if !slices.Equal(w.queue.all, want) {
		t.Errorf("sent %q", w.queue.all)
	}
	if job, found := w.job(t, "refused"); !found || job.ItemID != "m1" || job.Attempts != 1 {
		t.Errorf("job %+v", job)
	}
}

// A workspace that has webhooks is woken with every sweep, and its row stays as it is.
func TestTheSweepWakesWorkspacesThatHaveWebhooks(t *testing.T) {
	w := newWorld(t)
	item := store.Item{Key: keys.WebhookMark(scope), Attrs: store.Attrs{"kind": store.S(outbox.KindEvents)},
		Due: &store.Due{Shard: outbox.Shard(scope), At: w.clock.Now()}}
	w.do(t, store.PutItem("mark", item, nil))
	for want := 1; want <= 2; want++ {
		if n, err := w.r.Sweep(t.Context()); n != 1 || err != nil || len(w.queue.all) != want {
			t.Errorf("%d, %v: %v", n, err, w.queue.all)
		}
	}
	if w.queue.all[0] != "events "+outbox.NewMessage(scope, "").Encode() {
		t.Errorf("%v", w.queue.all)
	}
}

func TestT40WhatADeadProcessHadLeasedIsDueAtOnce(t *testing.T) {
	w := newWorld(t, outbox.Job{ID: "leased", Kind: outbox.Erase}, outbox.Job{ID: "late", Kind: outbox.Embed})
	w.do(t, outbox.Mark("mark", scope, 3, w.clock.Now().Add(30*time.Second)))
	silent := func(context.Context, outbox.Job) error { return nil } // the process dies here
	if err := w.r.Run(t.Context(), scope, "leased", silent); err != nil {
		t.Fatal(err)
	}
	if err := w.r.Run(t.Context(), scope, "late", broken); err != nil {
		t.Fatal(err)
	}
	if n, _ := w.r.Sweep(t.Context()); n != 0 {
		t.Fatalf("%d were due before the restart", n)
	}
	if err := w.r.Restarted(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := w.r.Sweep(t.Context()); n != 3 || err != nil {
		t.Fatalf("%d due after it, want both jobs and the mark: %v", n, err)
	}
	if err := w.r.Run(t.Context(), scope, "leased", w.finish); err != nil {
		t.Fatal(err)
	}
	if _, found := w.job(t, "leased"); found {
		t.Fatal("the leased job did not go on")
	}
}

func TestT20RowsWithAScheduleOfTheirOwnAreLeftAlone(t *testing.T) {
	w := newWorld(t)
	at := w.clock.Now()
	for _, key := range []store.Key{keys.RunToken("r1"), keys.Receipt(scope, at, "rc1")} {
		for shard, due := range map[int]time.Time{outbox.Shard(scope): at, (outbox.Shard(scope) + 1) % store.Shards: at.Add(time.Hour)} {
			item := store.Item{Key: key, Attrs: store.Attrs{"d": store.B([]byte("{}"))}, Due: &store.Due{Shard: shard, At: due}}
			w.do(t, store.PutItem("", item, nil))
			if err := w.r.Restarted(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := w.r.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			after, found, err := w.store.Get(t.Context(), key)
			if err != nil || !found || !after.Due.At.Equal(due) {
				t.Errorf("%s: %+v, %v", key.PK, after, err)
			}
		}
	}
	if len(w.queue.all) != 0 {
		t.Errorf("sent %v", w.queue.all)
	}
}
