package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// optionMemories is the number of memories that options are measured at, optionCalls
// how many retrieves of each kind a run has, and optionBlock how many of them follow
// each other before the next kind has its turn.
const (
	optionMemories = 10_000
	optionCalls    = 1000
	optionBlock    = 50
)

// optionRow is what retrieve costs with an option.
type optionRow struct {
	Name             string
	latency          // medians of the runs
	OverP50, OverP99 float64
}

// option is a retrieve with some of the optional fields.
type option struct {
	name   string
	fields map[string]any
}

// optionKinds are the plain retrieve, each option alone, and at last all of them.
func optionKinds(now time.Time) []option {
	at := func(d time.Duration) string { return now.Add(d).UTC().Format(time.RFC3339) }
	kinds := []option{
		{"plain", nil},
		{"a run", map[string]any{"runId": optionRun}},
		{"as of now, both", map[string]any{"asOf": at(0), "asOfAxis": "both"}},
		{"window", map[string]any{"temporalAfter": at(-24 * time.Hour), "temporalBefore": at(time.Hour)}},
		{"anchor", map[string]any{"temporalAnchor": at(0)}},
		{"sessions", map[string]any{"expandSessions": true, "expandSessionCount": 3, "expandSessionWindow": 3}},
		{"overrides", map[string]any{"overrides": map[string]any{
			"semanticWeight": .5, "lexicalWeight": .5, "recencyWeight": .2, "importanceWeight": .2,
			"recencyHalfLifeDays": 30, "candidateCount": 200,
		}}},
		{"superseded", map[string]any{"includeSuperseded": true}},
		{"explain", map[string]any{"explain": true}},
		{"rerank", map[string]any{"rerank": true}},
	}
	every := option{name: "every option", fields: map[string]any{}}
	for _, k := range kinds {
		maps.Copy(every.fields, k.fields)
	}
	return append(kinds, every)
}

// optionRun is a run with entries of its session, sessionEntries of them.
const (
	optionRun      = "run-0"
	sessionEntries = 50
)

// measureOptions asks the same queries with each kind of retrieve in turns, so that
// what disturbs one disturbs all; the first run warms up and does not count.
func measureOptions(ctx context.Context, binary, folder string, runs int) (rows []optionRow, err error) {
	data := filepath.Join(folder, "data-options")
	s, _, err := startService(ctx, binary, data, nil)
	if err != nil {
		return nil, err
	}
	b := &bench{service: s, data: data, texts: newSentences(17)}
	defer func() { _ = b.Close() }() // after an error; a clean stop was checked
	if err := b.prepareOptions(ctx); err != nil {
		return nil, err
	}
	if rows, err = b.optionRows(ctx, runs); err != nil {
		return nil, err
	}
	return rows, errors.Join(b.stop(ctx), os.RemoveAll(data))
}

func (b *bench) optionRows(ctx context.Context, runs int) (rows []optionRow, err error) {
	kinds := optionKinds(time.Now())
	took := make([][]latency, len(kinds))
	for n := range runs + 1 {
		got, err := b.ofEach(ctx, kinds)
		if err != nil {
			return nil, err
		}
		for i, l := range got {
			if n > 0 {
				took[i] = append(took[i], l)
			}
		}
	}
	plain := medianLatency(took[0])
	for i, k := range kinds {
		l := medianLatency(took[i])
		rows = append(rows, optionRow{k.name, l, ratio(l.P50, plain.P50), ratio(l.P99, plain.P99)})
	}
	return rows, nil
}

// prepareOptions fills a workspace, with a session for the run and values that were
// superseded.
func (b *bench) prepareOptions(ctx context.Context) (err error) {
	if b.main, err = b.tenant.Workspace(ctx, "options"); err != nil {
		return err
	}
	row := speedRow{Memories: optionMemories}
	if err := b.fill(ctx, &row); err != nil {
		return err
	}
	var session, values []item
	for n := range sessionEntries {
		entry := b.item("", n)
		entry.RunID, entry.Layer = optionRun, "Session"
		session = append(session, entry)
		value := b.item("", n)
		value.Attribute = "value-" + strconv.Itoa(n%10)
		values = append(values, value)
	}
	for _, items := range [][]item{session, values} {
		if _, err := b.send(ctx, b.main, items, 1); err != nil {
			return err
		}
	}
	_, err = b.indexed(ctx, b.main)
	return err
}

// ofEach measures every kind with the same queries, in turns.
func (b *bench) ofEach(ctx context.Context, kinds []option) ([]latency, error) {
	queries := make([]string, optionCalls)
	for i := range queries {
		queries[i] = b.texts.query()
	}
	took := make([][]time.Duration, len(kinds))
	for block := range slices.Chunk(queries, optionBlock) {
		for i, k := range kinds {
			got, err := b.asks(ctx, k, block)
			if err != nil {
				return nil, fmt.Errorf("retrieve, %s: %w", k.name, err)
			}
			took[i] = append(took[i], got...)
		}
	}
	out := make([]latency, len(kinds))
	for i := range kinds {
		out[i] = summarize(took[i])
	}
	return out, nil
}

func (b *bench) asks(ctx context.Context, k option, queries []string) ([]time.Duration, error) {
	bodies := make([][]byte, len(queries))
	for i, query := range queries {
		body := map[string]any{"workspaceId": b.main, "semanticQuery": query, "tokenBudget": 2000}
		maps.Copy(body, k.fields)
		var err error
		if bodies[i], err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	done, err := load(ctx, b.Addr, b.agent.Key, 1, len(bodies), func(i int) (string, []byte) {
		return "/v1/memory/retrieve", bodies[i]
	})
	return done.took, err
}
