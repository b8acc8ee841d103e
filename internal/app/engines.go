package app

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"holdfast/internal/config"
	"holdfast/internal/embed"
	"holdfast/internal/embed/openai"
	"holdfast/internal/embed/static"
	"holdfast/internal/fact"
	"holdfast/internal/ledger/filejournal"
	"holdfast/internal/memory"
	"holdfast/internal/queue"
	"holdfast/internal/queue/memqueue"
	"holdfast/internal/routes"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/search/opensearch"
	"holdfast/internal/search/words/memwords"
	"holdfast/internal/store/boltstore"
	"holdfast/internal/work"
)

func (a *App) openStore(ctx context.Context) error {
	switch a.Config.Store {
	case config.Bolt:
		return a.openBolt()
	case config.DynamoDB:
		return a.openDynamo(ctx)
	}
	return notBuilt("HOLDFAST_STORE", a.Config.Store)
}

func (a *App) openBolt() error {
	s, err := boltstore.Open(boltstore.Options{Path: a.Config.Data})
	if err != nil {
		return err
	}
	a.Store, a.scanner, a.closers = a.wrap(s), s, append(a.closers, s.Close)
	journal, err := filejournal.Open(filejournal.Options{Folder: a.Config.Data})
	if err != nil {
		return err
	}
	a.Journal, a.closers = journal, append(a.closers, journal.Close)
	return nil
}

func (a *App) openQueue(ctx context.Context) error {
	switch a.Config.Queue {
	case config.Memory:
		a.openMemoryQueue()
		return nil
	case config.SQS:
		return a.openSQS(ctx)
	}
	return notBuilt("HOLDFAST_QUEUE", a.Config.Queue)
}

func (a *App) openMemoryQueue() {
	o := memqueue.Options{Visibility: map[queue.Name]time.Duration{}, MaxReceives: map[queue.Name]int{}}
	for _, w := range routes.Workers() {
		if w.Queue != "" {
			o.Visibility[queue.Name(w.Queue)], o.MaxReceives[queue.Name(w.Queue)] = w.Visibility, w.Tries
		}
	}
	a.Queue = memqueue.New(a.Clock, o)
}

// openEmbedder opens the embedding model, whose panics are errors to all who call it.
func (a *App) openEmbedder(ctx context.Context) error {
	err := a.openModel(ctx)
	a.Embedder = embed.Guard(a.Embedder, a.Log)
	return err
}

func (a *App) openModel(ctx context.Context) error {
	switch a.Config.Embed {
	case config.Static:
		e := static.New()
		a.Embedder = e
		if a.options.LoadModel {
			return e.Load()
		}
		return nil
	case config.OpenAI:
		e, err := openai.New(openai.Options{
			URL: a.Config.EmbedURL, Key: a.Config.EmbedKey.Reveal(), Model: a.Config.EmbedModel,
			Dimension: a.Config.EmbedSize,
		})
		a.Embedder = e
		return err
	case config.Bedrock:
		return a.openBedrock(ctx)
	}
	return notBuilt("HOLDFAST_EMBED", a.Config.Embed)
}

// openIndex opens the index and what brings it up to the log.
func (a *App) openIndex(ctx context.Context) error {
	switch a.Config.Search {
	case config.Memory:
		a.Index, a.Words, a.Cursors = memsearch.New(a.Clock), memwords.New(a.Clock), work.NewMemoryCursors()
	case config.OpenSearch:
		if err := a.openSearch(ctx); err != nil {
			return err
		}
		// An index of another layout begins empty, and so does how far it has come.
		a.Cursors = work.TableCursors{Store: a.Store, Consumer: "index-" + opensearch.DefaultIndex}
	default:
		return notBuilt("HOLDFAST_SEARCH", a.Config.Search)
	}
	a.Indexer = &work.Indexer{Store: a.Store, Index: a.Index, Cursors: a.Cursors,
		Projectors: map[string]work.Projector{memory.Family: work.Memories{Store: a.Store, Profile: a.profile()}},
		Words:      a.Words, Facts: fact.Projector{Facts: a.Facts}}
	if a.Config.Search == config.Memory {
		return a.rebuild(ctx)
	}
	return nil
}

// rebuild fills the index in memory from the table: it is as old as the process.
func (a *App) rebuild(ctx context.Context) error {
	if a.scanner == nil {
		return fmt.Errorf("HOLDFAST_SEARCH=%s needs a store that can be walked", a.Config.Search)
	}
	started := time.Now()
	n, err := work.Rebuild{Scanner: a.scanner, Index: a.Index, Words: a.Words, Cursors: a.Cursors, Profile: a.profile(),
		Workers: runtime.GOMAXPROCS(0), Erased: a.looks().Reindexed}.Run(ctx)
	a.Log.InfoContext(ctx, "index rebuilt", "documents", n, "ms", time.Since(started).Milliseconds())
	return err
}
