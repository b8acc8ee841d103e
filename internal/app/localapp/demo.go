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
	"holdfast/internal/ids"
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
		return parseDemo(path, raw)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return demo{}, fmt.Errorf("the demo key cannot be read: %w", err)
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

// parseDemo reads what an earlier start wrote. Whether the key still opens
// anything is not asked: it may have been revoked with good reason.
func parseDemo(path string, raw []byte) (demo, error) {
	var d demo
	err := json.Unmarshal(raw, &d)
	if _, _, ok := apikey.Parse(d.Key); err != nil || !ok || !ids.Valid(d.WorkspaceID) {
		return demo{}, fmt.Errorf("%s is damaged: remove the file, and the next start makes a new demo workspace and key", path)
	}
	return d, nil
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
