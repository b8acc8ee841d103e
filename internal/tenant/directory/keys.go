package directory

import (
	"context"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// MadeKey is the answer of CreateKey.
type MadeKey struct {
	apikey.Principal
	Text string // empty in a replay: it is shown once (T.15)
	commit.Outcome
}

// CreateKey makes a key (T.33). A key can reach no further than the one that
// makes it: its workspaces exist and are within the caller's.
func (s *Service) CreateKey(ctx context.Context, by Caller, asked NewKey) (MadeKey, error) {
	if err := by.admin(); err != nil {
		return MadeKey{}, err
	}
	p, err := asked.principal()
	if err != nil {
		return MadeKey{}, err
	}
	p.KeyID, p.TenantID = s.IDs.New(), by.Scope.TenantID()
	if p.Kind == apikey.Agent && p.SourceID == "" {
		p.SourceID = s.IDs.New()
	}
	issued, err := s.Keys.Issue(p)
	if err != nil {
		return MadeKey{}, err
	}
	out, err := s.Commit.Do(ctx, by.write(by.Scope, func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
		return s.planKey(ctx, by, issued, op.At)
	}))
	if err != nil {
		return MadeKey{}, err
	}
	if out.Replayed {
		return s.madeBefore(ctx, by, out)
	}
	p.CreatedAt = out.At.Truncate(time.Millisecond)
	return MadeKey{Principal: p, Text: issued.Text, Outcome: out}, nil
}

// madeBefore answers the key that the first call made.
func (s *Service) madeBefore(ctx context.Context, by Caller, out commit.Outcome) (MadeKey, error) {
	ref, err := readReference(out.Result)
	if err != nil {
		return MadeKey{}, err
	}
	p, err := s.key(ctx, by, ref.Key)
	return MadeKey{Principal: p, Outcome: out}, err
}

func (s *Service) planKey(ctx context.Context, by Caller, issued apikey.Issued, now time.Time) (commit.Plan, error) {
	p := &issued.Principal
	p.CreatedAt = now.Truncate(time.Millisecond)
	var broken problems
	broken.when(p.ExpiresAt != nil && !p.ExpiresAt.After(now), "/expiresAt", "must lie in the future")
	if err := s.checkPlaces(ctx, by, p.Workspaces, &broken); err != nil {
		return commit.Plan{}, err
	}
	if err := broken.err(); err != nil {
		return commit.Plan{}, err
	}
	actions, err := issued.Put()
	if err != nil {
		return commit.Plan{}, err
	}
	result, err := reference{Key: p.KeyID}.bytes()
	return commit.Plan{Actions: actions, Entries: []ledger.Entry{entry(ledger.Create, p.KeyID, 1)}, Result: result}, err
}

// checkPlaces notes workspaces that are not there for the caller. One that is
// absent and one that the caller may not see break the same rule (T.4).
func (s *Service) checkPlaces(ctx context.Context, by Caller, places []string, broken *problems) error {
	if places == nil {
		if by.Principal.Workspaces != nil {
			broken.add("/workspaces", "must name workspaces of the calling key, which is limited to some")
		}
		return nil
	}
	var wanted []store.Key
	var index []int
	absent := func(i int) { broken.add(at("/workspaces", i), "must be a workspace of this tenant") }
	for i, id := range places {
		if !ids.Valid(id) || !by.Principal.May(id) {
			absent(i)
			continue
		}
		wanted, index = append(wanted, keys.TenantWorkspace(by.Scope.TenantID(), id)), append(index, i)
	}
	if len(wanted) == 0 {
		return nil
	}
	items, err := s.Store.GetMany(ctx, wanted)
	if err != nil {
		return errs.Unread(err)
	}
	for n, item := range items {
		if item == nil {
			absent(index[n])
		}
	}
	return nil
}

// key answers a key, also one that was revoked a short while ago.
func (s *Service) key(ctx context.Context, by Caller, id string) (apikey.Principal, error) {
	for _, key := range []store.Key{keys.TenantKey(by.Scope.TenantID(), id), keys.RevokedKey(by.Scope.TenantID(), id)} {
		item, found, err := s.Store.Get(ctx, key)
		if err != nil {
			return apikey.Principal{}, errs.Unread(err)
		}
		if found {
			return apikey.Read(id, item)
		}
	}
	return apikey.Principal{}, errs.Missing()
}

// DeleteKey revokes a key: from now on in this process, within apikey.CacheFor
// everywhere (T.5). allows is that of UpdateWorkspace; a key's version is 1.
func (s *Service) DeleteKey(ctx context.Context, by Caller, id string, allows func(version int64) bool) (commit.Outcome, error) {
	if err := by.admin(); err != nil {
		return commit.Outcome{}, err
	}
	if !ids.Valid(id) {
		return commit.Outcome{}, errs.Missing()
	}
	out, err := s.Commit.Do(ctx, by.write(by.Scope, func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
		return s.planRevoke(ctx, by, id, allows, op.At)
	}))
	// Whether or not an error hides a commit: what is kept of the key must go.
	s.Keys.Forget(id)
	return out, err
}

func (s *Service) planRevoke(ctx context.Context, by Caller, id string, allows func(int64) bool, now time.Time) (commit.Plan, error) {
	item, found, err := s.Store.Get(ctx, keys.TenantKey(by.Scope.TenantID(), id))
	if err != nil {
		return commit.Plan{}, errs.Unread(err)
	}
	if !found {
		return commit.Plan{}, errs.Missing()
	}
	p, err := apikey.Read(id, item)
	if err != nil {
		return commit.Plan{}, err
	}
	if !by.Principal.Covers(p.Workspaces) {
		return commit.Plan{}, errs.Missing()
	}
	if allows != nil && !allows(1) {
		return commit.Plan{}, stale()
	}
	actions, err := apikey.Revoke(p, now)
	if err != nil {
		return commit.Plan{}, err
	}
	result, err := reference{Key: id}.bytes()
	return commit.Plan{Actions: actions, Entries: []ledger.Entry{entry(ledger.Delete, id, 2)}, Result: result}, err
}
