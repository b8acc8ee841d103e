package localapp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"holdfast/internal/apikey"
	"holdfast/internal/app"
	"holdfast/internal/tenant/directory"
)

// demoFile remembers the demo key, so that the printed curl works at every start.
const demoFile = "demo.json"

// demo is a tenant's workspace with an agent's key in it, for the first curl.
type demo struct {
	WorkspaceID string `json:"workspaceId"`
	Key         string `json:"key"`
}

// openDemo answers the demo of an earlier start or makes one.
func openDemo(ctx context.Context, a *app.App) (demo, error) {
	path := filepath.Join(a.Config.Data, demoFile)
	raw, err := os.ReadFile(path)
	if err == nil {
		var d demo
		return d, json.Unmarshal(raw, &d)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return demo{}, err
	}
	d, err := makeDemo(ctx, a)
	if err != nil {
		return demo{}, fmt.Errorf("the demo workspace could not be made: %w", err)
	}
	if raw, err = json.Marshal(d); err != nil {
		return demo{}, err
	}
	return d, writeSecret(path, append(raw, '\n'))
}

// makeDemo goes through the same services as a call of the root key.
func makeDemo(ctx context.Context, a *app.App) (demo, error) {
	by, err := a.RootCaller(ctx)
	if err != nil {
		return demo{}, err
	}
	made, err := a.Directory.CreateTenant(ctx, by, "demo")
	if err != nil {
		return demo{}, err
	}
	if by, err = a.AdminCaller(ctx, made.AdminKey); err != nil {
		return demo{}, err
	}
	workspace, err := a.Directory.CreateWorkspace(ctx, by, "demo", directory.SettingsChange{})
	if err != nil {
		return demo{}, err
	}
	name := "demo"
	key, err := a.Directory.CreateKey(ctx, by, directory.NewKey{
		Kind: apikey.Agent, Name: &name, Workspaces: []string{workspace.Workspace.ID}})
	if err != nil {
		return demo{}, err
	}
	return demo{WorkspaceID: workspace.Workspace.ID, Key: key.Text}, nil
}
