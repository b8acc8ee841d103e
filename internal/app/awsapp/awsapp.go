// Package awsapp serves one route or one worker as a Lambda function. What an
// environment keeps between calls is the engines' clients and the key cache.
package awsapp

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"holdfast/internal/app"
	"holdfast/internal/awsconf"
	"holdfast/internal/clock"
	"holdfast/internal/config"
	"holdfast/internal/embed/static"
	"holdfast/internal/errs"
	"holdfast/internal/httpapi"
	"holdfast/internal/ids"
	"holdfast/internal/lambdahttp"
	"holdfast/internal/lambdawork"
	"holdfast/internal/obs"
	"holdfast/internal/routes"
)

// Serve answers one route until the environment ends. A process that cannot be
// set up says why in one line and exits with 1, so that the platform tries anew.
func Serve(r routes.Route, build httpapi.Constructor) {
	how := starting{keyed: r.Access != routes.Open, embeds: r.Needs.Has(routes.Embed), searches: r.Needs.Has(routes.Search)}
	run(how, func(ctx context.Context, a *app.App) (lambda.Handler, error) {
		gate, err := httpapi.NewGate(a.Deps(r))
		if err != nil {
			return nil, err
		}
		return lambdahttp.Wrap(gate.Handler(build(a.Deps(r)))), nil
	})
}

// Work runs one worker until the environment ends.
func Work(w routes.Worker) {
	how := starting{ensure: w.ID == routes.WorkerIndex.ID, embeds: w.Needs.Has(routes.Embed), searches: w.Needs.Has(routes.Search)}
	run(how, func(_ context.Context, a *app.App) (lambda.Handler, error) {
		if handle := a.OnMessage(w); handle != nil {
			return lambdawork.Queue(w, handle, a.Log), nil
		}
		if handle := a.OnSchedule(w); handle != nil {
			return lambdawork.Schedule(w, handle, a.Log), nil
		}
		if handle := a.OnStream(w); handle != nil {
			return lambdawork.Stream(w, handle, a.Log), nil
		}
		return nil, fmt.Errorf("worker %s has no body", w.ID)
	})
}

// Fallback answers what no route takes (T.54) until the environment ends. It opens
// no engine: it needs nothing but the table of routes.
func Fallback() {
	c, err := config.FromEnviron(os.Environ())
	if err != nil {
		fail(err)
	}
	gate, err := httpapi.NewGate(httpapi.Deps{
		Clock: clock.System{}, IDs: ids.NewSource(clock.System{}.Now, nil), Log: obs.NewLogger(os.Stdout, c.LogLevel),
		CursorSecret: make([]byte, 32), // it lists nothing, so it signs nothing
	})
	if err != nil {
		fail(err)
	}
	var served []routes.Route
	for _, r := range routes.All() {
		if !r.LocalOnly {
			served = append(served, r)
		}
	}
	lambda.Start(lambdahttp.Wrap(gate.Fallback(served)))
}

// starting is what a function's start does beside opening the engines.
type starting struct {
	ensure   bool // make the index where it is not there
	searches bool // refuse an index that does not fit
	keyed    bool // read the root key: callers are authenticated
	embeds   bool // read a local embedding model
}

func run(how starting, handler func(context.Context, *app.App) (lambda.Handler, error)) {
	ctx := context.Background()
	c, err := config.FromEnviron(os.Environ())
	model := readModel(how.embeds && c.Embed == config.Static)
	if err == nil && how.keyed {
		err = readRootKey(ctx, &c)
	}
	if err != nil {
		fail(err)
	}
	a, err := app.Open(ctx, c, app.Options{
		Log:    obs.NewLogger(os.Stdout, c.LogLevel, c.RootKey.Reveal(), c.EmbedKey.Reveal(), c.LLMKey.Reveal()),
		Lookup: os.LookupEnv, Streamed: c.Store == config.DynamoDB, EnsureIndex: how.ensure, Searches: how.searches,
		Metrics: metrics,
	})
	if err != nil {
		fail(err)
	}
	h, err := handler(ctx, a)
	if err != nil {
		fail(err)
	}
	if err := <-model; err != nil {
		a.Log.Error("embedding model", slog.String("error", errs.Describe(err)))
	}
	if a.Relay != nil {
		go a.Relay.Run(obs.With(ctx, obs.Fields{Route: routes.WorkerRelay.ID}))
	}
	lambda.StartWithOptions(h, lambda.WithEnableSIGTERM(func() {
		if err := a.Close(); err != nil {
			a.Log.Error("close", slog.String("error", errs.Describe(err)))
		}
	}))
}

// readModel reads the local embedding model while the start waits for the root key:
// before the first event a function has a whole processor, later it may have a part
// of one. Without the model the function serves all the same: writes leave a job in
// place of a vector.
func readModel(wanted bool) <-chan error {
	done := make(chan error, 1)
	if !wanted {
		done <- nil
		return done
	}
	go func() { done <- static.New().Load() }()
	return done
}

// metrics writes what a function measures to its log, where CloudWatch reads it,
// under the function's name.
func metrics(m ...obs.Metric) error {
	name := os.Getenv("AWS_LAMBDA_FUNCTION_NAME")
	return obs.EMF(os.Stdout, clock.System{}.Now(), []obs.Dimension{{Name: "FunctionName", Value: name}}, m...)
}

// keyTime bounds the reading of the root key.
const keyTime = 5 * time.Second

// readRootKey takes the root key from the secret that the settings name.
func readRootKey(ctx context.Context, c *config.Config) error {
	if c.RootKeySecret == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, keyTime)
	defer cancel()
	cloud, err := awsconf.Load(ctx, os.LookupEnv, nil)
	if err != nil {
		return err
	}
	key, err := awsconf.Secret(ctx, cloud, c.RootKeySecret)
	if err != nil {
		return fmt.Errorf("HOLDFAST_ROOT_KEY_SECRET: %w", err)
	}
	c.RootKey = config.Secret(key)
	return nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "holdfast:", err)
	os.Exit(1)
}
