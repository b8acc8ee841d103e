// Package localapp serves every route and worker in one process over the
// embedded engines (T.37 to T.40): the product of `make run`. Each call passes
// through the route's own Lambda handler, so that what is tested is what is
// deployed.
package localapp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"time"

	"holdfast/internal/app"
	"holdfast/internal/awsconf/chain"
	"holdfast/internal/clock"
	"holdfast/internal/config"
	"holdfast/internal/errs"
	"holdfast/internal/localserver"
	"holdfast/internal/obs"
	"holdfast/internal/routes"
	"holdfast/internal/store"
	"holdfast/internal/store/boltstore"
)

// stopTime is how long calls under way may take once the process is told to stop.
const stopTime = 25 * time.Second

// every replaces the periods of AWS's schedules, which know whole minutes only:
// read receipts are sealed well within the 5 seconds of T.41.
var every = map[string]time.Duration{
	routes.WorkerSeal.ID:  2 * time.Second,
	routes.WorkerSweep.ID: 5 * time.Second,
}

// server is the running product.
type server struct {
	*app.App
	shifted *clock.Shifted // nil: no test clock
	workers *localserver.Workers
	http    *localserver.Server
	listen  net.Listener
}

// Run serves until ctx ends, then stops in order: no new calls, those under way
// finished, receipts sealed, engines closed (T.38). Notices for people go to out,
// log lines to logs.
func Run(ctx context.Context, c config.Config, out, logs io.Writer) (err error) {
	listen, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return fmt.Errorf("cannot listen on HOLDFAST_ADDR: %w", err)
	}
	warnings := ownersOnly(c.Data)
	key, place, made, err := rootKey(c)
	if err != nil {
		return errors.Join(err, listen.Close())
	}
	s, err := open(ctx, c, key, logs)
	if err != nil {
		return errors.Join(explained(c, err), listen.Close())
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	s.listen = listen
	d, err := openDemo(ctx, s.App)
	if err != nil {
		return errors.Join(err, listen.Close())
	}
	notice{addr: listen.Addr().String(), keyPlace: place, rootKey: key, made: made, demo: d, warnings: warnings}.print(out)
	return s.serve(ctx)
}

// explained adds what to do to an error of opening the data folder.
func explained(c config.Config, err error) error {
	if !errors.Is(err, store.ErrDamaged) {
		return err
	}
	return fmt.Errorf("%w: %s was left as it is; put a backup of the whole data folder in place of %s", err, boltstore.FileName, c.Data)
}

func open(ctx context.Context, c config.Config, key string, logs io.Writer) (*server, error) {
	s := &server{}
	o := app.Options{RootKey: key, Lookup: os.LookupEnv, Credentials: chain.Credentials, EnsureIndex: true, LoadModel: true,
		Log: obs.NewLogger(logs, c.LogLevel, key, c.EmbedKey.Reveal(), c.LLMKey.Reveal())}
	if c.TestClock {
		s.shifted = &clock.Shifted{}
		o.Clock = s.shifted
	}
	a, err := app.Open(ctx, c, o)
	if err != nil {
		return nil, err
	}
	s.App = a
	if err := errors.Join(s.restarted(ctx), s.build()); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return s, nil
}

// restarted frees what a dead process left leased; the embedded store lets one
// process in at a time, so nobody alive holds a lease.
func (s *server) restarted(ctx context.Context) error {
	if s.Config.Store != config.Bolt {
		return nil
	}
	return s.Restarted(ctx)
}

func (s *server) build() error {
	workers, err := localserver.NewWorkers(localserver.Options{
		Workers: ownWorkers(), Functions: workerFunctions(s.App), Queue: s.Queue, Clock: s.Clock, Log: s.Log, Every: every,
	})
	if err != nil {
		return err
	}
	s.workers = workers
	handler, err := s.handler()
	if err != nil {
		return err
	}
	s.http = localserver.NewServer(handler, s.Log)
	return nil
}

// serve runs server and workers until ctx ends or the server fails.
func (s *server) serve(ctx context.Context) error {
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	finished := make(chan struct{})
	go s.Relay.Run(obs.With(background, obs.Fields{Route: routes.WorkerRelay.ID}))
	go func() { defer close(finished); s.workers.Run(background) }()
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(s.listen) }()
	var err error
	select {
	case <-ctx.Done():
		deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer cancel()
		err = s.http.Shutdown(deadline)
	case err = <-failed:
	}
	stop()
	<-finished
	return errors.Join(err, s.sealAll(context.WithoutCancel(ctx)))
}

// sealAll seals the read receipts that are left. What it cannot seal stays in the
// journal for the next start.
func (s *server) sealAll(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(obs.With(ctx, obs.Fields{Route: routes.WorkerSeal.ID}), stopTime)
	defer cancel()
	if err := s.OnSchedule(routes.WorkerSeal)(ctx); err != nil {
		s.Log.LogAttrs(ctx, slog.LevelWarn, "receipts are left in the journal", slog.String("error", errs.Describe(err)))
	}
	return nil
}

// advance moves the test clock and runs what is then due (T.39).
func (s *server) advance(ctx context.Context, step time.Duration) (time.Time, error) {
	now := s.shifted.Advance(step)
	for range 3 { // what is due may leave jobs, and these may leave more
		s.Relay.Flush(ctx)
		if err := s.workers.RunDue(ctx); err != nil {
			return now, err
		}
	}
	return now, nil
}
