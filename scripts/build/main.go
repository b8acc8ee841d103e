// Command build compiles every Lambda function for the architectures that AWS
// offers, one go build each, the way a deployment does: static, with trimmed paths,
// no symbol table and no version stamp, so that an unchanged function has unchanged bytes.
// What is deployed is a folder: {architecture}/{function}/bootstrap, and for the
// functions that embed text the table of the local model beside it. A function that
// is larger than a cold start allows fails the build.
//
//	go run ./scripts/build [-out folder] [-arch arm64,amd64]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	out := flag.String("out", "", "folder for the binaries, one below it an architecture; empty: a temporary one, removed at the end")
	archs := flag.String("arch", "arm64,amd64", "architectures, comma-separated")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, strings.Split(*archs, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, out string, archs []string) (err error) {
	if out == "" {
		if out, err = os.MkdirTemp("", "holdfast-functions-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(out)) }()
	}
	want, err := filepath.Glob("functions/*/main.go")
	if err != nil {
		return err
	}
	if len(want) == 0 {
		return errors.New("there are no functions/*/main.go here")
	}
	for _, arch := range archs {
		folder := filepath.Join(out, arch)
		if err := compile(ctx, arch, folder); err != nil {
			return err
		}
		if err := report(os.Stdout, arch, folder, len(want)); err != nil {
			return err
		}
	}
	return nil
}

// compile builds all functions at once, then gives each a folder of its own. What
// an earlier build left there goes, functions that are no more too.
func compile(ctx context.Context, arch, folder string) (err error) {
	binaries := folder + ".new"
	if err := os.MkdirAll(binaries, 0o755); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(binaries)) }()
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-tags=lambda.norpc,tablefile",
		"-o", binaries+string(filepath.Separator), "./functions/...")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0")
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("linux/%s: %w", arch, err)
	}
	return spread(binaries, folder)
}

// spread moves every binary into a folder of its name.
func spread(binaries, folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	files, err := os.ReadDir(binaries)
	if err != nil {
		return err
	}
	for _, f := range files {
		at := filepath.Join(folder, f.Name())
		if err := os.MkdirAll(at, 0o755); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(binaries, f.Name()), filepath.Join(at, "bootstrap")); err != nil {
			return err
		}
		if embeds(f.Name()) {
			if err := copyModel(at); err != nil {
				return err
			}
		}
	}
	return nil
}
