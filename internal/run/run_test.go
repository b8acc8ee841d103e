package run_test

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/outbox"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

const hash = "9f86d081884c7d659a2feaa0c55ad015"

var (
	scope = tenant.Grant("01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002")
	start = time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
)

func do(t *testing.T, s store.Store, actions ...store.Action) error {
	t.Helper()
	return s.Commit(t.Context(), store.Tx{Actions: actions})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, s store.Store) run.Run {
	t.Helper()
	r, found, err := run.Read(t.Context(), s, scope, hash)
	if err != nil || !found {
		t.Fatalf("run %v, %v", found, err)
	}
	return r
}

func TestARunComesBackAsItWasWritten(t *testing.T) {
	s := memstore.New()
	if _, found, err := run.Read(t.Context(), s, scope, hash); found || err != nil {
		t.Fatal(found, err)
	}
	r := run.New(scope, hash, "01890000-0000-7000-8000-00000000000c")
	for _, change := range []func(*run.Run){
		func(*run.Run) {},
		func(r *run.Run) { *r = r.Arm(start, 90*time.Second) },
		func(r *run.Run) { r.Open, r.Busy = 2, 1 },
		func(r *run.Run) { r.Cleared, r.Busy, r.Summaries = 1, 0, []string{"a", "b"} },
		func(r *run.Run) { *r = r.Disarm(start.Add(time.Hour), time.Minute) },
		func(r *run.Run) { *r = r.Disarm(start.Add(2*time.Hour), time.Minute) },
	} {
		change(&r)
		must(t, do(t, s, r.Put("run")))
		r.Revision++
		got := read(t, s)
		if len(r.Summaries) == 0 {
			got.Summaries = r.Summaries
		}
		if !reflect.DeepEqual(got, r) {
			t.Errorf("read %+v, want %+v", got, r)
		}
	}
	if _, err := run.Decode(store.Item{Key: keys.RunTouch(scope, hash)}); err == nil {
		t.Error("another row is taken for a run")
	}
}

func TestARunIsWrittenOverTheRevisionThatWasRead(t *testing.T) {
	s := memstore.New()
	r := run.New(scope, hash, "id")
	must(t, do(t, s, r.Put("run")))
	if err := do(t, s, r.Put("run")); !store.Failed(err, "run") {
		t.Error(err)
	}
	one, two := read(t, s), read(t, s)
	must(t, do(t, s, one.Put("run")))
	if err := do(t, s, two.Put("run")); !store.Failed(err, "run") {
		t.Error(err)
	}
}

// What an append has read of the run must hold still: the open stretch, and that
// somebody is going to look.
func TestTheGateOfAppends(t *testing.T) {
	s := memstore.New()
	r := run.New(scope, hash, "id").Arm(start, time.Minute)
	must(t, do(t, s, r.Put("run")))
	r = read(t, s)
	must(t, do(t, s, r.StillOpen("gate")))
	for name, change := range map[string]func(run.Run) run.Run{
		"sealed":   func(r run.Run) run.Run { r.Open++; return r },
		"disarmed": func(r run.Run) run.Run { return r.Disarm(start, time.Minute) },
	} {
		must(t, do(t, s, change(read(t, s)).Put("run")))
		if err := do(t, s, r.StillOpen("gate")); !store.Failed(err, "gate") {
			t.Errorf("%s: %v", name, err)
		}
		back := read(t, s)
		back.Open, back.Armed = r.Open, r.Armed
		must(t, do(t, s, back.Put("run")))
	}
	later := read(t, s)
	later.Due, later.Cleared = start.Add(time.Hour), 0
	must(t, do(t, s, later.Put("run")))
	must(t, do(t, s, r.StillOpen("gate"))) // a look that is put off changes nothing for appends
}

func TestADueRunIsInTheIndexUntilItRests(t *testing.T) {
	s := memstore.New()
	due := func() int {
		page, err := s.Due(t.Context(), store.DueQuery{Shard: outbox.Shard(scope), Until: start.Add(24 * time.Hour)})
		must(t, err)
		return len(page.Items)
	}
	r := run.New(scope, hash, "id")
	for _, step := range []struct {
		change func(run.Run) run.Run
		want   int
	}{
		{func(r run.Run) run.Run { return r }, 0},
		{func(r run.Run) run.Run { return r.Arm(start, time.Minute) }, 1},
		{func(r run.Run) run.Run { return r.Disarm(start, time.Minute) }, 1}, // one look more
		{func(r run.Run) run.Run { return r.Disarm(start, time.Minute) }, 0},
	} {
		r = step.change(r)
		must(t, do(t, s, r.Put("run")))
		r.Revision++
		if n := due(); n != step.want {
			t.Errorf("%d rows due, want %d: %+v", n, step.want, r)
		}
	}
}

func TestEditsAreCountedAndChecked(t *testing.T) {
	s := memstore.New()
	for want := range int64(3) {
		n, err := run.Edits(t.Context(), s, scope, hash)
		if err != nil || n != want {
			t.Errorf("%d edits, want %d, %v", n, want, err)
		}
		must(t, do(t, s, run.Unedited("edits", scope, hash, want)))
		must(t, do(t, s, run.Edited("edit", scope, hash)))
		if err := do(t, s, run.Unedited("edits", scope, hash, want)); !store.Failed(err, "edits") {
			t.Errorf("after an edit: %v", err)
		}
	}
}

