// Package awsapp serves one route or one worker as a Lambda function. What an
// environment keeps between calls is the engines' clients and the key cache.
package awsapp

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"holdfast/internal/app"
	"holdfast/internal/config"
	"holdfast/internal/httpapi"
	"holdfast/internal/lambdahttp"
	"holdfast/internal/lambdawork"
	"holdfast/internal/obs"
	"holdfast/internal/routes"
)

// Serve answers one route until the environment ends. A process that cannot be
// set up says why in one line and exits with 1, so that the platform tries anew.
func Serve(r routes.Route, build httpapi.Constructor) {
	run(false, func(ctx context.Context, a *app.App) (lambda.Handler, error) {
		gate, err := httpapi.NewGate(a.Deps(r))
		if err != nil {
			return nil, err
		}
		return lambdahttp.Wrap(gate.Handler(build(a.Deps(r)))), nil
	})
}

// Work runs one worker until the environment ends.
func Work(w routes.Worker) {
	run(w.ID == routes.WorkerIndex.ID, func(_ context.Context, a *app.App) (lambda.Handler, error) {
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

func run(ensure bool, handler func(context.Context, *app.App) (lambda.Handler, error)) {
	ctx := context.Background()
	c, err := config.FromEnviron(os.Environ())
	if err != nil {
		fail(err)
	}
	a, err := app.Open(ctx, c, app.Options{
		Log:    obs.NewLogger(os.Stdout, c.LogLevel, c.RootKey.Reveal(), c.EmbedKey.Reveal(), c.LLMKey.Reveal()),
		Lookup: os.LookupEnv, Streamed: c.Store == config.DynamoDB, EnsureIndex: ensure,
	})
	if err != nil {
		fail(err)
	}
	h, err := handler(ctx, a)
	if err != nil {
		fail(err)
	}
	if a.Relay != nil {
		go a.Relay.Run(ctx)
	}
	lambda.StartWithOptions(h, lambda.WithEnableSIGTERM(func() {
		if err := a.Close(); err != nil {
			a.Log.Error("close", slog.String("error", err.Error()))
		}
	}))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "holdfast:", err)
	os.Exit(1)
}
