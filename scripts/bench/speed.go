package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"holdfast/internal/e2e/process"
)

// clientCounts are the numbers of clients that throughput is measured with.
var clientCounts = []int{100, 10, 1}

// manyWorkspaces is the number of workspaces of the runs over several.
const manyWorkspaces = 16

// speedRow is what is measured at one number of memories.
type speedRow struct {
	Memories      int
	Workspaces    int     // that hold them
	FillPerSecond float64 // append-batch of 100 by 4 clients, until acknowledged
	IndexAfter    float64 // seconds from the last acknowledgement until all was indexed
	BytesEach     float64 // on disk a memory, all files of the data folder
	StartSeconds  float64 // start to ready with so many
	Memory        process.Memory
	Retrieve      map[string]latencyRun // clients →
	AppendOne     map[string]latencyRun // clients →, one workspace
	AppendMany    map[string]latencyRun // clients →, 16 workspaces
	MemoriesAfter int                   // in the store when the row was done: appends add up
}

// latencyRun is the median of several runs.
type latencyRun struct {
	latency
	PerSecond float64
}

// bench measures speed at one size.
type bench struct {
	*service
	data   string
	runs   int
	texts  *sentences
	main   string   // the workspace that holds the memories
	others []string // empty ones beside it
	added  int
}

func measureSpeed(ctx context.Context, binary, folder string, memories, runs int) (row speedRow, err error) {
	data := filepath.Join(folder, "data-"+strconv.Itoa(memories))
	s, _, err := startService(ctx, binary, data, nil)
	if err != nil {
		return row, err
	}
	b := &bench{service: s, data: data, runs: runs, texts: newSentences(uint64(memories))}
	defer func() { _ = b.Close() }() // after an error; a clean stop was checked
	row.Memories, row.Workspaces = memories, 1
	steps := []func(context.Context, *speedRow) error{b.prepare, b.fill, b.restart, b.retrieves, b.held, b.appends}
	for _, step := range steps {
		if err := step(ctx, &row); err != nil {
			return row, err
		}
	}
	if err := b.stop(ctx); err != nil {
		return row, err
	}
	return row, os.RemoveAll(data)
}

func (b *bench) prepare(ctx context.Context, _ *speedRow) (err error) {
	if b.main, err = b.tenant.Workspace(ctx, "filled"); err != nil {
		return err
	}
	for i := range manyWorkspaces {
		w, err := b.tenant.Workspace(ctx, "empty "+strconv.Itoa(i))
		if err != nil {
			return err
		}
		b.others = append(b.others, w)
	}
	return nil
}

// item is one memory as append takes it.
type item struct {
	WorkspaceID string `json:"workspaceId,omitempty"`
	RunID       string `json:"runId"`
	Layer       string `json:"layer"`
	Type        string `json:"type"`
	Speaker     string `json:"speaker"`
	Content     string `json:"content"`
	Attribute   string `json:"attribute,omitempty"`
}

// sessionLength is the number of memories that share a run, as turns of a talk do.
const sessionLength = 22

// item makes the n-th memory.
func (b *bench) item(workspace string, n int) item {
	return item{
		WorkspaceID: workspace, RunID: "run-" + strconv.Itoa(n/sessionLength), Layer: "Workspace", Type: "fact",
		Speaker: []string{"Ines", "Tarek"}[n%2], Content: b.texts.next(),
	}
}

const batchSize = 100

func (b *bench) fill(ctx context.Context, row *speedRow) error {
	items := make([]item, row.Memories)
	for n := range items {
		items[n] = b.item("", n)
	}
	done, err := b.send(ctx, b.main, items, 4)
	if err != nil {
		return err
	}
	waited, err := b.indexed(ctx, b.main)
	if err != nil {
		return err
	}
	b.added = row.Memories
	row.FillPerSecond, row.IndexAfter = float64(row.Memories)/done.Seconds, waited.Seconds()
	return b.counted(ctx, row.Memories)
}

// send appends items in batches.
func (b *bench) send(ctx context.Context, workspace string, items []item, clients int) (run, error) {
	var bodies [][]byte
	for part := range slices.Chunk(items, batchSize) {
		body, err := json.Marshal(map[string]any{"workspaceId": workspace, "items": part})
		if err != nil {
			return run{}, err
		}
		bodies = append(bodies, body)
	}
	return load(ctx, b.Addr, b.agent.Key, clients, len(bodies), func(i int) (string, []byte) {
		return "/v1/memory/append-batch", bodies[i]
	})
}

