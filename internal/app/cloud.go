package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"holdfast/internal/awsconf"
	"holdfast/internal/embed/bedrock"
	"holdfast/internal/ledger/tablejournal"
	"holdfast/internal/queue"
	"holdfast/internal/queue/sqs"
	"holdfast/internal/search/opensearch"
	"holdfast/internal/store/dynamo"
)

// config answers the cloud's configuration, made once.
func (a *App) config(ctx context.Context) (awsconf.Config, error) {
	if a.cloud != nil {
		return *a.cloud, nil
	}
	lookup := a.options.Lookup
	if lookup == nil {
		lookup = func(string) (string, bool) { return "", false }
	}
	c, err := awsconf.Load(ctx, lookup, a.options.Credentials)
	if err == nil {
		a.cloud = &c
	}
	return c, err
}

func (a *App) openDynamo(ctx context.Context) error {
	c, err := a.config(ctx)
	if err != nil {
		return err
	}
	s, err := dynamo.New(dynamo.Options{Config: c, Table: a.Config.Table})
	if err != nil {
		return err
	}
	a.Store, a.scanner = a.wrap(s), s
	a.Journal = tablejournal.New(tablejournal.Options{Store: a.Store, Clock: a.Clock, Log: a.Log})
	return nil
}

func (a *App) openSQS(ctx context.Context) error {
	c, err := a.config(ctx)
	if err != nil {
		return err
	}
	addresses := map[queue.Name]sqs.Address{}
	for _, name := range queue.Names() {
		addresses[name] = sqs.Address{URL: a.Config.QueueAddress(string(name))}
	}
	a.Queue, err = sqs.New(c, sqs.Options{Addresses: addresses})
	return err
}

func (a *App) openBedrock(ctx context.Context) error {
	c, err := a.config(ctx)
	if err != nil {
		return err
	}
	a.Embedder, err = bedrock.New(c, bedrock.Options{Model: a.Config.EmbedModel, Dimension: a.Config.EmbedSize, Clock: a.Clock})
	return err
}

// indexRefresh is how long written documents wait to be searchable: the index
// worker waits for it, so that its cursor never says more than searches see.
const indexRefresh = 250 * time.Millisecond

// fitTime bounds the look at the index at a function's start.
const fitTime = 2 * time.Second

// openSearch opens the domain and sees that the index is there. A domain of AWS
// has its calls signed; any other address is taken as it is.
func (a *App) openSearch(ctx context.Context) error {
	profile := a.Embedder.Profile()
	c := opensearch.Config{URL: a.Config.OpenSearchURL, Refresh: indexRefresh,
		Profiles: []opensearch.Profile{{Name: profile.Name(), Dimension: profile.Dimension}}}
	if strings.Contains(c.URL, ".amazonaws.com") {
		cloud, err := a.config(ctx)
		if err != nil {
			return err
		}
		c.Credentials, c.Region = cloud.Credentials, cloud.Region
	}
	index, err := opensearch.New(c)
	if err != nil {
		return err
	}
	facts, err := opensearch.NewWords(c)
	if err != nil {
		return err
	}
	a.Index, a.Words = index, facts
	return errors.Join(a.fitting(ctx, index), a.fitting(ctx, facts))
}

// made is an index that can be made, or looked at.
type made interface {
	Ensure(ctx context.Context) error
	Fits(ctx context.Context) error
}

// fitting makes an index, or sees that it is one that this release can search.
func (a *App) fitting(ctx context.Context, index made) error {
	switch {
	case a.options.EnsureIndex:
		return index.Ensure(ctx)
	case a.options.Searches:
		ctx, cancel := context.WithTimeout(ctx, fitTime)
		defer cancel()
		return index.Fits(ctx)
	}
	return nil
}
