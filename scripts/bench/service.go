package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"holdfast/internal/e2e/client"
	"holdfast/internal/e2e/process"
)

// rootKey is known to this program only and opens nothing but its own servers.
const rootKey = "benchmark-root-key-of-a-throw-away-folder"

// service is a running server with what is needed to call it.
type service struct {
	*process.Process
	binary string
	root   client.Client
	tenant client.Tenant
	agent  client.Client // every workspace of the tenant
}

// startService starts a server on a data folder and answers how long it took to be
// ready. Tenant and keys are those of the service before, new ones when it is nil.
// Settings are added to those of every run: other engines, for example.
func startService(ctx context.Context, binary, data string, before *service, settings ...string) (*service, time.Duration, error) {
	start := time.Now()
	p, err := process.Start(process.Options{
		Binary: binary, Data: data, Log: data + ".log",
		Env: append([]string{
			"HOLDFAST_ROOT_KEY=" + rootKey, "HOLDFAST_RATE_KEY_PER_MINUTE=0", "HOLDFAST_RATE_TENANT_PER_MINUTE=0",
		}, settings...),
	})
	if err != nil {
		return nil, 0, err
	}
	ready, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := p.Ready(ready); err != nil {
		return nil, 0, errors.Join(err, p.Close())
	}
	took := time.Since(start)
	s := &service{Process: p, binary: binary, root: client.Client{Base: p.Base(), Key: rootKey}}
	if err := s.enter(ctx, before); err != nil {
		return nil, 0, errors.Join(err, p.Close())
	}
	return s, took, nil
}

func (s *service) enter(ctx context.Context, before *service) (err error) {
	if before != nil {
		s.tenant = client.Tenant{ID: before.tenant.ID, Admin: s.root.With(before.tenant.Admin.Key)}
		s.agent = s.root.With(before.agent.Key)
		return nil
	}
	if s.tenant, err = s.root.NewTenant(ctx, "benchmark"); err != nil {
		return err
	}
	s.agent, err = s.tenant.Agent(ctx)
	return err
}

// stop ends the server the polite way and fails when that is not clean.
func (s *service) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	code, err := s.Stop(ctx)
	if err == nil && code != 0 {
		err = fmt.Errorf("the server ended with exit code %d\n%s", code, s.Output())
	}
	return errors.Join(err, s.Close())
}

// indexed waits until the index has caught up with each workspace and answers how
// long that took.
func (s *service) indexed(ctx context.Context, workspaces ...string) (time.Duration, error) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for _, w := range workspaces {
		for {
			var usage struct{ IndexLag int64 }
			if err := s.tenant.Admin.Do(ctx, http.MethodGet, "/v1/admin/usage?workspaceId="+w, nil, &usage); err != nil {
				return 0, err
			}
			if usage.IndexLag == 0 {
				break
			}
			select {
			case <-ctx.Done():
				return 0, fmt.Errorf("the index lags by %d rows: %w", usage.IndexLag, ctx.Err())
			case <-tick.C:
			}
		}
	}
	return time.Since(start), nil
}

// folderSize is the bytes that the files of a folder take on disk.
func folderSize(folder string) (int64, error) {
	var total int64
	err := filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		total += info.Size()
		return nil
	})
	return total, err
}

// fsyncCost is the median time of appending 4 KB to a file and flushing it.
func fsyncCost(folder string) (cost time.Duration, err error) {
	f, err := os.CreateTemp(folder, "fsync-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	block := make([]byte, 4<<10)
	took := make([]time.Duration, 200)
	for i := range took {
		start := time.Now()
		if _, err := f.Write(block); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
		took[i] = time.Since(start)
	}
	return median(took), nil
}

// loopbackCost is the median time of a request that touches nothing.
func loopbackCost(addr string) (cost time.Duration, err error) {
	w, err := dial(addr, "")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	took := make([]time.Duration, 2000)
	for i := range took {
		start := time.Now()
		r, err := w.call(http.MethodGet, "/healthz", nil)
		if err != nil {
			return 0, err
		}
		if r.Status != http.StatusOK {
			return 0, fmt.Errorf("GET /healthz: status %d", r.Status)
		}
		took[i] = time.Since(start)
	}
	return median(took), nil
}

// loadAverage is the kernel's figure for the last minute; 0 where there is none.
func loadAverage() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return load
}
