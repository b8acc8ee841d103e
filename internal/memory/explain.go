package memory

import (
	"context"
	"strings"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// mostRecallReceipts is how many receipts of retrieves an explanation looks through,
// and mostLinks how many edges of a kind it follows.
const (
	mostRecallReceipts = 5000
	mostLinks          = 1000
)

// Explanation says where a memory comes from, what came of it and who was handed it
// (R0.54, R0.80). Its lists of ids leave out what is not there any more or not
// visible to the caller; those of the graph hold what is in this workspace.
type Explanation struct {
	*Memory               // provenance and merges are in it
	Versions    []Version // newest first
	DerivedFrom []string  // what it cites
	DerivedTo   []string  // what cites it
	Supersedes  []string  // whose place it took; SupersededBy is in Temporal
	Recalls     []Recall  // newest first
	// Suggestions are pairs that look the same and were not safe to merge, of an episode:
	// what was made with it, and what that looks like.
	Suggestions []Pair
	// RecallsFrom is how far back receipts were looked through: no further than the
	// memory's own beginning, and over a bounded number of them. A read appears once
	// its receipt is sealed, seconds after its answer; reads of other workspaces, which
	// recall memories of layer Tenant too, never do.
	RecallsFrom time.Time
}

// Recall is one retrieve that handed a memory out.
type Recall struct {
	ReceiptID string
	At        time.Time
	Rank      int // place in the answer, from 1
	Score     *float64
}

// Explain explains a memory to a caller that may see it.
func (s *Service) Explain(ctx context.Context, t Target, id string, asked Subject) (Explanation, error) {
	m, err := s.Get(ctx, t, id, asked)
	if err != nil {
		return Explanation{}, err
	}
	x := Explanation{Memory: m}
	if x.Versions, err = s.versionsOf(ctx, t.Scope, m); err != nil {
		return Explanation{}, err
	}
	if err := s.graph(ctx, t, asked, &x); err != nil {
		return Explanation{}, err
	}
	if x.Suggestions, err = s.suggestions(ctx, t, asked, m); err != nil {
		return Explanation{}, err
	}
	return x, s.recalls(ctx, t, &x)
}

// suggestions are those of an episode whose two memories are there for the caller to
// see; the first of a pair is the one that was made with the episode.
func (s *Service) suggestions(ctx context.Context, t Target, asked Subject, m *Memory) ([]Pair, error) {
	if m.Type != Episode {
		return nil, nil
	}
	page, err := s.Store.Query(ctx, store.Query{PK: keys.MemoryPK(t.Scope, m.ID), Prefix: keys.SuggestedPrefix, Limit: mostLinks})
	if err != nil {
		return nil, errs.Unread(err)
	}
	var rows []store.Key
	for _, item := range page.Items {
		rows = append(rows, item.Key)
	}
	found, err := run.Suggested(ctx, s.Store, rows)
	if err != nil {
		return nil, errs.Unread(err)
	}
	var list []string
	for _, one := range found {
		if one != nil {
			list = append(list, one.MadeID, one.OtherID)
		}
	}
	seen, err := s.visible(ctx, t, asked, list)
	if err != nil {
		return nil, err
	}
	var out []Pair
	for _, one := range found {
		if one != nil && contains(seen, one.MadeID) && contains(seen, one.OtherID) {
			out = append(out, Pair{ID: one.MadeID, Other: one.OtherID, Cosine: one.Cosine})
		}
	}
	return out, nil
}

// graph fills in the neighbours in the graphs of derivation and supersession.
func (s *Service) graph(ctx context.Context, t Target, asked Subject, x *Explanation) error {
	to, err := s.links(ctx, t, x.ID, keys.DerivedPrefix)
	if err != nil {
		return err
	}
	replaced, err := s.links(ctx, t, x.ID, keys.SupersededPrefix)
	if err != nil {
		return err
	}
	for _, list := range []struct {
		ids  []string
		into *[]string
	}{{x.Cites(), &x.DerivedFrom}, {to, &x.DerivedTo}, {replaced, &x.Supersedes}} {
		if *list.into, err = s.visible(ctx, t, asked, list.ids); err != nil {
			return err
		}
	}
	if x.Temporal.SupersededBy == "" {
		return nil
	}
	by, err := s.visible(ctx, t, asked, []string{x.Temporal.SupersededBy})
	if len(by) == 0 {
		x.Temporal.SupersededBy = ""
	}
	return err
}

// links lists the ids that a memory's edges of one kind lead to in this workspace.
func (s *Service) links(ctx context.Context, t Target, id, prefix string) ([]string, error) {
	q := store.Query{PK: keys.MemoryPK(t.Scope, id), Prefix: prefix}
	var out []string
	for {
		q.Limit = mostLinks - len(out)
		page, err := s.Store.Query(ctx, q)
		if err != nil {
			return nil, errs.Unread(err)
		}
		for _, item := range page.Items {
			if item.Attrs.Text(attrWorkspace) == "" {
				out = append(out, strings.TrimPrefix(item.Key.SK, prefix))
			}
		}
		if page.Cursor == "" || len(out) >= mostLinks {
			return out, nil
		}
		q.Cursor = page.Cursor
	}
}

// visible are those of the ids whose memories are there for the caller to see.
func (s *Service) visible(ctx context.Context, t Target, asked Subject, list []string) ([]string, error) {
	found, err := Load(ctx, s.Store, t.Scope, list)
	if err != nil {
		return nil, errs.Unread(err)
	}
	var out []string
	for i, m := range found {
		if m != nil && m.Visible(t.Caller, asked) {
			out = append(out, list[i])
		}
	}
	return out, nil
}

// recalls fills in who was handed the memory: what the log has sealed since the write
// that made it.
func (s *Service) recalls(ctx context.Context, t Target, x *Explanation) error {
	op, _, err := ledger.ReadOperation(ctx, s.Store, t.Scope, x.Provenance.OperationID)
	if err != nil {
		return errs.Unread(err)
	}
	receipts := ledger.Receipts{Store: s.Store}
	found, from, err := receipts.Handed(ctx, t.Scope, ledger.Hunt{
		Kind: ledger.RetrieveReceipt, ItemID: x.ID, Since: op.Sequence, Most: mostRecallReceipts})
	if err != nil {
		return errs.Unread(err)
	}
	if x.RecallsFrom = utc(from); from.IsZero() || from.Before(x.CreatedAt) {
		x.RecallsFrom = x.CreatedAt
	}
	for _, h := range found {
		x.Recalls = append(x.Recalls, Recall{ReceiptID: h.ReceiptID, At: utc(h.At), Rank: h.Rank, Score: h.Score})
	}
	return nil
}
