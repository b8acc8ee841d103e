package factsearch

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/errs"
	"holdfast/internal/fact"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/search/words"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// Facts reads facts as a caller may see them; *fact.Service does.
type Facts interface {
	// Found answers facts in the order asked: nil where search may not show one to the
	// caller. No id may occur twice.
	Found(ctx context.Context, t fact.Target, f fact.Filter, ids []string) ([]*fact.Fact, error)
	// List answers facts newest first, those in quarantine too.
	List(ctx context.Context, t fact.Target, f fact.Filter, limit int, before string) (fact.Page, error)
	// Generation is that of the folder of the target's end user; 0: there is none.
	Generation(ctx context.Context, t fact.Target) (int64, error)
}

// Cursors tell how far the index of words has come in a log.
type Cursors interface {
	Cursor(ctx context.Context, scope tenant.Scope) (int64, error)
}

// Service searches.
type Service struct {
	Facts   Facts
	Store   store.Store // of the log
	Index   words.Index
	Cursors Cursors
	Journal ledger.Journal
	Clock   clock.Clock
	IDs     *ids.Source
	Log     *slog.Logger
	// CatchUp brings an index of this very process up to the log; nil: none.
	CatchUp func(ctx context.Context, scope tenant.Scope) error
	// Wait pauses while an index far behind catches up; nil: clock.Pause.
	Wait func(ctx context.Context, d time.Duration) error
}

// The numbers of facts a search answers (S3.35).
const (
	DefaultK = 5
	MaxK     = 50
)

// Query asks for facts of a run's memory.
type Query struct {
	Target fact.Target
	Text   string
	Path   string // as the caller writes it; empty: everything
	Tags   []string
	K      *int // nil: DefaultK
	// RequestHash is the keyed hash of the request that the receipt keeps.
	RequestHash string
}

// Hit is a fact that was found.
type Hit struct {
	*fact.Fact
	Score *float64 // above 0; nil: the query has no words, and the newest are answered (S3.34)
}

// Search answers the best facts and leaves its receipt before it does. Wrong fields are
// Invalid, none clamped (R3.17); 409 no_user and 403 other_user as fact.Border says.
func (s *Service) Search(ctx context.Context, q Query) ([]Hit, error) {
	hits, err := s.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	if err := s.Leave(ctx, q.Target, q.RequestHash, hits); err != nil {
		return nil, err // nothing is handed out without a receipt
	}
	return hits, nil
}

// Find answers the same without a receipt, for whoever hands out several answers as one
// and leaves one receipt for all of them.
func (s *Service) Find(ctx context.Context, q Query) ([]Hit, error) {
	k, err := Count(q.K, DefaultK)
	if err != nil {
		return nil, err
	}
	filter, err := fact.NewFilter(q.Target.Border, q.Path, q.Tags)
	if err != nil {
		return nil, err
	}
	p := &pass{Service: s, target: q.Target, filter: filter, terms: words.Terms(q.Text), k: k}
	var hits []Hit
	switch {
	case filter.Empty():
	case len(p.terms) == 0:
		hits, err = p.newest(ctx)
	default:
		hits, err = p.best(ctx)
	}
	return hits, asError(err)
}

// Count checks a number of facts that was asked for.
func Count(k *int, otherwise int) (int, error) {
	if k == nil {
		return otherwise, nil
	}
	if *k < 1 || *k > MaxK {
		return 0, errs.Validation(errs.Field{Pointer: "/k", Rule: "must be from 1 to 50"})
	}
	return *k, nil
}

// Leave leaves the receipt of what is handed out (T.19).
func (s *Service) Leave(ctx context.Context, t fact.Target, requestHash string, hits []Hit) error {
	r := ledger.Receipt{
		ID: s.IDs.New(), Kind: ledger.SearchReceipt, Family: fact.Family, At: s.Clock.Now(),
		Actor: t.Actor, RequestHash: requestHash, Items: []ledger.Item{},
	}
	for _, h := range hits {
		r.Items = append(r.Items, ledger.Item{ID: h.ID, Version: h.Version, Score: h.Score})
	}
	return asError(s.Journal.Append(ctx, t.Scope, r))
}

// asError is what a search that could not be done answers.
func asError(err error) error {
	if err == nil || errs.As(err) != nil || errors.Is(err, context.Canceled) {
		return err
	}
	return errs.Unread(err)
}
