package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// eachWorkspace is the number of memories of each of many workspaces, which are
// appended as one batch.
const eachWorkspace = batchSize

// spreadCounts are the numbers of clients that ask many workspaces.
var spreadCounts = []int{10, 1}

// measureMany measures many small workspaces of one tenant.
func measureMany(ctx context.Context, binary, folder string, workspaces, runs int) (row speedRow, err error) {
	data := filepath.Join(folder, "data-many")
	s, _, err := startService(ctx, binary, data, nil)
	if err != nil {
		return row, err
	}
	b := &bench{service: s, data: data, runs: runs, texts: newSentences(uint64(workspaces))}
	defer func() { _ = b.Close() }() // after an error; a clean stop was checked
	row.Workspaces, row.Memories = workspaces, workspaces*eachWorkspace
	for _, step := range []func(context.Context, *speedRow) error{b.spread, b.fillAll, b.restart, b.askAll, b.held} {
		if err := step(ctx, &row); err != nil {
			return row, err
		}
	}
	if err := b.stop(ctx); err != nil {
		return row, err
	}
	return row, os.RemoveAll(data)
}

// spread makes the workspaces.
func (b *bench) spread(ctx context.Context, row *speedRow) error {
	for i := range row.Workspaces {
		w, err := b.tenant.Workspace(ctx, "small "+strconv.Itoa(i))
		if err != nil {
			return err
		}
		b.others = append(b.others, w)
	}
	return nil
}

// fillAll appends a batch to each of them.
func (b *bench) fillAll(ctx context.Context, row *speedRow) error {
	bodies := make([][]byte, len(b.others))
	for i, workspace := range b.others {
		items := make([]item, eachWorkspace)
		for n := range items {
			items[n] = b.item("", n)
		}
		body, err := json.Marshal(map[string]any{"workspaceId": workspace, "items": items})
		if err != nil {
			return err
		}
		bodies[i] = body
	}
	done, err := load(ctx, b.Addr, b.agent.Key, 4, len(bodies), func(i int) (string, []byte) {
		return "/v1/memory/append-batch", bodies[i]
	})
	if err != nil {
		return err
	}
	waited, err := b.indexed(ctx, b.others...)
	row.FillPerSecond, row.IndexAfter = float64(row.Memories)/done.Seconds, waited.Seconds()
	return err
}

// askAll asks every workspace, twice in each run.
func (b *bench) askAll(ctx context.Context, row *speedRow) error {
	row.Retrieve = map[string]latencyRun{}
	for _, clients := range spreadCounts {
		got, err := b.repeat(ctx, clients, 2*len(b.others), b.questions(b.others))
		if err != nil {
			return fmt.Errorf("retrieve from many workspaces with %d clients: %w", clients, err)
		}
		row.Retrieve[strconv.Itoa(clients)] = got
	}
	return nil
}

// questions prepares retrieves of workspaces in turn.
func (b *bench) questions(of []string) func(count int) (request, error) {
	return func(count int) (request, error) {
		bodies := make([][]byte, count)
		for i := range bodies {
			text, err := json.Marshal(map[string]any{"workspaceId": of[i%len(of)], "semanticQuery": b.texts.query(), "tokenBudget": 2000})
			if err != nil {
				return nil, err
			}
			bodies[i] = text
		}
		return func(i int) (string, []byte) { return "/v1/memory/retrieve", bodies[i] }, nil
	}
}
