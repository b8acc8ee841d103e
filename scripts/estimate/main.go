// Command estimate tells what a deployment would cost a month: from the plan that
// infra renders, a load that is stated, and the prices of prices.json, which has
// their date, their Region and where to check them.
//
//	go run ./scripts/estimate [-appends N] [-retrieves N] [-reads N] [-memories N] ... [-c name=value]...
//
// It says what it assumes and what it leaves out. It asks AWS nothing.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"holdfast/infra/plan"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "estimate:", err)
		os.Exit(1)
	}
}

func run(args []string, to io.Writer) error {
	load, settings, err := parse(args)
	if err != nil {
		return err
	}
	p, err := plan.Build(settings)
	if err != nil {
		return err
	}
	prices, err := readPrices()
	if err != nil {
		return err
	}
	lines, err := bill(p, settings, load, prices)
	if err != nil {
		return err
	}
	return report(to, p, load, prices, lines)
}

// settingsFlag gathers -c name=value.
type settingsFlag map[string]string

func (s settingsFlag) String() string { return "" }

func (s settingsFlag) Set(line string) error {
	name, value, ok := strings.Cut(line, "=")
	if !ok {
		return errors.New("takes name=value")
	}
	s[name] = value
	return nil
}

func parse(args []string) (Load, plan.Settings, error) {
	load, values := Load{}, settingsFlag{}
	flags := flag.NewFlagSet("estimate", flag.ContinueOnError)
	flags.Float64Var(&load.Appends, "appends", 300_000, "memories written a month")
	flags.Float64Var(&load.Retrieves, "retrieves", 1_000_000, "retrieves a month")
	flags.Float64Var(&load.Reads, "reads", 500_000, "other reads a month: get, list, changes")
	flags.Float64Var(&load.Memories, "memories", 1_000_000, "memories that are kept")
	flags.Float64Var(&load.Tokens, "tokens", 60, "tokens of a memory's text; a query has a third of them")
	flags.Float64Var(&load.AppendMS, "append-ms", 60, "time of an append's function, milliseconds")
	flags.Float64Var(&load.RetrieveMS, "retrieve-ms", 90, "time of a retrieve's function, milliseconds")
	flags.Float64Var(&load.ReadMS, "read-ms", 20, "time of another read's function, milliseconds")
	flags.Float64Var(&load.WorkerMS, "worker-ms", 80, "time of a worker's function for one message, milliseconds")
	flags.Var(values, "c", "a setting of the deployment, name=value; may come several times")
	if err := flags.Parse(args); err != nil {
		return load, plan.Settings{}, err
	}
	if flags.NArg() > 0 {
		return load, plan.Settings{}, fmt.Errorf("%s is no flag", flags.Arg(0))
	}
	if err := load.check(); err != nil {
		return load, plan.Settings{}, err
	}
	settings, err := plan.FromMap(values)
	return load, settings, err
}

// report writes the bill, what it rests on and what is not in it.
func report(to io.Writer, p plan.Plan, load Load, prices Prices, lines []Line) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	p1 := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) } // Flush tells
	p1("Stage %s, Region %s, prices of %s in %s a month", p.Stage, prices.Region, prices.Date, prices.Currency)
	p1("Load a month: %.0f appends, %.0f retrieves, %.0f other reads; %.0f memories kept\n", load.Appends, load.Retrieves, load.Reads, load.Memories)
	fixed, byLoad := 0.0, 0.0
	for _, l := range lines {
		if l.Fixed {
			fixed += l.Cost()
		} else {
			byLoad += l.Cost()
		}
		p1("%s\t%.4g %s\tx %.4g\t= %.2f", l.What, l.Quantity, l.Unit, l.Price, l.Cost())
	}
	p1("\nwithout any load\t\t\t  %.2f", fixed)
	p1("by the load\t\t\t  %.2f", byLoad)
	p1("together\t\t\t  %.2f", fixed+byLoad)
	p1("\nAssumed:")
	for _, a := range assumed {
		p1("- %s", a)
	}
	p1("Left out:")
	for _, a := range leftOut {
		p1("- %s", a)
	}
	p1("- %s", prices.Note)
	return w.Flush()
}