// counted fails when the workspace does not hold what was sent.
func (b *bench) counted(ctx context.Context, want int) error {
	var usage struct{ Items int }
	if err := b.tenant.Admin.Do(ctx, http.MethodGet, "/v1/admin/usage?workspaceId="+b.main, nil, &usage); err != nil {
		return err
	}
	if usage.Items != want {
		return fmt.Errorf("the workspace holds %d memories of %d that were sent", usage.Items, want)
	}
	return nil
}

// restart stops the server, looks at the disk and starts it again, several times.
func (b *bench) restart(ctx context.Context, row *speedRow) error {
	var took []time.Duration
	for range b.runs {
		if err := b.stop(ctx); err != nil {
			return err
		}
		size, err := folderSize(b.data)
		if err != nil {
			return err
		}
		row.BytesEach = float64(size) / float64(row.Memories)
		s, start, err := startService(ctx, b.binary, b.data, b.service)
		if err != nil {
			return err
		}
		b.service, took = s, append(took, start)
	}
	row.StartSeconds = median(took).Seconds()
	return nil
}

func (b *bench) retrieves(ctx context.Context, row *speedRow) error {
	row.Retrieve = map[string]latencyRun{}
	for _, clients := range clientCounts {
		got, err := b.repeat(ctx, clients, 400+4*clients, b.questions([]string{b.main}))
		if err != nil {
			return fmt.Errorf("retrieve with %d clients: %w", clients, err)
		}
		row.Retrieve[strconv.Itoa(clients)] = got
	}
	return nil
}

// held looks at the memory while the server is warm and the store as stated.
func (b *bench) held(_ context.Context, row *speedRow) (err error) {
	row.Memory, err = b.Memory()
	return err
}

func (b *bench) appends(ctx context.Context, row *speedRow) error {
	row.AppendOne, row.AppendMany = map[string]latencyRun{}, map[string]latencyRun{}
	for _, clients := range clientCounts {
		one, err := b.append(ctx, clients, []string{b.main})
		if err != nil {
			return fmt.Errorf("append with %d clients: %w", clients, err)
		}
		many, err := b.append(ctx, clients, b.others)
		if err != nil {
			return fmt.Errorf("append with %d clients to several workspaces: %w", clients, err)
		}
		row.AppendOne[strconv.Itoa(clients)], row.AppendMany[strconv.Itoa(clients)] = one, many
	}
	row.MemoriesAfter = b.added
	return nil
}

func (b *bench) append(ctx context.Context, clients int, into []string) (latencyRun, error) {
	return b.repeat(ctx, clients, 500+50*clients, func(count int) (request, error) {
		// The index has caught up, so that each run begins alike.
		if _, err := b.indexed(ctx, into...); err != nil {
			return nil, err
		}
		bodies := make([][]byte, count)
		for i := range bodies {
			text, err := json.Marshal(b.item(into[i%len(into)], b.added))
			if err != nil {
				return nil, err
			}
			bodies[i] = text
			b.added++
		}
		return func(i int) (string, []byte) { return "/v1/memory/append", bodies[i] }, nil
	})
}

// repeat runs a load several times and answers the medians.
func (b *bench) repeat(ctx context.Context, clients, count int, prepare func(count int) (request, error)) (latencyRun, error) {
	var latencies []latency
	var rates []float64
	for range b.runs {
		next, err := prepare(count)
		if err != nil {
			return latencyRun{}, err
		}
		r, err := load(ctx, b.Addr, b.agent.Key, clients, count, next)
		if err != nil {
			return latencyRun{}, err
		}
		latencies, rates = append(latencies, r.latency), append(rates, r.PerSec)
	}
	return latencyRun{medianLatency(latencies), median(rates)}, nil
}

// floors are the costs that no service on this machine can beat.
type floors struct {
	Fsync        time.Duration // append of 4 KB and fsync, median of 200
	Loopback     time.Duration // GET /healthz, one client, median of 2,000
	EmptySeconds float64       // start to ready, empty folder
}

func measureFloors(ctx context.Context, binary, folder string, runs int) (f floors, err error) {
	if f.Fsync, err = fsyncCost(folder); err != nil {
		return f, err
	}
	var took []time.Duration
	for i := range runs {
		s, start, err := startService(ctx, binary, filepath.Join(folder, "empty-"+strconv.Itoa(i)), nil)
		if err != nil {
			return f, err
		}
		took = append(took, start)
		if f.Loopback, err = loopbackCost(s.Addr); err != nil {
			return f, err
		}
		if err := s.stop(ctx); err != nil {
			return f, err
		}
	}
	f.EmptySeconds = median(took).Seconds()
	return f, nil
}
