// Command coldstart measures the start of Lambda functions: from the start of the
// process, as the platform starts it, to its first request for an event, when all
// clients are configured. It plays the platform's runtime interface and, for the
// settings of AWS, the endpoint that answers the root key's secret, both on loopback;
// so neither the network nor the unpacking of the function is in the figures.
//
//	go run ./scripts/coldstart [-functions folder] [-starts N] [-limit duration] [function]...
//
// It ends with 1 when a median is over the limit.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"
)

// usual are the functions that are measured when none is named: one of each kind.
var usual = []string{
	"healthz", "memory-get", "memory-append", "memory-retrieve", "admin-keys-create", "openapi",
	"worker-embed", "worker-seal", "worker-relay", "fallback",
}

func main() {
	functions := flag.String("functions", "", "folder of functions built for this machine; empty: they are built first")
	starts := flag.Int("starts", 10, "starts of each function")
	limit := flag.Duration("limit", 60*time.Millisecond, "the most that a median may be")
	flag.Parse()
	names := flag.Args()
	if len(names) == 0 {
		names = usual
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *functions, names, *starts, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "coldstart:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, functions string, names []string, starts int, limit time.Duration) (err error) {
	if starts < 1 {
		return errors.New("-starts: at least 1")
	}
	scratch, err := os.MkdirTemp("", "holdfast-coldstart-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	if functions == "" {
		if functions, err = build(ctx, scratch); err != nil {
			return err
		}
	}
	p, err := newPlatform()
	if err != nil {
		return err
	}
	defer p.close()
	return measure(ctx, os.Stdout, p, functions, scratch, names, starts, limit)
}

// build makes the functions for this machine the way of a deployment.
func build(ctx context.Context, scratch string) (string, error) {
	c := exec.CommandContext(ctx, "go", "run", "./scripts/build", "-out", scratch, "-arch", runtime.GOARCH)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return filepath.Join(scratch, runtime.GOARCH), c.Run()
}

// measure starts every function with every settings and prints the times.
func measure(ctx context.Context, to io.Writer, p *platform, functions, scratch string, names []string, starts int, limit time.Duration) error {
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(table, "function\tengines\tmedian ms\tleast\tmost"); err != nil {
		return err
	}
	var wrong []error
	for _, name := range names {
		for _, engines := range []string{"embedded", "AWS"} {
			times, err := p.starts(ctx, filepath.Join(functions, name, "bootstrap"), scratch, engines, starts)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", name, engines, err)
			}
			median := times[len(times)/2]
			if _, err := fmt.Fprintf(table, "%s\t%s\t%.1f\t%.1f\t%.1f\n", name, engines, ms(median), ms(times[0]), ms(times[len(times)-1])); err != nil {
				return err
			}
			if median > limit {
				wrong = append(wrong, fmt.Errorf("%s, %s: a median of %.1f ms, at most %.1f are allowed", name, engines, ms(median), ms(limit)))
			}
		}
	}
	return errors.Join(append(wrong, table.Flush())...)
}

// starts starts a function again and again and answers the times, least first.
func (p *platform) starts(ctx context.Context, binary, scratch, engines string, n int) ([]time.Duration, error) {
	var times []time.Duration
	for range n {
		data, err := os.MkdirTemp(scratch, "data-")
		if err != nil {
			return nil, err
		}
		took, err := p.start(ctx, binary, p.settings(engines, data))
		if err != nil {
			return nil, err
		}
		times = append(times, took)
	}
	slices.Sort(times)
	return times, nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
