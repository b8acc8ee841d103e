package directory

import (
	"context"
	"fmt"
	"io"
	"time"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/keyed"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// ChangedWorkspace is the answer of CreateWorkspace and UpdateWorkspace: the
// workspace as the change left it.
type ChangedWorkspace struct {
	tenant.Workspace
	commit.Outcome
}

// CreateWorkspace makes a workspace with the default settings and what change
// says otherwise (T.32), and its secret. An administrator whose key is limited to
// some workspaces may, but the new one is outside that key.
func (s *Service) CreateWorkspace(ctx context.Context, by Caller, name string, change SettingsChange) (ChangedWorkspace, error) {
	if err := by.admin(); err != nil {
		return ChangedWorkspace{}, err
	}
	broken := change.check("/settings")
	broken.label("/name", name, MaxName)
	if err := broken.err(); err != nil {
		return ChangedWorkspace{}, err
	}
	made := tenant.Workspace{ID: s.IDs.New(), Name: name, Settings: change.apply(tenant.DefaultSettings()), Version: 1}
	secret, err := s.newSecret(by.Scope.Sibling(made.ID))
	if err != nil {
		return ChangedWorkspace{}, err
	}
	return s.change(ctx, by, func(_ context.Context, op commit.Operation) (commit.Plan, error) {
		w := made
		w.CreatedAt = op.At.Truncate(time.Millisecond)
		plan, err := planWorkspace(by, w, ledger.Create, store.IfAbsent(), op.At)
		plan.Actions = append(plan.Actions, secret)
		return plan, err
	})
}

// WorkspaceChange changes a workspace; nil leaves the name as it is.
type WorkspaceChange struct {
	Name     *string
	Settings SettingsChange
}

// UpdateWorkspace changes a workspace's name and settings, if allows agrees with
// the version it has (If-Match, T.16); nil agrees with all. Of two changes at
// once to one version exactly one is made.
func (s *Service) UpdateWorkspace(ctx context.Context, by Caller, id string, change WorkspaceChange, allows func(version int64) bool) (ChangedWorkspace, error) {
	if err := by.admin(); err != nil {
		return ChangedWorkspace{}, err
	}
	broken := change.Settings.check("")
	if change.Name != nil {
		broken.label("/name", *change.Name, MaxName)
	}
	if err := broken.err(); err != nil {
		return ChangedWorkspace{}, err
	}
	return s.change(ctx, by, func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
		w, err := s.visible(ctx, by, id)
		if err != nil {
			return commit.Plan{}, err
		}
		if allows != nil && !allows(w.Version) {
			return commit.Plan{}, stale()
		}
		before := w.Version
		if change.Name != nil {
			w.Name = *change.Name
		}
		w.Settings, w.Version = change.Settings.apply(w.Settings), before+1
		return planWorkspace(by, w, ledger.Update, store.IfEqual(attrVersion, store.N(before)), op.At)
	})
}

func stale() error {
	return errs.New(errs.Precondition, "VERSION_MISMATCH", "If-Match names another version than the present one; read it again.")
}

func planWorkspace(by Caller, w tenant.Workspace, op ledger.Op, cond *store.Cond, now time.Time) (commit.Plan, error) {
	result, err := reference{Workspace: w.ID, Version: w.Version}.bytes()
	return commit.Plan{
		Actions: putWorkspace(by.Scope.TenantID(), w, cond, now),
		Entries: []ledger.Entry{entry(op, w.ID, w.Version)},
		Result:  result,
	}, err
}

// change commits and answers the workspace as this change, or the first call
// with the same idempotency key, left it.
func (s *Service) change(ctx context.Context, by Caller, plan func(context.Context, commit.Operation) (commit.Plan, error)) (ChangedWorkspace, error) {
	out, err := s.Commit.Do(ctx, by.write(by.Scope, plan))
	if err != nil {
		return ChangedWorkspace{}, err
	}
	ref, err := readReference(out.Result)
	if err != nil {
		return ChangedWorkspace{}, err
	}
	if s.changed != nil {
		s.changed(by.Scope.TenantID(), ref.Workspace)
	}
	w, err := s.workspace(ctx, ref.Workspace, keys.TenantWorkspaceVersion(by.Scope.TenantID(), ref.Workspace, ref.Version))
	return ChangedWorkspace{Workspace: w, Outcome: out}, err
}

// Workspace answers a workspace of a tenant as of now, or errs.Missing.
func (s *Service) Workspace(ctx context.Context, tenantID, workspaceID string) (tenant.Workspace, error) {
	if !ids.Valid(workspaceID) {
		return tenant.Workspace{}, errs.Missing()
	}
	return s.workspace(ctx, workspaceID, keys.TenantWorkspace(tenantID, workspaceID))
}

func (s *Service) workspace(ctx context.Context, id string, key store.Key) (tenant.Workspace, error) {
	item, found, err := s.Store.Get(ctx, key)
	if err != nil {
		return tenant.Workspace{}, errs.Unread(err)
	}
	if !found {
		return tenant.Workspace{}, errs.Missing()
	}
	return readWorkspace(id, item)
}

// GetWorkspace is Workspace for administrators: what their key does not cover is
// absent.
func (s *Service) GetWorkspace(ctx context.Context, by Caller, id string) (tenant.Workspace, error) {
	if err := by.admin(); err != nil {
		return tenant.Workspace{}, err
	}
	return s.visible(ctx, by, id)
}

func (s *Service) visible(ctx context.Context, by Caller, id string) (tenant.Workspace, error) {
	if !by.Principal.May(id) {
		return tenant.Workspace{}, errs.Missing()
	}
	return s.Workspace(ctx, by.Scope.TenantID(), id)
}

// secretBytes is the length of a workspace's secret.
const secretBytes = 32

// newSecret is the action that gives a workspace the key of its keyed hashes,
// which never changes.
func (s *Service) newSecret(scope tenant.Scope) (store.Action, error) {
	secret := make([]byte, secretBytes)
	if _, err := io.ReadFull(s.Random, secret); err != nil {
		return store.Action{}, fmt.Errorf("directory: no randomness: %w", err)
	}
	item := store.Item{Key: keys.Secret(scope), Attrs: store.Attrs{keyed.AttrKey: store.B(secret)}}
	return store.PutItem("secret", item, store.IfAbsent()), nil
}
