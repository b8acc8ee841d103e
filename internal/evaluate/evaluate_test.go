package evaluate

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/recall"
	"holdfast/internal/tenant"
)

var here = tenant.Grant("0192f0c1-0000-7000-8000-00000000000a", "0192f0c1-0000-7000-8000-00000000000b")

// retriever is a function that answers retrieves.
type retriever func(ctx context.Context, req recall.Request) (recall.Context, error)

func (f retriever) Retrieve(ctx context.Context, req recall.Request) (recall.Context, error) {
	return f(ctx, req)
}

func TestR056EachCaseIsASilentRetrieve(t *testing.T) {
	var asked []recall.Request
	s := Service{Recall: retriever(func(_ context.Context, req recall.Request) (recall.Context, error) {
		asked = append(asked, req)
		return recall.Context{}, nil
	})}
	p := Plan{
		Scope: here, Actor: ledger.Actor{KeyID: "key"}, Subject: memory.Subject{UserID: "ida"}, RunID: "run", K: 7,
		Cases: []Case{{Query: "one"}, {Query: "two", ExpectedIDs: []string{"a"}}},
	}
	for mode, want := range map[recall.Mode]recall.Mode{"": recall.Deterministic, recall.Hybrid: recall.Hybrid} {
		asked, p.Mode = nil, mode
		report, err := s.Run(t.Context(), p)
		if err != nil || len(report.Cases) != 2 || len(asked) != 2 {
			t.Fatalf("%+v, %v, asked %d times", report, err, len(asked))
		}
		for i, c := range p.Cases {
			expected := recall.Request{Scope: here, Actor: p.Actor, Subject: p.Subject, RunID: "run", Query: c.Query,
				TopN: 7, Mode: want, Raw: true, Silent: true}
			if !reflect.DeepEqual(asked[i], expected) {
				t.Errorf("asked %+v, want %+v", asked[i], expected)
			}
			if r := report.Cases[i]; r.Query != c.Query || r.ReturnedIDs == nil {
				t.Errorf("result %+v", r)
			}
		}
	}
}

func TestAnErrorOfRecallEndsTheEvaluation(t *testing.T) {
	away := errs.New(errs.Unavailable, "UNAVAILABLE", "away")
	calls := 0
	s := Service{Recall: retriever(func(context.Context, recall.Request) (recall.Context, error) {
		calls++
		return recall.Context{}, away
	})}
	if _, err := s.Run(t.Context(), Plan{K: 1, Cases: make([]Case, 3)}); !errors.Is(err, away) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// A retrieve whose time is over may answer without its arms, and would count as a miss.
func TestAnEvaluationEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	s := Service{Recall: retriever(func(context.Context, recall.Request) (recall.Context, error) {
		if calls++; calls == 2 {
			cancel()
		}
		return recall.Context{}, nil
	})}
	report, err := s.Run(ctx, Plan{K: 1, Cases: make([]Case, 5)})
	if !errs.Is(err, errs.Unavailable) || !errors.Is(err, context.Canceled) || len(report.Cases) != 0 || calls != 2 {
		t.Errorf("%+v, %v after %d calls", report, err, calls)
	}
}

func TestTheReportTellsTheWorstOfEachArm(t *testing.T) {
	states := [][]recall.ArmState{{recall.Ran, recall.Skipped}, {recall.Degraded, recall.Ran}, {recall.Ran, recall.Skipped}}
	calls := 0
	s := Service{Recall: retriever(func(context.Context, recall.Request) (recall.Context, error) {
		now := states[calls]
		calls++
		return recall.Context{Arms: []recall.Arm{{Name: "lexical", State: now[0]}, {Name: "overlay", State: now[1]}}}, nil
	})}
	report, err := s.Run(t.Context(), Plan{K: 1, Cases: make([]Case, 3)})
	want := []recall.Arm{{Name: "lexical", State: recall.Degraded}, {Name: "overlay", State: recall.Ran}}
	if err != nil || !slices.Equal(report.Arms, want) {
		t.Errorf("%+v, %v", report.Arms, err)
	}
}
