package app_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"holdfast/internal/queue"
	"holdfast/internal/routes"
)

var words = strings.Fields("harbour boat keel mast rope anchor tide gull sailor storm lantern deck cargo barrel island captain crew " +
	"voyage map compass star wind wave rain fog dawn dusk market fish net oar rudder sail plank nail hammer saw wood tar pitch")

func sentence(n int64) string {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	out := make([]string, 0, 32)
	for range 12 + r.IntN(18) {
		word := words[r.IntN(len(words))]
		if r.IntN(4) == 0 {
			word += fmt.Sprint(r.IntN(2000))
		}
		out = append(out, word)
	}
	return strings.Join(out, " ") + "."
}

func (s *service) fill(b *testing.B, n int) {
	b.Helper()
	for at := 0; at < n; at += 100 {
		var items []string
		for i := range min(100, n-at) {
			items = append(items, fmt.Sprintf(`{"layer":"Workspace","type":"fact","content":%q}`, sentence(int64(at+i))))
		}
		body := fmt.Sprintf(`{"workspaceId":%q,"items":[%s]}`, s.ws, strings.Join(items, ","))
		if status, _, out := s.agent().request(b, "POST", "/v1/memory/append-batch", body); status != 200 {
			b.Fatal(out)
		}
	}
	s.settle(b)
}

// BenchmarkAppend is the whole path of a durable append but for the socket, with
// 100 callers of one workspace.
func BenchmarkAppend(b *testing.B) {
	s := open(b, b.TempDir()).setUp(b)
	var n atomic.Int64
	b.SetParallelism(50)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			body := fmt.Sprintf(`{"workspaceId":%q,"layer":"Workspace","type":"fact","content":%q}`, s.ws, sentence(n.Add(1)))
			if status, _, out := s.agent().request(b, "POST", "/v1/memory/append", body); status != 200 {
				b.Error(out)
			}
		}
	})
}

// BenchmarkAppendBesideWebhooks is BenchmarkAppend with relay and workers beside it: of
// a workspace whose commits the relay asks nothing about, of one without webhooks, of
// one whose webhook wants other events, and of one whose webhook is told of each append.
func BenchmarkAppendBesideWebhooks(b *testing.B) {
	for _, c := range []struct{ name, event string }{{"unasked", ""}, {"none", ""}, {"unwanted", "fact.deleted"}, {"wanted", "memory.appended"}} {
		b.Run(c.name, func(b *testing.B) {
			s := open(b, b.TempDir()).setUp(b)
			if c.name == "unasked" {
				s.Relay.Watched = nil
			}
			if c.event != "" {
				target := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
				b.Cleanup(target.Close)
				s.as(s.admin).post(b, "/v1/webhooks", fmt.Sprintf(`{"workspaceId":%q,"url":%q,"events":[%q]}`, s.ws, target.URL, c.event), 201)
			}
			stop := s.background(b)
			var n atomic.Int64
			b.SetParallelism(50)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					body := fmt.Sprintf(`{"workspaceId":%q,"layer":"Workspace","type":"fact","content":%q}`, s.ws, sentence(n.Add(1)))
					if status, _, out := s.agent().request(b, "POST", "/v1/memory/append", body); status != 200 {
						b.Error(out)
					}
				}
			})
			b.StopTimer()
			stop()
		})
	}
}

// background runs relay and queue workers until stop is called.
func (s *service) background(b *testing.B) (stop func()) {
	ctx, cancel := context.WithCancel(b.Context())
	var all sync.WaitGroup
	all.Go(func() { s.Relay.Run(ctx) })
	for _, w := range []routes.Worker{routes.WorkerIndex, routes.WorkerEvents} {
		for range w.Concurrency {
			all.Go(func() {
				for ctx.Err() == nil {
					got, _ := s.Queue.Receive(ctx, queue.Name(w.Queue), w.Batch, time.Second) // the end of ctx is an error too
					for _, m := range got {
						if err := s.OnMessage(w)(context.WithoutCancel(ctx), m.Body); err != nil {
							b.Error(err)
						}
						if err := s.Queue.Delete(context.WithoutCancel(ctx), queue.Name(w.Queue), m.Handle); err != nil {
							b.Error(err)
						}
					}
				}
			})
		}
	}
	return func() { cancel(); all.Wait() }
}

// retrieveBytes is the most that a retrieve may allocate, from the request to the
// answer, however many memories there are.
const retrieveBytes = 1 << 20

// BenchmarkRetrieve is the whole path of a retrieve at 10,000 memories.
func BenchmarkRetrieve(b *testing.B) {
	s := open(b, b.TempDir()).setUp(b)
	s.fill(b, 10000)
	b.ReportAllocs()
	var from, to runtime.MemStats
	runtime.ReadMemStats(&from)
	for n := int64(0); b.Loop(); n++ {
		query := strings.Join(strings.Fields(sentence(n))[:6], " ")
		body := fmt.Sprintf(`{"workspaceId":%q,"semanticQuery":%q}`, s.ws, query)
		if status, _, out := s.agent().request(b, "POST", "/v1/memory/retrieve", body); status != 200 {
			b.Fatal(out)
		}
	}
	runtime.ReadMemStats(&to)
	if each := (to.TotalAlloc - from.TotalAlloc) / uint64(b.N); each > retrieveBytes {
		b.Errorf("a retrieve allocates %d bytes, at most %d are allowed", each, retrieveBytes)
	}
}

// BenchmarkStart is opening a folder with 100,000 memories: what a start waits
// for before it is ready.
func BenchmarkStart(b *testing.B) {
	folder := b.TempDir()
	s := open(b, folder).setUp(b)
	s.fill(b, 100_000)
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		again := open(b, folder)
		b.StopTimer()
		if err := again.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
