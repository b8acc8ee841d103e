package runtoken

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

var (
	scope = tenant.Grant("0192f0c1-0000-7000-8000-00000000000a", "0192f0c1-0000-7000-8000-00000000000b")
	other = tenant.Grant("0192f0c1-0000-7000-8000-00000000000a", "0192f0c1-0000-7000-8000-00000000000c")
	actor = ledger.Actor{KeyID: "key", Kind: "agent"}
	begun = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
)

func newService(t testing.TB, s store.Store, at *clock.Fixed) *Service {
	t.Helper()
	source := ids.NewSource(at.Now, nil)
	return &Service{Store: s, Clock: at, IDs: source,
		Commit: commit.New(commit.Config{Store: s, Clock: at, IDs: source, Log: slog.New(slog.DiscardHandler), Wait: func(context.Context, time.Duration) error { return nil }})}
}

func start(t testing.TB, s *Service, ask Ask) Started {
	t.Helper()
	if ask.AgentID == "" {
		ask.AgentID = "desk"
	}
	r, err := s.Start(t.Context(), scope, actor, ask)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func refusedAs(err error, kind errs.Kind) bool { return errs.KindOf(err) == kind }

func TestA31AStartedRunsTokenOpensIt(t *testing.T) {
	s := newService(t, memstore.New(), clock.NewFixed(begun))
	made := start(t, s, Ask{AgentID: "desk", UserID: "anna"})
	got, err := s.Open(t.Context(), made.Token)
	if err != nil || got.ID != made.ID || got.Scope != scope || got.AgentID != "desk" || got.UserID != "anna" || got.Ended() {
		t.Errorf("opened %+v, %v", got, err)
	}
	if !strings.HasPrefix(made.Token, "holdfast_run_") || strings.Contains(made.Token, "-") {
		t.Errorf("token %q", made.Token)
	}
	if a := got.Actor(); a.KeyID != "key" || a.SourceID != "desk" {
		t.Errorf("actor %+v", a)
	}
}

func TestR327BadTokensCannotBeToldApart(t *testing.T) {
	at := clock.NewFixed(begun)
	s := newService(t, memstore.New(), at)
	made, second := start(t, s, Ask{}), start(t, s, Ask{})
	gone := start(t, s, Ask{})
	at.Advance(Lifetime)
	fresh := start(t, s, Ask{})
	tokens := map[string]string{
		"none": "", "malformed": "nonsense", "the id alone": fresh.ID, "a key": "holdfast_" + strings.TrimPrefix(fresh.Token, "holdfast_run_"),
		"another run's secret": fresh.Token[:len(fresh.Token)-43] + second.Token[len(second.Token)-43:],
		"unknown":              Form.Format("0192f0c1-0000-7000-8000-0000000000ff", fresh.Token[len(fresh.Token)-43:]),
		"expired":              gone.Token, "expired too": made.Token,
	}
	var text string
	for name, token := range tokens {
		_, err := s.Open(t.Context(), token)
		if !refusedAs(err, errs.Unauthenticated) || errs.As(err).Code != "UNAUTHORIZED" {
			t.Errorf("%s: %v", name, err)
		}
		if text == "" {
			text = err.Error()
		}
		if err.Error() != text {
			t.Errorf("%s is told apart: %v", name, err)
		}
	}
	if _, err := s.Open(t.Context(), fresh.Token); err != nil {
		t.Error(err)
	}
}

func TestA31EndingARunIsDoneOnce(t *testing.T) {
	at := clock.NewFixed(begun)
	s := newService(t, memstore.New(), at)
	made := start(t, s, Ask{})
	first, err := s.End(t.Context(), scope, actor, made.ID)
	if err != nil || !first.Ended() {
		t.Fatal(first, err)
	}
	at.Advance(time.Hour)
	again, err := s.End(t.Context(), scope, actor, made.ID)
	if err != nil || !again.EndedAt.Equal(*first.EndedAt) {
		t.Errorf("ended again at %v, %v", again.EndedAt, err)
	}
	got, err := s.Open(t.Context(), made.Token)
	if err != nil || !got.Ended() {
		t.Errorf("opened %+v, %v", got, err)
	}
}

func TestT4ARunOfAnotherWorkspaceIsMissing(t *testing.T) {
	s := newService(t, memstore.New(), clock.NewFixed(begun))
	made := start(t, s, Ask{})
	for _, id := range []string{made.ID, "0192f0c1-0000-7000-8000-0000000000ff", "nonsense", ""} {
		if _, err := s.End(t.Context(), other, actor, id); !refusedAs(err, errs.NotFound) {
			t.Errorf("end of %q: %v", id, err)
		}
	}
	if _, err := s.Start(t.Context(), other, actor, Ask{AgentID: "desk", ParentID: made.ID}); !refusedAs(err, errs.NotFound) {
		t.Errorf("child of a foreign run: %v", err)
	}
	if got, _ := s.Open(t.Context(), made.Token); got.Ended() {
		t.Error("ended from elsewhere")
	}
}

func TestR330ChildrenBelongToTheExperimentOfTheirFirstRun(t *testing.T) {
	at := clock.NewFixed(begun)
	s := newService(t, memstore.New(), at)
	root := start(t, s, Ask{Experiment: true})
	at.Advance(time.Hour)
	child := start(t, s, Ask{ParentID: root.ID, Experiment: true})
	grandchild := start(t, s, Ask{ParentID: child.ID})
	plain := start(t, s, Ask{ParentID: start(t, s, Ask{}).ID})
	if child.Experiment != root.ID || grandchild.Experiment != root.ID || plain.Experiment != "" || !root.Root() || child.Root() {
		t.Errorf("experiments %q %q %q", child.Experiment, grandchild.Experiment, plain.Experiment)
	}
	if child.ExpiresAt.After(root.ExpiresAt) {
		t.Error("a child's token outlives the experiment")
	}
	if _, err := s.End(t.Context(), scope, actor, root.ID); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{root.Token, child.Token, grandchild.Token} {
		if got, err := s.Open(t.Context(), token); err != nil || !got.Ended() {
			t.Errorf("after the experiment's end: %+v, %v", got, err)
		}
	}
	if _, err := s.Start(t.Context(), scope, actor, Ask{AgentID: "desk", ParentID: grandchild.ID}); !refusedAs(err, errs.NotFound) {
		t.Errorf("a child of an experiment that is over: %v", err)
	}
}

func TestWhateverFailsARunIsEndedOnceAndForAll(t *testing.T) {
	fresh := func(testing.TB) store.Store { return memstore.New() }
	faultstore.Sweep(t, fresh, func(t *testing.T, faulty *faultstore.Store) {
		s := newService(t, faulty, clock.NewFixed(begun))
		made, err := s.Start(t.Context(), scope, actor, Ask{AgentID: "desk", Experiment: true})
		if err != nil {
			made = start(t, s, Ask{Experiment: true})
		}
		if _, err := s.End(t.Context(), scope, actor, made.ID); err != nil {
			if _, err = s.End(t.Context(), scope, actor, made.ID); err != nil {
				t.Fatal(err)
			}
		}
		faulty.Disarm()
		if got, err := s.Open(t.Context(), made.Token); err != nil || !got.Ended() {
			t.Errorf("opened %+v, %v", got, err)
		}
	})
}
