//go:build infra

// Command infra is the CDK program of the service: it renders infra/plan as
// CloudFormation stacks. Run it through the CDK command line, which cdk.json tells
// how, or through scripts/cdk, which sees to both; settings are context (-c
// name=value), infra/plan lists them.
//
// Everything that can be decided without CDK is decided in infra/plan. It is built
// with the tag infra only, so that work on the service itself needs neither CDK nor
// Node.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"holdfast/infra/plan"
)

func main() {
	defer jsii.Close()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "infra:", err)
		jsii.Close()
		os.Exit(1)
	}
}

func run() error {
	app := awscdk.NewApp(&awscdk.AppProps{AnalyticsReporting: jsii.Bool(false)})
	if _, err := build(app); err != nil {
		return err
	}
	app.Synth(nil)
	return nil
}

// build makes the stacks that the app's context asks for.
func build(app awscdk.App) (*renderer, error) {
	values, err := contextOf(app)
	if err != nil {
		return nil, err
	}
	settings, err := plan.FromMap(values)
	if err != nil {
		return nil, err
	}
	p, err := plan.Build(settings)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(settings.Functions, settings.Arch)
	if err := built(folder, p); err != nil {
		return nil, err
	}
	r := newRenderer(p, folder)
	r.render(app)
	return r, nil
}

// contextOf is the app's context as text; values from cdk.json may be numbers.
func contextOf(app awscdk.App) (map[string]string, error) {
	all, ok := app.Node().GetAllContext(nil).(map[string]any)
	if !ok {
		return nil, errors.New("the context is no object")
	}
	values := map[string]string{}
	for name, value := range all {
		values[name] = fmt.Sprint(value)
	}
	return values, nil
}

// built tells which functions are not there to be deployed.
func built(folder string, p plan.Plan) error {
	var missing []error
	for _, f := range p.Functions {
		if _, err := os.Stat(filepath.Join(folder, f.ID, "bootstrap")); err != nil {
			missing = append(missing, fmt.Errorf("%s has no bootstrap in %s: build the functions first", f.ID, folder))
		}
	}
	return errors.Join(missing...)
}
