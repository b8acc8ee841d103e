package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"holdfast/internal/e2e/client"
	"holdfast/internal/e2e/process"
)

// binary is the local server, function one of the Lambda functions.
var binary, function string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "holdfast-e2e-")
	if err != nil {
		return fail(err)
	}
	defer func() {
		if err := os.RemoveAll(folder); err != nil {
			fail(err)
		}
	}()
	ctx := context.Background()
	if binary, err = process.Build(ctx, "holdfast/scripts/local", folder); err != nil {
		return fail(err)
	}
	if function, err = process.Build(ctx, "holdfast/functions/memory-append", folder); err != nil {
		return fail(err)
	}
	// Other users may run the binary: the read-only test does when run by root.
	if err := errors.Join(os.Chmod(folder, 0o755), os.Chmod(binary, 0o755)); err != nil {
		return fail(err)
	}
	return m.Run()
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

const (
	rootKey  = "root-key-of-the-end-to-end-tests-0001"
	patience = time.Minute // that of a machine which is busy with other work
)

// server is a running process with a root client.
type server struct {
	*process.Process
	root client.Client
}

// options are process.Options for a data folder; a log file of its own beside it.
func options(data string, env ...string) process.Options {
	return process.Options{
		Binary: binary, Data: data, Log: data + ".log",
		Env: append([]string{
			"HOLDFAST_ROOT_KEY=" + rootKey, "HOLDFAST_RATE_KEY_PER_MINUTE=0", "HOLDFAST_RATE_TENANT_PER_MINUTE=0", "HOLDFAST_EMBED_WAIT=5000",
		}, env...),
	}
}

func folder(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "data")
}

// start starts a server and waits until it is ready; it is gone when the test ends.
func start(t *testing.T, o process.Options) *server {
	t.Helper()
	p, err := process.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() }) // the test may have ended it
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := p.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	return &server{p, client.Client{Base: p.Base(), Key: rootKey}}
}

// stop ends a server the polite way and answers its exit code.
func (s *server) stop(t *testing.T) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	code, err := s.Stop(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// refuses starts a server that must not start: exit code 1 and one clear sentence
// that holds a word; the sentence is answered.
func refuses(t *testing.T, o process.Options, word string) string {
	t.Helper()
	p, err := process.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }() // it has ended
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	code, err := p.Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	out := strings.TrimSpace(p.Output())
	if code != 1 {
		t.Errorf("exit code %d, want 1: %s", code, out)
	}
	if out == "" || strings.Contains(out, "\n") || len(out) > 400 {
		t.Errorf("not one sentence:\n%s", out)
	}
	if strings.Contains(out, "goroutine") || strings.Contains(out, "panic") {
		t.Errorf("the program's inside is shown:\n%s", out)
	}
	if !strings.Contains(strings.ToLower(out), strings.ToLower(word)) {
		t.Errorf("the sentence does not say %q: %s", word, out)
	}
	return out
}

// place is a tenant with a workspace and an agent in it.
type place struct {
	tenant    client.Tenant
	agent     client.Client
	workspace string
}

func (s *server) place(t *testing.T) place {
	t.Helper()
	tenant, err := s.root.NewTenant(t.Context(), "Harbour Office")
	if err != nil {
		t.Fatal(err)
	}
	workspace, err := tenant.Workspace(t.Context(), "Front desk")
	if err != nil {
		t.Fatal(err)
	}
	agent, err := tenant.Agent(t.Context(), workspace)
	if err != nil {
		t.Fatal(err)
	}
	return place{tenant, agent, workspace}
}

// at is the same place on a server that was started anew.
func (p place) at(s *server) place {
	p.agent.Base, p.tenant.Admin.Base = s.Base(), s.Base()
	return p
}

func (p place) memory(content string) map[string]any {
	return map[string]any{"workspaceId": p.workspace, "runId": "run-1", "layer": "Workspace", "type": "fact", "content": content}
}

// remember appends a memory and answers its id.
func (p place) remember(t *testing.T, content string) string {
	t.Helper()
	var made struct{ ID string }
	if err := p.agent.Do(t.Context(), http.MethodPost, "/v1/memory/append", p.memory(content), &made); err != nil {
		t.Fatal(err)
	}
	return made.ID
}

func (p place) path(id string) string { return "/v1/memory/" + id + "?workspaceId=" + p.workspace }

// chain checks that the workspace's chain verifies and answers the rows checked.
func (p place) chain(t *testing.T) int64 {
	t.Helper()
	var got struct {
		Valid      bool
		Checked    int64
		FirstBreak any
	}
	path := "/v1/receipts/verify?workspaceId=" + p.workspace
	if err := p.tenant.Admin.Do(t.Context(), http.MethodGet, path, nil, &got); err != nil {
		t.Fatal(err)
	}
	if !got.Valid {
		t.Errorf("the chain breaks: %v", got.FirstBreak)
	}
	return got.Checked
}

// eventually asks again until probe is content.
func eventually(t *testing.T, what string, probe func() bool) {
	t.Helper()
	end := time.NewTimer(patience)
	defer end.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !probe() {
		select {
		case <-end.C:
			t.Fatalf("not reached in %s: %s", patience, what)
		case <-tick.C:
		}
	}
}

// alive fails the test when the process has ended.
func (s *server) alive(t *testing.T) {
	t.Helper()
	if err := s.Signal(syscall.Signal(0)); err != nil {
		t.Fatalf("the server is gone: %v\n%s", err, s.Output())
	}
}
