package run

import (
	"context"
	"fmt"
	"strings"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// State is where the consolidation of a stretch stands.
type State string

// The states.
const (
	Sealed State = "sealed" // begun: its entries are there still
	Dead   State = "dead"   // tries used up: its entries stay until it is asked for again
	Done   State = "done"   // its entries are cleared
)

// Stretch is a sealed stretch of a run.
type Stretch struct {
	Scope  tenant.Scope
	Hash   string // of the run
	Number int64

	State        State
	Goal         string // of the run, in the caller's words; gone once the stretch is done
	Instructions string // what to keep, in the caller's words; gone once the stretch is done
	JobID        string // of the consolidation
	SealedAt     time.Time
	DoneAt       time.Time
	Episodes     []string
	Summaries    []string
	Counts       map[string]int64 // what was made and what was not kept
}

// Names of counts. What was kept is counted under CountKept and its type.
const (
	CountKept       = "kept."
	CountMerged     = "merged"     // known already
	CountRejected   = "rejected"   // a person has rejected the value (A0.5)
	CountHeld       = "held"       // in quarantine until somebody reviews it
	CountUngrounded = "ungrounded" // rests on nothing in the run
	CountUnsafe     = "unsafe"
	CountNarrowed   = "narrowed" // outside what the instructions keep
	CountRedone     = "redone"   // extractions that an edit made old
)

// Attributes of a stretch's row.
const (
	attrState        = "st"
	attrGoal         = "g"
	attrInstructions = "in"
	attrJob          = "job"
	attrSealedAt     = "sat"
	attrDoneAt       = "dat"
	attrEpisodes     = "ep"
	countPrefix      = "x."
)

// ReadStretch answers a stretch, or found false.
func ReadStretch(ctx context.Context, s store.Store, scope tenant.Scope, hash string, n int64) (Stretch, bool, error) {
	item, found, err := s.Get(ctx, keys.RunStretch(scope, hash, n))
	if err != nil || !found {
		return Stretch{}, false, err
	}
	a := item.Attrs
	out := Stretch{
		Scope: scope, Hash: hash, Number: n, State: State(a.Text(attrState)),
		Goal: a.Text(attrGoal), Instructions: a.Text(attrInstructions), JobID: a.Text(attrJob),
		SealedAt: instant(a.Int(attrSealedAt)), DoneAt: instant(a.Int(attrDoneAt)),
		Episodes: strings.Fields(a.Text(attrEpisodes)), Summaries: strings.Fields(a.Text(attrSummaries)),
		Counts: map[string]int64{},
	}
	for name := range a {
		if count, ok := strings.CutPrefix(name, countPrefix); ok {
			out.Counts[count] = a.Int(name)
		}
	}
	if out.State == "" {
		return Stretch{}, false, fmt.Errorf("run: stored stretch without a state")
	}
	return out, true, nil
}

// Put is the action that writes the row under a condition.
func (s Stretch) Put(label string, cond *store.Cond) store.Action {
	attrs := store.Attrs{
		attrState: store.S(string(s.State)), attrJob: store.S(s.JobID),
		attrGoal: store.S(s.Goal), attrInstructions: store.S(s.Instructions),
		attrSealedAt: store.N(millis(s.SealedAt)), attrDoneAt: store.N(millis(s.DoneAt)),
		attrEpisodes: store.S(strings.Join(s.Episodes, " ")), attrSummaries: store.S(strings.Join(s.Summaries, " ")),
	}
	for name, n := range s.Counts {
		attrs[countPrefix+name] = store.N(n)
	}
	return store.PutItem(label, store.Item{Key: keys.RunStretch(s.Scope, s.Hash, s.Number), Attrs: attrs}, cond)
}

// Still is the condition that a stretch is in a state still.
func Still(state State) *store.Cond { return store.IfEqual(attrState, store.S(string(state))) }

// Count is the action that adds to a stretch's counts; false when there is nothing to
// add.
func Count(label string, scope tenant.Scope, hash string, n int64, counts map[string]int64) (store.Action, bool) {
	add := map[string]int64{}
	for name, more := range counts {
		if more != 0 {
			add[countPrefix+name] = more
		}
	}
	return store.AddTo(label, keys.RunStretch(scope, hash, n), add, store.IfExists()), len(add) > 0
}

func instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func millis(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}
