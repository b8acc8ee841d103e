package directory

import (
	"context"
	"strings"

	"holdfast/internal/apikey"
	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// walkPage is how many workspaces a walk reads at once.
const walkPage = 200

// A list's position is the id of the last thing that was answered: ids are
// time-ordered, so what is made meanwhile comes later, and what is deleted moves
// nothing (T.12).

// ListWorkspaces answers up to limit workspaces in the order they were made,
// behind a position (empty: the first), and the position to go on from (empty:
// that was all).
func (s *Service) ListWorkspaces(ctx context.Context, by Caller, limit int, position string) ([]tenant.Workspace, string, error) {
	if err := by.admin(); err != nil {
		return nil, "", err
	}
	return list(limit, position, lister[tenant.Workspace]{
		read: func(after string, limit int) ([]tenant.Workspace, error) {
			return s.workspaces(ctx, by.Scope.TenantID(), after, limit)
		},
		id:   func(w tenant.Workspace) string { return w.ID },
		keep: func(w tenant.Workspace) bool { return by.Principal.May(w.ID) },
	})
}

// ListKeys is ListWorkspaces for keys; revoked ones are absent.
func (s *Service) ListKeys(ctx context.Context, by Caller, limit int, position string) ([]apikey.Principal, string, error) {
	if err := by.admin(); err != nil {
		return nil, "", err
	}
	return list(limit, position, lister[apikey.Principal]{
		read: func(after string, limit int) ([]apikey.Principal, error) {
			return rows(ctx, s, by.Scope.TenantID(), keys.KeyPrefix, after, limit, apikey.Read)
		},
		id:   func(p apikey.Principal) string { return p.KeyID },
		keep: func(p apikey.Principal) bool { return by.Principal.Covers(p.Workspaces) },
	})
}

// Workspaces shows every workspace of a tenant in the order they were made, until
// visit answers an error.
func (s *Service) Workspaces(ctx context.Context, tenantID string, visit func(tenant.Workspace) error) error {
	for after := ""; ; {
		page, err := s.workspaces(ctx, tenantID, after, walkPage)
		if err != nil {
			return err
		}
		for _, w := range page {
			if err := visit(w); err != nil {
				return err
			}
			after = w.ID
		}
		if len(page) < walkPage {
			return nil
		}
	}
}

func (s *Service) workspaces(ctx context.Context, tenantID, after string, limit int) ([]tenant.Workspace, error) {
	return rows(ctx, s, tenantID, keys.WorkspacePrefix, after, limit, readWorkspace)
}

// lister is a list whose things may be hidden from the caller.
type lister[T any] struct {
	read func(after string, limit int) ([]T, error) // fewer than limit only at the end
	id   func(T) string
	keep func(T) bool
}

// list reads one thing more than it answers, so that a list that just ends has
// no further page.
func list[T any](limit int, position string, l lister[T]) (found []T, next string, err error) {
	for more := true; more && len(found) <= limit; {
		page, err := l.read(position, limit+1)
		if err != nil {
			return nil, "", err
		}
		for _, one := range page {
			position = l.id(one)
			if l.keep(one) {
				found = append(found, one)
			}
		}
		more = len(page) > limit
	}
	if len(found) <= limit {
		return found, "", nil
	}
	return found[:limit], l.id(found[limit-1]), nil
}

// rows reads up to limit rows of a tenant's partition that begin with a prefix,
// behind the one with id after; fewer only at the end.
func rows[T any](ctx context.Context, s *Service, tenantID, prefix, after string, limit int, read func(string, store.Item) (T, error)) ([]T, error) {
	query := store.Query{PK: keys.TenantPK(tenantID), Prefix: prefix, Limit: limit}
	if after != "" {
		query.Cursor = query.NewCursor(prefix + after)
	}
	var found []T
	for {
		page, err := s.Store.Query(ctx, query)
		if err != nil {
			return nil, errs.Unread(err)
		}
		for _, item := range page.Items {
			one, err := read(strings.TrimPrefix(item.Key.SK, prefix), item)
			if err != nil {
				return nil, err
			}
			found = append(found, one)
		}
		if page.Cursor == "" || len(found) >= limit {
			return found, nil
		}
		query.Cursor, query.Limit = page.Cursor, limit-len(found)
	}
}