func TestAStretchComesBackAsItWasWritten(t *testing.T) {
	s := memstore.New()
	want := run.Stretch{Scope: scope, Hash: hash, Number: 3, State: run.Sealed, Goal: "find out", Instructions: "only decisions",
		JobID: "job", SealedAt: start, DoneAt: start.Add(time.Minute), Episodes: []string{"e"}, Summaries: []string{"s", "t"},
		Counts: map[string]int64{run.CountRejected: 2}}
	if _, found, err := run.ReadStretch(t.Context(), s, scope, hash, 3); found || err != nil {
		t.Fatal(found, err)
	}
	must(t, do(t, s, want.Put("stretch", store.IfAbsent())))
	count, any := run.Count("count", scope, hash, 3, map[string]int64{run.CountRejected: 1, run.CountKept + "fact": 5, run.CountUnsafe: 0})
	if !any {
		t.Fatal("nothing to count")
	}
	must(t, do(t, s, count))
	want.Counts[run.CountRejected], want.Counts["kept.fact"] = 3, 5
	got, found, err := run.ReadStretch(t.Context(), s, scope, hash, 3)
	if err != nil || !found || !maps.Equal(got.Counts, want.Counts) || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v", got, err)
	}
	if err := do(t, s, want.Put("stretch", run.Still(run.Dead))); !store.Failed(err, "stretch") {
		t.Error(err)
	}
	if _, any := run.Count("count", scope, hash, 3, map[string]int64{run.CountUnsafe: 0}); any {
		t.Error("nothing is counted")
	}
	none, _ := run.Count("count", scope, hash, 4, map[string]int64{run.CountUnsafe: 1})
	if err := do(t, s, none); !store.Failed(err, "count") {
		t.Errorf("a count made a stretch: %v", err)
	}
}

func visits(s store.Store, c clock.Clock) run.Visits {
	return run.Visits{Store: s, Clock: c, Hash: func(context.Context, tenant.Scope, string) (string, error) { return hash, nil }}
}

func touched(t *testing.T, s store.Store) time.Time {
	t.Helper()
	item, found, err := s.Get(t.Context(), keys.RunTouch(scope, hash))
	must(t, err)
	if !found {
		return time.Time{}
	}
	return run.TouchedAt(&item)
}

func TestR050VisitsAreNotedAtMostEveryTenthOfTheIdleTime(t *testing.T) {
	s, c := memstore.New(), clock.NewFixed(start)
	v := visits(s, c)
	visit := func(want ...string) {
		t.Helper()
		got, err := v.Visit(t.Context(), scope, "run-1")
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v, %v", got, err)
		}
	}
	visit() // a run that nobody knows
	r := run.New(scope, hash, "id")
	r.Summaries = []string{"s"}
	must(t, do(t, s, r.Put("run")))
	visit("s") // one that nothing waits for
	if at := touched(t, s); !at.IsZero() {
		t.Errorf("touched at %v", at)
	}
	must(t, do(t, s, read(t, s).Arm(start, 100*time.Second).Put("run")))
	last := time.Time{}
	for range 100 {
		c.Advance(time.Second)
		visit("s")
		at := touched(t, s)
		if at.Equal(last) && c.Now().Sub(at) > 10*time.Second || !at.Equal(last) && at.Sub(last) <= 10*time.Second {
			t.Fatalf("noted at %v, before at %v, now %v", at, last, c.Now())
		}
		last = at
	}
}

func TestAVisitThatFailsSaysSo(t *testing.T) {
	inner := memstore.New()
	must(t, do(t, inner, run.New(scope, hash, "id").Arm(start, time.Minute).Put("run")))
	s := faultstore.New(inner)
	v := visits(s, clock.NewFixed(start))
	for at := 1; at <= 2; at++ {
		s.Arm(faultstore.Fault{At: at})
		if _, err := v.Visit(t.Context(), scope, "run-1"); !errors.Is(err, faultstore.ErrUnavailable) {
			t.Errorf("call %d: %v", at, err)
		}
	}
	s.Arm(faultstore.Fault{At: 1, Ops: []faultstore.Op{faultstore.Commit}, Err: store.ErrConflict})
	if _, err := v.Visit(t.Context(), scope, "run-1"); err != nil {
		t.Errorf("somebody else is noting it: %v", err)
	}
	s.Disarm()
	v.Hash = func(context.Context, tenant.Scope, string) (string, error) { return "", errors.New("no key") }
	if _, err := v.Visit(t.Context(), scope, "run-1"); err == nil {
		t.Error("no hash, no error")
	}
}

func TestNewestIsTheLastEntry(t *testing.T) {
	s := memstore.New()
	r := run.New(scope, hash, "id")
	must(t, do(t, s, r.Put("run"), run.Edited("edit", scope, hash), run.Stretch{Scope: scope, Hash: hash, Number: 1, State: run.Sealed}.Put("st", nil)))
	if id, err := r.Newest(t.Context(), s); id != "" || err != nil {
		t.Errorf("%q, %v", id, err)
	}
	for _, id := range []string{"01890000-0000-7000-8000-000000000005", "01890000-0000-7000-8000-000000000009"} {
		must(t, do(t, s, store.PutItem("e", store.Item{Key: keys.RunEntry(scope, hash, id)}, nil)))
		if got, err := r.Newest(t.Context(), s); got != id || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
}
