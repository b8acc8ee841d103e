// Command bench measures the service from outside: the real binary, over loopback,
// on a throw-away data folder, with rate limits off.
//
//	go run ./scripts/bench [-parts recall,made,features,speed] [-sizes 1000,10000,100000] [-workspaces 1000]
//
// recall: appends the LoCoMo conversations turn by turn, and the short facts that were
// noted from them, and asks every question of each arm; needs the data folder and is
// left out where that is absent. Recall counts all five categories, the share of
// evidence in budgets leaves the adversarial fifth out. made: the same on generated
// sets, and how newer statements stand to those that they replace; needs no data. peers:
// the conversations in Bleve and SQLite FTS5, which scripts/peers fetches and builds
// when it is asked for. features: ranking with one part of it left out at a time.
// shortlist: what the embedded index finds of the nearest vectors when it does not compare
// all. speed: latency, throughput, memory, disk and start-up at several sizes of one
// workspace, and with many small ones. options: what each option of retrieve costs.
// consolidate: time and memory that ending a long run takes. facts: the facts of one
// agent, 100,000 of them. crash: kill -9 under load. The tables go to standard output,
// the same figures as JSON into the folder of -out.
//
// With -compare, every ranking figure is printed beside that of another run, and the
// program fails when one is worse by more than .005; sets that were not measured are
// named, not counted. «make bench-check» compares with the baseline of the repository,
// which -save-baseline writes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"holdfast/internal/e2e/process"
)

type options struct {
	data, out, folder string
	parts             map[string]bool
	sizes             []int
	many              int // workspaces of eachWorkspace memories; 0: not measured
	runs, rounds      int
	settings          []string // NAME=value, for the ranking parts
	compare           string   // file or folder of another run; empty: none
	baseline          bool     // write the baseline
}

// allParts are what can be measured, in this order.
var allParts = []string{"recall", "made", "peers", "features", "shortlist", "speed", "options", "consolidate", "facts", "crash"}

func main() {
	o, err := parse()
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		err = o.run(ctx)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func parse() (o options, err error) {
	flag.StringVar(&o.data, "data", "../shared/data", "folder with locomo-dev/locomo_dev.json")
	flag.StringVar(&o.out, "out", ".bench", "folder for the JSON; empty: none")
	flag.StringVar(&o.folder, "tmp", "", "folder for the servers' data, on the disk that is to be measured; empty: the system's temporary folder")
	parts := flag.String("parts", strings.Join(allParts, ","), "what to measure")
	sizes := flag.String("sizes", "1000,10000,100000", "numbers of memories for speed")
	flag.IntVar(&o.many, "workspaces", 1000, "small workspaces for speed; 0: none")
	flag.IntVar(&o.runs, "runs", 3, "runs of which the median is shown")
	flag.IntVar(&o.rounds, "rounds", 20, "kills of the crash part")
	settings := flag.String("settings", "", "file of NAME=value lines for the ranking parts' servers, as scripts/emulate prints them: ranking on other engines")
	flag.StringVar(&o.compare, "compare", "", "report, baseline or folder of reports (the newest counts) to compare the ranking figures with; fails when one is worse by more than .005")
	flag.BoolVar(&o.baseline, "save-baseline", false, "write the ranking figures to "+baselineFile)
	flag.Parse()
	if *settings != "" {
		raw, err := os.ReadFile(*settings)
		if err != nil {
			return o, err
		}
		o.settings = strings.Fields(string(raw))
	}
	o.parts = make(map[string]bool)
	for _, part := range strings.Split(*parts, ",") {
		if !slices.Contains(allParts, part) {
			return o, fmt.Errorf("-parts knows %s", strings.Join(allParts, ", "))
		}
		o.parts[part] = true
	}
	for _, size := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return o, fmt.Errorf("-sizes are whole numbers, comma-separated")
		}
		o.sizes = append(o.sizes, n)
	}
	return o, nil
}

func (o options) run(ctx context.Context) (err error) {
	talks, facts, left, err := readLocomo(o.data)
	if errors.Is(err, errNoData) && o.parts["recall"] {
		fmt.Printf("bench: no conversations at %s, so ranking on them is not measured. They are kept beside the repository, not in it.\n\n", o.data)
		delete(o.parts, "recall")
	} else if err != nil && !errors.Is(err, errNoData) {
		return err
	}
	if o.baseline && !(o.parts["recall"] && o.parts["made"]) {
		return errNoBaseline
	}
	var before saved
	if o.compare != "" {
		if before, err = readSaved(o.compare); err != nil {
			return err
		}
	}
	if len(o.parts) == 0 {
		return o.check(before, nil)
	}
	r := report{At: time.Now(), Go: runtime.Version(), CPUs: runtime.NumCPU(), Load: loadAverage(), Runs: o.runs, LeftOut: left}
	if r.Load > float64(r.CPUs)/4 {
		fmt.Printf("bench: the load average is %.1f before the run: other work will disturb these figures\n\n", r.Load)
	}
	if err := o.build(ctx, talks, facts, &r); err != nil {
		return err
	}
	r.Ranking = r.ranking()
	if err := o.keep(r); err != nil {
		return err
	}
	return o.check(before, r.Ranking)
}

// build builds the server in a folder of its own and measures it there.
func (o options) build(ctx context.Context, talks, facts []conversation, r *report) (err error) {
	folder, err := os.MkdirTemp(o.folder, "holdfast-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	binary, err := process.Build(ctx, "./scripts/local", folder)
	if err != nil {
		return err
	}
	return o.measure(ctx, binary, folder, talks, facts, r)
}

// keep writes the report, and the baseline if asked to.
func (o options) keep(r report) error {
	if o.out != "" {
		path, err := r.save(o.out)
		if err != nil {
			return err
		}
		fmt.Println("written to", path)
	}
	if o.baseline {
		if err := r.saveBaseline(baselineFile); err != nil {
			return err
		}
		fmt.Println("written to", baselineFile)
	}
	return nil
}

// check compares with another run if asked to.
func (o options) check(before saved, now figures) error {
	if o.compare == "" {
		return nil
	}
	rows := compare(before.Ranking, now)
	return errors.Join(printCompared(os.Stdout, before, rows), checked(rows))
}

func (o options) measure(ctx context.Context, binary, folder string, talks, facts []conversation, r *report) error {
	measures := map[string]func() error{
		"recall":      func() error { return o.recall(ctx, binary, folder, talks, facts, r) },
		"made":        func() error { return o.generated(ctx, binary, folder, r) },
		"features":    func() error { return features(ctx, talks, facts, r) },
		"shortlist":   func() error { return shortlists(ctx, talks, r) },
		"peers":       func() error { return o.peers(ctx, folder, talks, r) },
		"speed":       func() error { return o.speed(ctx, binary, folder, r) },
		"options":     func() error { return o.options(ctx, binary, folder, r) },
		"consolidate": func() error { return consolidate(ctx, binary, folder, r) },
		"facts":       func() error { return inFolders(ctx, binary, folder, r) },
		"crash":       func() error { return o.crash(ctx, binary, folder, r) },
	}
	for _, part := range allParts {
		if !o.parts[part] {
			continue
		}
		if err := measures[part](); err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	return nil
}
