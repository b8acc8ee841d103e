package app

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/awsconf"
	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/config"
	"holdfast/internal/embed"
	"holdfast/internal/fact"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/llm"
	"holdfast/internal/memory"
	"holdfast/internal/obs"
	"holdfast/internal/outbox"
	"holdfast/internal/queue"
	"holdfast/internal/ratelimit"
	"holdfast/internal/routes"
	"holdfast/internal/runtoken"
	"holdfast/internal/search"
	"holdfast/internal/search/words"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
	"holdfast/internal/tenant/directory"
	"holdfast/internal/webhook"
	"holdfast/internal/webhook/deliver"
	"holdfast/internal/work"
)

// Options are what an entry point decides beside the settings.
type Options struct {
	Clock   clock.Clock // nil: the machine's
	Log     *slog.Logger
	RootKey string // empty: the setting's
	// Lookup reads the variables of the cloud's own environment (Region, keys,
	// endpoints); nil: none are set.
	Lookup awsconf.Lookup
	// Credentials finds the cloud's keys where the environment has none; nil: it must.
	Credentials awsconf.Fallback
	// Streamed says that the table's own stream wakes the workers; else commits of
	// this process do.
	Streamed bool
	// Metrics takes what workers measure; nil: nobody listens.
	Metrics func(...obs.Metric) error
	// EnsureIndex makes the index where it is not there yet: the process that writes
	// to it does, others need not ask at every start.
	EnsureIndex bool
	// Searches says that the process asks the index: one of another layout or
	// dimension stops its start.
	Searches bool
	// LoadModel reads a local embedding model's table at once, so that a process that
	// embeds does not start without it; else the first text reads it.
	LoadModel bool
	// WrapStore puts something between the engine of the table and all that stands
	// on it, such as faults in tests; nil: nothing.
	WrapStore func(store.Store) store.Store
}

// App is the service without a transport.
type App struct {
	Config    config.Config
	Clock     clock.Clock
	IDs       *ids.Source
	Log       *slog.Logger
	Store     store.Store
	Index     search.Index
	Words     words.Index // facts by words
	Queue     queue.Queue
	Embedder  embed.Embedder
	LLM       llm.Model
	Journal   ledger.Journal
	Commit    *commit.Committer
	Relay     *outbox.Relay // nil where the table streams
	Keys      *apikey.Service
	Directory *directory.Service
	Known     *directory.Known // workspaces, mostly without a read
	Limiter   *ratelimit.Limiter
	Indexer   *work.Indexer
	Cursors   work.Cursors
	Memories  *memory.Service
	Facts     *fact.Service
	Runs      *runtoken.Service
	Targets   *deliver.Caller // of webhooks

	options Options
	rootKey string
	cloud   *awsconf.Config // made when the first engine needs it
	wrap    func(store.Store) store.Store
	scanner store.Scanner // the engine's, where it can be walked
	closers []func() error
}

// Open makes the engines that the settings name and what stands on them.
func Open(ctx context.Context, c config.Config, o Options) (*App, error) {
	a := &App{Config: c, Clock: o.Clock, Log: o.Log, options: o, rootKey: o.RootKey, wrap: o.WrapStore}
	if a.wrap == nil {
		a.wrap = func(s store.Store) store.Store { return s }
	}
	if a.Clock == nil {
		a.Clock = clock.System{}
	}
	if a.rootKey == "" {
		a.rootKey = c.RootKey.Reveal()
	}
	a.IDs = ids.NewSource(a.Clock.Now, nil)
	a.Targets = deliver.New(deliver.Options{Allow: c.WebhookAllow})
	for _, open := range []func(context.Context) error{a.openStore, a.openQueue, a.openEmbedder, a.openLLM, a.openServices, a.openIndex} {
		if err := open(ctx); err != nil {
			return nil, errors.Join(err, a.Close())
		}
	}
	return a, nil
}

// Close lets the engines go, last opened first.
func (a *App) Close() error {
	var failures []error
	for i := len(a.closers) - 1; i >= 0; i-- {
		failures = append(failures, a.closers[i]())
	}
	a.closers = nil
	return errors.Join(failures...)
}

func (a *App) openServices(context.Context) error {
	c := commit.Config{Store: a.Store, Clock: a.Clock, IDs: a.IDs, Log: a.Log}
	if !a.options.Streamed {
		a.Relay = outbox.NewRelay(a.Queue, a.Log)
		a.Relay.Watched = func(ctx context.Context, scope tenant.Scope) (bool, error) { return webhook.Has(ctx, a.Store, scope) }
		c.Relay = a.Relay
	}
	a.Commit = commit.New(c)
	a.Keys = apikey.New(apikey.Options{Store: a.Store, Clock: a.Clock, RootKey: a.rootKey})
	a.Directory = directory.New(directory.Options{Store: a.Store, Commit: a.Commit, Keys: a.Keys, IDs: a.IDs})
	a.Known = directory.NewKnown(a.Directory, a.Clock)
	a.Limiter = ratelimit.New(ratelimit.Options{Clock: a.Clock,
		KeyPerMinute: a.Config.RateKeyPerMinute, TenantPerMinute: a.Config.RateTenantPerMinute})
	a.Memories = memory.New(memory.Deps{Store: a.Store, Commit: a.Commit, Embedder: a.Embedder, IDs: a.IDs, Clock: a.Clock})
	a.Facts = fact.New(fact.Deps{Store: a.Store, Commit: a.Commit, IDs: a.IDs})
	a.Runs = &runtoken.Service{Store: a.Store, Commit: a.Commit, Clock: a.Clock, IDs: a.IDs, Over: a.Facts.Over}
	return nil
}

// cursorSecret signs list cursors: every process that knows the root key makes
// and reads the same ones.
func (a *App) cursorSecret() []byte {
	sum := sha256.Sum256([]byte("holdfast cursors " + a.rootKey))
	return sum[:]
}

// runner runs the jobs of a worker: a lease outlasts every try.
func (a *App) runner(w routes.Worker) *outbox.Runner {
	return &outbox.Runner{Store: a.Store, Queue: a.Queue, Clock: a.Clock, Log: a.Log, Lease: w.Timeout + 10*time.Second}
}

// profile names the vectors of this process.
func (a *App) profile() string { return a.Embedder.Profile().Name() }

// notBuilt is the error of an engine that this build does not have.
func notBuilt(setting, engine string) error {
	return fmt.Errorf("%s=%s is not available in this build", setting, engine)
}
