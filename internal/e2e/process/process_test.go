package process

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test's own binary be the process that is started: with the
// argument serve it answers /readyz until it is told to end.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "serve" {
		os.Exit(m.Run())
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	http.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	go func() { fmt.Println(http.ListenAndServe(os.Getenv("HOLDFAST_ADDR"), nil)) }()
	fmt.Println("setting", os.Getenv("HOLDFAST_SETTING"), "stray", os.Getenv("STRAY"))
	<-ended
	os.Exit(7)
}

func options(t *testing.T) Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	return Options{Binary: self, Args: []string{"serve"}, Data: folder, Log: filepath.Join(folder, "log")}
}

func begin(t *testing.T, o Options) *Process {
	t.Helper()
	p, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() }) // the test may have ended it
	return p
}

func TestStartReadyAndStop(t *testing.T) {
	t.Setenv("STRAY", "leaks")
	o := options(t)
	o.Env = []string{"HOLDFAST_SETTING=given"}
	p := begin(t, o)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := p.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	if m, err := p.Memory(); err != nil || m.Anonymous <= 0 || m.Resident < m.Anonymous {
		t.Errorf("memory %+v, %v", m, err)
	}
	code, err := p.Stop(ctx)
	if err != nil || code != 7 {
		t.Errorf("exit code %d, %v", code, err)
	}
	if out := p.Output(); !strings.Contains(out, "setting given stray \n") {
		t.Errorf("output %q", out)
	}
}

func TestOutputIsThatOfThisRun(t *testing.T) {
	o := options(t)
	if err := os.WriteFile(o.Log, []byte("from before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Binary, o.Args = "/bin/sh", []string{"-c", "echo now; echo too >&2; exit 3"}
	p := begin(t, o)
	code, err := p.Wait(t.Context())
	if err != nil || code != 3 || p.Output() != "now\ntoo\n" {
		t.Errorf("exit code %d, output %q, %v", code, p.Output(), err)
	}
}

func TestReadyEndsWithTheProcess(t *testing.T) {
	o := options(t)
	o.Binary, o.Args = "/bin/sh", []string{"-c", "echo no luck; exit 1"}
	err := begin(t, o).Ready(t.Context())
	if err == nil || !strings.Contains(err.Error(), "exit code 1") || !strings.Contains(err.Error(), "no luck") {
		t.Errorf("error %v", err)
	}
}

func TestKillLeavesNothing(t *testing.T) {
	p := begin(t, options(t))
	for range 2 { // the second finds it gone
		if err := p.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	if code, err := p.Wait(t.Context()); err != nil || code != -1 {
		t.Errorf("exit code %d, %v", code, err)
	}
}

func TestBuildSaysWhatIsWrong(t *testing.T) {
	if _, err := Build(t.Context(), "./nowhere", t.TempDir()); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("error %v", err)
	}
}
