package memory

import (
	"context"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
)

// EffectKind is what may complete after an append's answer (S0.59).
type EffectKind string

// The kinds.
const (
	EmbedEffect EffectKind = "embed"
	EventEffect EffectKind = "event"
)

// EffectState is where an effect stands.
type EffectState string

// The states (R0.41).
const (
	EffectPending   EffectState = "pending"
	EffectFailed    EffectState = "failed" // the last try failed; another comes
	EffectSucceeded EffectState = "succeeded"
	EffectDead      EffectState = "dead" // tries used up
)

// Effect is one of them. Attempt counts the tries that were begun; where none was
// needed, or the job is done and gone, it is 0 and 1.
type Effect struct {
	Kind      EffectKind
	State     EffectState
	Attempt   int
	LastError string // a code; empty: none
}

// IngestionStatus is where an ingestion stands (S0.58).
type IngestionStatus string

// The states: an event effect never changes them (R0.41).
const (
	IngestionPending IngestionStatus = "pending"
	Indexed          IngestionStatus = "indexed"
	IngestionFailed  IngestionStatus = "failed"
)

// Ingestion is an ingestion receipt (S0.55 to S0.61).
type Ingestion struct {
	OperationID     string
	MemoryID        string
	Merged          bool
	ContentReplaced bool
	Status          IngestionStatus
	CreatedAt       time.Time
	Effects         []Effect
}

// Operation answers the receipt of a write.
func (s *Service) Operation(ctx context.Context, t Target, id string) (Ingestion, error) {
	op, found, err := ledger.ReadOperation(ctx, s.Store, t.Scope, id)
	if err != nil {
		return Ingestion{}, errs.Unread(err)
	}
	if !found {
		return Ingestion{}, errs.Missing()
	}
	r, err := decodeReceipt(op.Result)
	if err != nil || r.MemoryID == "" {
		return Ingestion{}, errs.Missing() // a write of another kind
	}
	out := Ingestion{OperationID: id, MemoryID: r.MemoryID, Merged: r.Merged, ContentReplaced: r.ContentReplaced,
		Status: Indexed, CreatedAt: utc(op.At)}
	if r.Deferred {
		effect, err := s.embedEffect(ctx, t, id)
		if err != nil {
			return Ingestion{}, err
		}
		out.Status = statusOf(effect.State)
		out.Effects = append(out.Effects, effect)
	}
	event, err := s.eventEffect(ctx, t, op)
	out.Effects = append(out.Effects, event)
	return out, err
}

// eventEffect never changes the receipt's status (R0.41).
func (s *Service) eventEffect(ctx context.Context, t Target, op ledger.Operation) (Effect, error) {
	e := Effect{State: EffectSucceeded}
	var err error
	if s.Events != nil {
		e, err = s.Events(ctx, t.Scope, op)
	}
	e.Kind = EventEffect
	return e, errs.Unread(err)
}

// embedEffect is read off the job, whose id is the operation's; a job that is
// gone is done.
func (s *Service) embedEffect(ctx context.Context, t Target, id string) (Effect, error) {
	runner := outbox.Runner{Store: s.Store}
	job, found, err := runner.Find(ctx, t.Scope, id)
	if err != nil {
		return Effect{}, errs.Unread(err)
	}
	if !found {
		return Effect{Kind: EmbedEffect, State: EffectSucceeded, Attempt: 1}, nil
	}
	e := Effect{Kind: EmbedEffect, State: EffectPending, Attempt: job.Attempts, LastError: job.LastError}
	switch job.State {
	case outbox.Failed:
		e.State = EffectFailed
	case outbox.Dead:
		e.State = EffectDead
	}
	return e, nil
}

func statusOf(embedding EffectState) IngestionStatus {
	switch embedding {
	case EffectSucceeded:
		return Indexed
	case EffectDead:
		return IngestionFailed
	}
	return IngestionPending
}
