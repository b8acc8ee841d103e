package adminapi

import (
	"context"
	"net/http"

	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
	"holdfast/internal/tenant"
	"holdfast/internal/tenant/directory"
)

// Workspace is a workspace as it is shown (T.32).
type Workspace struct {
	WorkspaceID string       `json:"workspaceId"`
	Name        string       `json:"name"`
	Settings    Settings     `json:"settings"`
	CreatedAt   httpapi.Time `json:"createdAt"`
}

func workspaceOf(w tenant.Workspace) Workspace {
	return Workspace{WorkspaceID: w.ID, Name: w.Name, Settings: settingsOf(w.Settings), CreatedAt: httpapi.At(w.CreatedAt)}
}

// changed is the answer to a change.
func changed(w directory.ChangedWorkspace, err error) (httpapi.Reply[Workspace], error) {
	if err != nil {
		return httpapi.Reply[Workspace]{}, err
	}
	return httpapi.OK(workspaceOf(w.Workspace)).Wrote(w.Outcome).ETag(w.Version), nil
}

type newWorkspaceInput struct {
	Body struct {
		Name     string          `json:"name" minLength:"1" maxLength:"200"`
		Settings *SettingsChange `json:"settings,omitempty"`
	}
}

// WorkspacesCreate makes a workspace.
func WorkspacesCreate(d httpapi.Deps) httpapi.Endpoint {
	return httpapi.Handle(routes.AdminWorkspacesCreate, func(ctx context.Context, c *httpapi.Call, in *newWorkspaceInput) (httpapi.Reply[Workspace], error) {
		return changed(d.Directory.CreateWorkspace(ctx, caller(c), in.Body.Name, in.Body.Settings.change()))
	})
}

// WorkspaceChange is a new name, some of the settings, or both.
type WorkspaceChange struct {
	Name *string `json:"name,omitempty" minLength:"1" maxLength:"200"`
	SettingsChange
}

type workspaceChangeInput struct {
	ID   string `path:"id"`
	Body WorkspaceChange
}

// WorkspacesUpdate changes a workspace's name and settings.
func WorkspacesUpdate(d httpapi.Deps) httpapi.Endpoint {
	return httpapi.Handle(routes.AdminWorkspacesSet, func(ctx context.Context, c *httpapi.Call, in *workspaceChangeInput) (httpapi.Reply[Workspace], error) {
		change := directory.WorkspaceChange{Name: in.Body.Name, Settings: in.Body.change()}
		return changed(d.Directory.UpdateWorkspace(ctx, caller(c), in.ID, change, c.AllowsVersion))
	})
}

type workspaceInput struct {
	ID string `path:"id"`
}

// WorkspacesGet reads a workspace.
func WorkspacesGet(d httpapi.Deps) httpapi.Endpoint {
	return httpapi.Handle(routes.AdminWorkspacesGet, func(ctx context.Context, c *httpapi.Call, in *workspaceInput) (httpapi.Reply[Workspace], error) {
		w, err := d.Directory.GetWorkspace(ctx, caller(c), in.ID)
		if err != nil {
			return httpapi.Reply[Workspace]{}, err
		}
		if c.KnowsVersion(w.Version) {
			return httpapi.Empty[Workspace](http.StatusNotModified).ETag(w.Version), nil
		}
		return httpapi.OK(workspaceOf(w)).ETag(w.Version), nil
	})
}

// WorkspacesPage is a page of workspaces in the order they were made.
type WorkspacesPage struct {
	Workspaces []Workspace `json:"workspaces"`
	NextCursor *string     `json:"nextCursor" nullable:"true"`
}

// WorkspacesList lists a tenant's workspaces.
func WorkspacesList(d httpapi.Deps) httpapi.Endpoint {
	return httpapi.Handle(routes.AdminWorkspacesList, func(ctx context.Context, c *httpapi.Call, in *pageInput) (httpapi.Reply[WorkspacesPage], error) {
		shown, next, err := list(c, in, workspaceOf, func(limit int, position string) ([]tenant.Workspace, string, error) {
			return d.Directory.ListWorkspaces(ctx, caller(c), limit, position)
		})
		return httpapi.OK(WorkspacesPage{Workspaces: shown, NextCursor: next}), err
	})
}
