package httpapi

import (
	"context"
	"net/http"

	"holdfast/internal/apikey"
	"holdfast/internal/errs"
	"holdfast/internal/runtoken"
)

// The headers that say in whose name a call acts.
const (
	headerRunToken  = "X-Agentos-Run-Token" // S3.22
	headerWorkspace = "Workspace-Id"        // T.34
)

// admitRun finds out which run calls (S3.22) and whether it may still write (S3.23).
// It counts in the rate of the key that started the run.
func (x *exchange) admitRun(ctx context.Context) error {
	run, err := x.gate.openRun(ctx, x.r.Header)
	if err != nil {
		return err
	}
	x.call.Run = run
	x.call.Principal = apikey.Principal{KeyID: run.KeyID, TenantID: run.Scope.TenantID(), Kind: apikey.Agent,
		SourceID: run.AgentID, Workspaces: []string{run.Scope.WorkspaceID()}}
	if err := x.gate.limited(x.call.Principal); err != nil {
		return err
	}
	if x.route.Mutates {
		return Running(run)
	}
	return nil
}

func (g *Gate) openRun(ctx context.Context, header http.Header) (runtoken.Run, error) {
	token := ""
	if values := header[headerRunToken]; len(values) == 1 {
		token = values[0]
	}
	return g.deps.Runs.Open(ctx, token)
}

// Running is the error of a write by a run that has ended (R3.27).
func Running(run runtoken.Run) error {
	if run.Ended() {
		return runtoken.HasEnded()
	}
	return nil
}

// keysWorkspace is the workspace of a call that names none: the key's only one,
// else that of the header (T.34).
func (x *exchange) keysWorkspace() (string, error) {
	if only := x.call.Principal.Workspaces; len(only) == 1 {
		if values := x.r.Header[headerWorkspace]; len(values) == 0 || len(values) == 1 && values[0] == only[0] {
			return only[0], nil
		}
		return "", errs.Missing()
	}
	if values := x.r.Header[headerWorkspace]; len(values) == 1 && values[0] != "" {
		return values[0], nil
	}
	return "", errs.New(errs.Unprocessable, "WORKSPACE_REQUIRED", "This key has several workspaces; name one in the header Workspace-Id.")
}
