// Command verifydeploy compares what an emulator of AWS runs with the templates it
// was given. Emulators drop properties in silence, and a test of a deployment that
// differs from its template proves nothing.
//
//	go run ./scripts/verifydeploy [-out cdk.out] [-endpoint http://127.0.0.1:4566] [-check]
//
// Every property of every resource is compared with what the service in question
// answers for it. The properties of the list repairs are known to be dropped: they
// are set by a call of the service's own, then compared again. Any other difference
// fails, and so does a kind of resource or a property that nobody compares.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sort"
	"time"
)

func main() {
	out := flag.String("out", "cdk.out", "folder of the synthesised stacks")
	endpoint := flag.String("endpoint", "http://127.0.0.1:4566", "address of the emulator")
	region := flag.String("region", "us-east-1", "Region of the deployment")
	check := flag.Bool("check", false, "repair nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	v := verifier{cloud: newCloud(*endpoint, *region), out: *out, check: *check, to: os.Stdout}
	if err := v.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "verifydeploy:", err)
		stop()
		os.Exit(1)
	}
}

// verifier is one comparison of a deployment.
type verifier struct {
	cloud *cloud
	out   string
	check bool
	to    io.Writer
}

// timeout bounds the whole comparison.
const timeout = 5 * time.Minute

func (v verifier) run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	stacks, err := load(ctx, v.cloud, v.out)
	if err != nil {
		return err
	}
	resources, compared := 0, 0
	var differences []difference
	for _, s := range stacks {
		for _, r := range s.ordered() {
			found, n, err := v.compare(ctx, r)
			if err != nil {
				return fmt.Errorf("%s: %w", r.path(), err)
			}
			resources, compared, differences = resources+1, compared+n, append(differences, found...)
		}
	}
	for _, d := range differences {
		v.say("differs  %s", d)
	}
	v.say("%d resources and %d values in %d stacks compared, %d differ", resources, compared, len(stacks), len(differences))
	if len(differences) > 0 {
		return fmt.Errorf("%d values are not as in the templates", len(differences))
	}
	return nil
}

func (v verifier) say(format string, args ...any) { _, _ = fmt.Fprintf(v.to, format+"\n", args...) }

// compare answers how a resource differs from its template, after the repairs that
// are allowed, and how many values were compared.
func (v verifier) compare(ctx context.Context, r *resource) ([]difference, int, error) {
	read, ok := readers[r.kind]
	if !ok {
		return nil, 0, fmt.Errorf("nobody compares the kind %s", r.kind)
	}
	want, err := r.stack.resolved(ctx, r.properties)
	if err != nil {
		return nil, 0, err
	}
	state, err := read(ctx, v.cloud, r)
	if err != nil {
		return nil, 0, err
	}
	found, n := diff(r, want.(object), state)
	repaired := map[string]bool{}
	for _, d := range found {
		fix, known := repairs[r.kind+"."+d.property()]
		if !known || v.check || repaired[d.property()] {
			continue
		}
		repaired[d.property()] = true
		if err := fix(ctx, v.cloud, r, want.(object)[d.property()]); err != nil {
			return nil, 0, fmt.Errorf("repair of %s: %w", d.property(), err)
		}
		v.say("repaired %s %s", r.path(), d.property())
	}
	if len(repaired) == 0 {
		return found, n, nil
	}
	if state, err = read(ctx, v.cloud, r); err != nil {
		return nil, 0, err
	}
	found, n = diff(r, want.(object), state)
	return found, n, nil
}

// sortedKeys are a map's names in order.
func sortedKeys[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
