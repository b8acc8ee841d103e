package runtoken

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"io"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Service starts, checks and ends runs. Checking needs Store and Clock alone.
type Service struct {
	Store  store.Store
	Commit commit.Doer
	Clock  clock.Clock
	IDs    *ids.Source
	Random io.Reader // of secrets; nil: crypto/rand
	// Over adds to the commit that ends an experiment what throws its memory away;
	// nil: nothing.
	Over func(ctx context.Context, op commit.Operation, r Run) (commit.Plan, error)
}

// Ask is what starts a run.
type Ask struct {
	AgentID, UserID, ParentID string // ParentID empty: none
	Experiment                bool
}

// Started is a run and the text of its token, which is shown this once.
type Started struct {
	Run
	Token string
}

// Start begins a run. A parent of another workspace, or of an experiment that is
// over, is missing (R3.30).
func (s *Service) Start(ctx context.Context, scope tenant.Scope, actor ledger.Actor, ask Ask) (Started, error) {
	now := s.Clock.Now().UTC().Truncate(time.Millisecond)
	r := Run{ID: s.IDs.New(), Scope: scope, AgentID: ask.AgentID, UserID: ask.UserID, ParentID: ask.ParentID,
		KeyID: actor.KeyID, StartedAt: now, ExpiresAt: now.Add(Lifetime)}
	if ask.Experiment {
		r.Experiment = r.ID
	}
	if err := s.inherit(ctx, &r); err != nil {
		return Started{}, err
	}
	random := s.Random
	if random == nil {
		random = rand.Reader
	}
	secret, err := apikey.NewSecret(random)
	if err != nil {
		return Started{}, err
	}
	digest := apikey.Digest(secret)
	item, err := r.item(digest[:], 1)
	if err != nil {
		return Started{}, err
	}
	_, err = s.Commit.Do(ctx, commit.Write{Scope: scope, Actor: actor, Plan: func(context.Context, commit.Operation) (commit.Plan, error) {
		return commit.Plan{Actions: []store.Action{store.PutItem("run", item, store.IfAbsent())}}, nil
	}})
	return Started{Run: r, Token: Form.Format(r.ID, secret)}, err
}

// inherit puts a child into its parent's experiment.
func (s *Service) inherit(ctx context.Context, r *Run) error {
	if r.ParentID == "" {
		return nil
	}
	parent, err := s.find(ctx, r.Scope, r.ParentID)
	if err != nil {
		return err
	}
	if parent.Experiment == "" {
		return nil
	}
	root := parent
	if !parent.Root() {
		if root, err = s.find(ctx, r.Scope, parent.Experiment); err != nil {
			return err
		}
	}
	if root.Ended() || root.expired(s.Clock.Now()) {
		return errs.Missing()
	}
	r.Experiment = root.ID
	r.ExpiresAt = minTime(r.ExpiresAt, root.ExpiresAt) // what it would write is thrown away then
	return nil
}

func minTime(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// Open answers whose token a text is. A missing, malformed, unknown or expired one
// is one and the same error (R3.27); an ended run is none. Whether its experiment is
// over is asked here too: no token outlives the memory that it is for.
func (s *Service) Open(ctx context.Context, token string) (Run, error) {
	id, secret, ok := Form.Parse(token)
	if !ok {
		return Run{}, refused()
	}
	r, found, err := s.read(ctx, id)
	if err != nil {
		return Run{}, err
	}
	sum := apikey.Digest(secret)
	if !found || subtle.ConstantTimeCompare(sum[:], r.digest[:]) != 1 || r.expired(s.Clock.Now()) {
		return Run{}, refused()
	}
	if r.Experiment == "" || r.Root() {
		return r.Run, nil
	}
	root, found, err := s.read(ctx, r.Experiment)
	if err == nil && found && root.Ended() {
		r.EndedAt = root.EndedAt
	}
	return r.Run, err
}

// End ends a run; ending it again changes nothing. A run of another workspace is
// missing.
func (s *Service) End(ctx context.Context, scope tenant.Scope, actor ledger.Actor, id string) (Run, error) {
	var ended Run
	_, err := s.Commit.Do(ctx, commit.Write{Scope: scope, Actor: actor, Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
		r, err := s.find(ctx, scope, id)
		if err != nil {
			return commit.Plan{}, err
		}
		if ended = r.Run; r.Ended() {
			return commit.Plan{}, nil
		}
		at := op.At.UTC().Truncate(time.Millisecond)
		ended.EndedAt = &at
		return s.end(ctx, op, ended, r)
	}})
	return ended, err
}

func (s *Service) end(ctx context.Context, op commit.Operation, ended Run, before row) (commit.Plan, error) {
	var plan commit.Plan
	if s.Over != nil && ended.Root() {
		var err error
		if plan, err = s.Over(ctx, op, ended); err != nil {
			return commit.Plan{}, err
		}
	}
	item, err := ended.item(before.digest[:], before.revision+1)
	plan.Actions = append(plan.Actions, store.PutItem("run", item, store.IfEqual(attrRevision, store.N(before.revision))))
	return plan, err
}

// find reads a run of a workspace.
func (s *Service) find(ctx context.Context, scope tenant.Scope, id string) (row, error) {
	r, found, err := s.read(ctx, id)
	if err == nil && (!found || r.Scope != scope) {
		err = errs.Missing()
	}
	return r, err
}

func (s *Service) read(ctx context.Context, id string) (row, bool, error) {
	if !ids.Valid(id) {
		return row{}, false, nil
	}
	item, found, err := s.Store.Get(ctx, keys.RunToken(id))
	if err != nil {
		return row{}, false, errs.Unread(err)
	}
	if !found {
		return row{}, false, nil
	}
	r, err := decode(id, item)
	return r, err == nil, err
}

// StillRuns is the check, for a commit, that a run has not ended; its label is the
// caller's. A run that has is HasEnded.
func StillRuns(ctx context.Context, s store.Store, id string) (store.Action, error) {
	item, found, err := s.Get(ctx, keys.RunToken(id))
	if err != nil {
		return store.Action{}, err
	}
	if !found {
		return store.Action{}, HasEnded()
	}
	r, err := decode(id, item)
	if err == nil && r.Ended() {
		err = HasEnded()
	}
	return store.CheckItem("run", keys.RunToken(id), store.IfEqual(attrRevision, store.N(r.revision))), err
}

// HasEnded is the error of a write by a run that is over (R3.27).
func HasEnded() error {
	return errs.New(errs.Unauthenticated, "INVOCATION_ENDED", "This run has ended; its token reads, but writes no more.")
}

// refused is the answer to every token that does not count.
func refused() error {
	return errs.New(errs.Unauthenticated, "UNAUTHORIZED", "A valid run token is needed in the header X-Agentos-Run-Token.")
}
