// Package process builds the server's binary and runs it as a process of its own:
// for the black-box tests, the acceptance cases and the benchmark. It knows the
// service from outside only: a binary, environment variables, a data folder, an
// address, signals, an exit code and what was printed. It imports the standard
// library only.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// Build compiles a main package of this module into folder and answers the
// binary's path; flags are more of go build's.
func Build(ctx context.Context, pkg, folder string, flags ...string) (string, error) {
	out := filepath.Join(folder, filepath.Base(pkg))
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-o", out}, flags...)
	build := exec.CommandContext(ctx, "go", append(args, pkg)...)
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", pkg, err, text)
	}
	return out, nil
}

// Ports that a system hands out by itself lie above these (Linux: from 32,768 on), so
// that nobody gets one of them before the server listens on it.
const (
	firstPort = 20_000
	ports     = 12_000
)

// given counts the ports that this process has asked for.
var given atomic.Int64

// FreeAddr answers a loopback address that was free a moment ago.
func FreeAddr() (string, error) {
	var err error
	for range 100 {
		port := firstPort + (int64(os.Getpid())*100+given.Add(1))%ports
		var l net.Listener
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return l.Addr().String(), l.Close()
		}
	}
	return "", err
}

// Options say how to start the server.
type Options struct {
	Binary string
	Args   []string
	Data   string   // its data folder
	Addr   string   // host:port; empty: a free one
	Log    string   // file that gets all output; it is appended to
	Env    []string // more settings, NAME=value

	Attr *syscall.SysProcAttr // how to start it, such as under another user
}

// Process is a server that was started.
type Process struct {
	Addr string
	Data string

	cmd  *exec.Cmd
	log  *os.File
	from int64 // where this run's output begins in the log
	done chan struct{}
}

// Start starts the server and does not wait for it. The environment holds what is
// given and PATH, HOME and TMPDIR, so that the caller's settings change nothing.
func Start(o Options) (*Process, error) {
	if o.Addr == "" {
		addr, err := FreeAddr()
		if err != nil {
			return nil, err
		}
		o.Addr = addr
	}
	log, err := os.OpenFile(o.Log, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	at, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	p := &Process{Addr: o.Addr, Data: o.Data, log: log, from: at, done: make(chan struct{})}
	p.cmd = exec.Command(o.Binary, o.Args...)
	p.cmd.Env = environment(o)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = o.Attr
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	go p.watch()
	return p, nil
}

func environment(o Options) []string {
	env := []string{"HOLDFAST_ADDR=" + o.Addr, "HOLDFAST_DATA=" + o.Data}
	for _, name := range []string{"PATH", "HOME", "TMPDIR"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return append(env, o.Env...)
}

// watch waits for the process; its exit code stays readable in ProcessState.
func (p *Process) watch() {
	_ = p.cmd.Wait() // a bad exit is no error here: Wait answers the code
	close(p.done)
}

// Base is the address as a URL.
func (p *Process) Base() string { return "http://" + p.Addr }

// PID is the process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Ready waits until /readyz answers 200; an error when the process ends before, or
// ctx does.
func (p *Process) Ready(ctx context.Context) error {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		if p.answers(ctx) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not ready: %w\n%s", ctx.Err(), p.Output())
		case <-p.done:
			return fmt.Errorf("ended with exit code %d\n%s", p.cmd.ProcessState.ExitCode(), p.Output())
		case <-tick.C:
		}
	}
}

func (p *Process) answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.Base()+"/readyz", nil)
	if err != nil {
		return false
	}
	req.Close = true
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	return res.Body.Close() == nil && res.StatusCode == http.StatusOK
}

// Output is all that this run has printed so far, on both streams.
func (p *Process) Output() string {
	text, err := os.ReadFile(p.log.Name())
	if err != nil || int64(len(text)) < p.from {
		return ""
	}
	return string(text[p.from:])
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Signal sends a signal.
func (p *Process) Signal(s syscall.Signal) error { return p.cmd.Process.Signal(s) }

// Wait waits for the end and answers the exit code, -1 when a signal ended it.
func (p *Process) Wait(ctx context.Context) (int, error) {
	select {
	case <-p.done:
		return p.cmd.ProcessState.ExitCode(), nil
	case <-ctx.Done():
		return 0, fmt.Errorf("still running: %w\n%s", ctx.Err(), p.Output())
	}
}

// Stop asks the process to end and answers its exit code.
func (p *Process) Stop(ctx context.Context) (int, error) {
	if err := p.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return 0, err
	}
	return p.Wait(ctx)
}

// Kill ends the process at once, as kill -9 does, and waits until it is gone. A
// process that has ended already is no error.
func (p *Process) Kill() error {
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-p.done
	return nil
}

// Close kills the process if it still runs and closes the log.
func (p *Process) Close() error {
	return errors.Join(p.Kill(), p.log.Close())
}
