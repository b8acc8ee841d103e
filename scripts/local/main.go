// Command holdfast serves the whole product in one process (`make run`). With the
// argument compact it rewrites the database file of a stopped server instead. It is
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
	os.Exit(command(os.Args[1:]))
}

const usage = `usage: holdfast           serve until SIGTERM or Ctrl-C
       holdfast compact   write the database file of a stopped server anew,
                          without what was deleted from it
Settings are environment variables.

`

// command does what the arguments say and answers the exit code.
func command(args []string) int {
	do := serve
	switch {
	case len(args) == 0:
	case len(args) == 1 && args[0] == "compact":
		do = compact
	default:
		fmt.Print(usage + config.Usage())
		if args[0] == "-h" || args[0] == "--help" {
			return 0
		}
		return 2
	}
	c, err := config.FromEnviron(os.Environ())
	if err == nil {
		err = do(c)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "holdfast:", err)
		return 1
	}
	return 0
}

func compact(c config.Config) error { return localapp.Compact(c, os.Stdout) }

func serve(c config.Config) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	return localapp.Run(ctx, c, os.Stdout, os.Stderr)
}
