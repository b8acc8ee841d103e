// Command acceptance starts the service on a free port with a data folder of its
// own and the test clock, runs the black-box cases against it and stops it.
//
//	go run ./scripts/acceptance -cases ../shared/acceptance/run [arguments for the cases]
package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"holdfast/internal/e2e/process"
)

func main() {
	cases := flag.String("cases", "../shared/acceptance/run", "the runner of the cases")
	base := flag.String("base", "", "an address that already serves; then ROOT_KEY is taken from the environment")
	keep := flag.String("log", "", "file that gets the server's output; empty: dropped unless a case fails")
	flag.Parse()
	if _, err := os.Stat(*cases); err != nil {
		fmt.Printf("acceptance: there are no cases at %s, so nothing was run. They are kept beside the repository, not in it.\n", *cases)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if *base != "" {
		err = run(ctx, *cases, *base, os.Getenv("ROOT_KEY"), flag.Args())
	} else {
		err = serveAndRun(ctx, *cases, *keep, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "acceptance:", err)
		stop()
		os.Exit(1)
	}
}

func serveAndRun(ctx context.Context, cases, log string, args []string) (err error) {
	folder, err := os.MkdirTemp("", "holdfast-acceptance-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	binary, err := process.Build(ctx, "./scripts/local", folder)
	if err != nil {
		return err
	}
	if log == "" {
		log = filepath.Join(folder, "server.log")
	}
	root, err := rootKey()
	if err != nil {
		return err
	}
	p, err := process.Start(process.Options{
		Binary: binary, Data: filepath.Join(folder, "data"), Log: log,
		Env: []string{"HOLDFAST_TEST_CLOCK=1", "HOLDFAST_WEBHOOK_ALLOW=127.0.0.0/8", "HOLDFAST_ROOT_KEY=" + root},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end(p)) }()
	ready, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if err := p.Ready(ready); err != nil {
		return err
	}
	return run(ctx, cases, p.Base(), root, args)
}

func run(ctx context.Context, cases, base, root string, args []string) error {
	given := append([]string{"--base", base, "--root-key", root}, args...)
	cmd := exec.CommandContext(ctx, cases, given...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONUNBUFFERED=1")
	return cmd.Run()
}

// end stops the server; anything but a clean exit is an error.
func end(p *process.Process) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	code, err := p.Stop(ctx)
	if err == nil && code != 0 {
		err = fmt.Errorf("the server ended with exit code %d\n%s", code, p.Output())
	}
	return errors.Join(err, p.Close())
}

func rootKey() (string, error) {
	var b [24]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	return "root_" + hex.EncodeToString(b[:]), nil
}
