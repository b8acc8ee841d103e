// Command cdk runs the CDK command line on the service's stacks: it fetches the
// command line in the version of package-lock.json (once, into .engines/node, by
// npm), compiles infra and the functions, synthesises, and passes on.
//
//	go run ./scripts/cdk [flags] synth|deploy|destroy|diff|bootstrap [-c name=value]...
//
// Settings are given by -c; without a command it lists them. An AWS account is
// found as every AWS tool finds it; -endpoint takes an emulator instead.
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
	"slices"
	"strings"
	"syscall"

	"holdfast/infra/plan"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, err := parse(os.Args[1:])
	if err == nil {
		err = r.run(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cdk:", err)
		stop()
		os.Exit(1)
	}
}

// request is what is to be done.
type request struct {
	command  string
	settings []string // name=value
	endpoint string   // of an emulator; empty: AWS
	out      string   // folder of the synthesised stacks
	reuse    bool     // take what is there, synthesise nothing
	node     string
	given    plan.Settings
}

// commands are those of CDK that are passed on.
var commands = []string{"synth", "deploy", "destroy", "diff", "bootstrap"}

// listed gathers a flag that may come several times.
type listed []string

func (l *listed) String() string     { return strings.Join(*l, " ") }
func (l *listed) Set(s string) error { *l = append(*l, s); return nil }

func parse(args []string) (request, error) {
	r := request{}
	flags := flag.NewFlagSet("cdk", flag.ContinueOnError)
	flags.StringVar(&r.endpoint, "endpoint", "", "address of an emulator that stands for AWS")
	flags.StringVar(&r.out, "out", "cdk.out", "folder of the synthesised stacks")
	flags.BoolVar(&r.reuse, "reuse", false, "take the stacks that are in -out as they are")
	flags.StringVar(&r.node, "node", filepath.Join(".engines", "node"), "folder of the CDK command line")
	flags.Var((*listed)(&r.settings), "c", "a setting, name=value; may come several times")
	flags.Usage = func() {
		_, _ = fmt.Fprintf(flags.Output(), "usage: cdk [flags] %s [flags]\n", strings.Join(commands, "|"))
		flags.PrintDefaults()
		_, _ = fmt.Fprintf(flags.Output(), "\nsettings:\n%s", plan.Usage())
	}
	for len(args) > 0 { // flags may stand before and after the command
		if err := flags.Parse(args); err != nil {
			return r, err
		}
		if args = flags.Args(); len(args) > 0 {
			if r.command != "" {
				return r, fmt.Errorf("one command at a time, not %s and %s", r.command, args[0])
			}
			r.command, args = args[0], args[1:]
		}
	}
	if !slices.Contains(commands, r.command) {
		flags.Usage()
		return r, fmt.Errorf("the command must be one of %s", strings.Join(commands, ", "))
	}
	return r.settle()
}

// settle reads the settings and refuses what must not be done.
func (r request) settle() (request, error) {
	values := map[string]string{}
	for _, s := range r.settings {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return r, errors.New("-c takes name=value")
		}
		values[name] = value
	}
	var err error
	if r.given, err = plan.FromMap(values); err != nil {
		return r, err
	}
	if r.command == "destroy" && r.given.Stage == "prod" && !r.given.AllowDestroy {
		return r, errors.New("the stage prod is not destroyed without -c allowDestroy=true, and its protection is lifted by a deploy with that setting first")
	}
	return r, nil
}

func (r request) run(ctx context.Context) error {
	if err := r.install(ctx); err != nil {
		return err
	}
	if r.command == "bootstrap" && r.endpoint != "" {
		return r.cdk(ctx, "bootstrap", "--app", "", "aws://"+account+"/"+emulated)
	}
	if !r.reuse {
		if err := r.synth(ctx); err != nil || r.command == "synth" {
			return err
		}
	}
	args := []string{r.command, "--app", r.out}
	switch r.command {
	case "deploy":
		args = append(args, "--all", "--outputs-file", filepath.Join(r.out, "outputs.json"))
		if r.endpoint != "" {
			args = append(args, "--require-approval", "never")
		}
	case "destroy":
		args = append(args, "--all", "--force")
	}
	return r.cdk(ctx, args...)
}

// synth builds what is deployed and then the stacks around it.
func (r request) synth(ctx context.Context) error {
	err := r.execute(ctx, "go", "run", "./scripts/build", "-out", r.given.Functions, "-arch", r.given.Arch)
	if err != nil {
		return err
	}
	if err := r.execute(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-tags", "infra", "-o", filepath.Join(".bin", "infra"), "./infra"); err != nil {
		return err
	}
	args := []string{"synth", "--quiet", "--output", r.out}
	for _, s := range r.settings {
		args = append(args, "-c", s)
	}
	return r.cdk(ctx, args...)
}

// install fetches the command line once; npm checks it against the lock.
func (r request) install(ctx context.Context) error {
	lock, err := os.ReadFile(filepath.Join("scripts", "cdk", "package-lock.json"))
	if err != nil {
		return err
	}
	kept := filepath.Join(r.node, "package-lock.json")
	if old, err := os.ReadFile(kept); err == nil && string(old) == string(lock) && exists(r.program()) {
		return nil
	}
	if err := os.MkdirAll(r.node, 0o755); err != nil {
		return err
	}
	wanted, err := os.ReadFile(filepath.Join("scripts", "cdk", "package.json"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.node, "package.json"), wanted, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(kept, lock, 0o644); err != nil {
		return err
	}
	return r.execute(ctx, "npm", "ci", "--prefix", r.node, "--no-audit", "--no-fund")
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

func (r request) program() string { return filepath.Join(r.node, "node_modules", ".bin", "cdk") }

func (r request) cdk(ctx context.Context, args ...string) error {
	return r.execute(ctx, r.program(), args...)
}

// execute runs a program in the foreground; when this one is told to stop, it is
// told so too.
func (r request) execute(ctx context.Context, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Stdout, c.Stderr, c.Env = os.Stdout, os.Stderr, r.environ(os.Environ())
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	return nil
}

// environ is the environment of the programs: towards an emulator without the
// account and the certificates of the real AWS.
func (r request) environ(own []string) []string {
	out := append(slices.Clone(own), "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION=1", "CDK_DISABLE_CLI_TELEMETRY=1")
	if r.endpoint == "" {
		return out
	}
	out = slices.DeleteFunc(out, func(line string) bool { return strings.HasPrefix(line, "AWS_") })
	return append(out, "AWS_ENDPOINT_URL="+r.endpoint, "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test",
		"AWS_REGION="+emulated, "AWS_DEFAULT_REGION="+emulated, "AWS_EC2_METADATA_DISABLED=true")
}

// An emulator's account and the Region that is used with it.
const (
	account  = "000000000000"
	emulated = "us-east-1"
)
