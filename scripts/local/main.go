// Command holdfast serves the whole product in one process (`make run`). It is
// configured by environment variables; -h lists them.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"holdfast/internal/app/localapp"
	"holdfast/internal/config"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Print("usage: holdfast (settings are environment variables)\n\n" + config.Usage())
		if os.Args[1] == "-h" || os.Args[1] == "--help" {
			return
		}
		os.Exit(2)
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "holdfast:", err)
		os.Exit(1)
	}
}

func run() error {
	c, err := config.FromEnviron(os.Environ())
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	return localapp.Run(ctx, c, os.Stdout, os.Stderr)
}
