package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"holdfast/internal/e2e/process"
)

// Small enough to fill in a moment and large enough for a new store. The store's
// file grows by 16 MB at a time, in holes that take no room until they are written.
const (
	diskSize = 12 << 20
	fileSize = 24 << 20
)

func TestT40AFullDiskRefusesWritesAndHarmsNothing(t *testing.T) {
	t.Run("no space left on the device", func(t *testing.T) {
		disk := t.TempDir()
		if err := syscall.Mount("none", disk, "tmpfs", 0, fmt.Sprintf("size=%d", diskSize)); err != nil {
			t.Skipf("mounting a small file system needs root: %v", err)
		}
		t.Cleanup(func() {
			if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
				t.Error(err)
			}
		})
		o := options(filepath.Join(disk, "data"))
		o.Log = filepath.Join(t.TempDir(), "log")
		fills(t, o, func() {
			if err := syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", 4*diskSize)); err != nil {
				t.Fatal(err)
			}
		})
	})
	t.Run("file size limit", func(t *testing.T) {
		// POSIX counts ulimit -f in blocks of 512 bytes, some shells of 1,024: the
		// limit is then twice as large, which is as good.
		o := options(folder(t))
		o.Args = []string{"-c", fmt.Sprintf(`ulimit -f %d; exec "$0"`, fileSize/512), o.Binary}
		o.Binary = "/bin/sh"
		fills(t, o, nil)
	})
}

// fills appends until the disk is full and looks at what the server makes of it,
// also when room is made (nil: that cannot be).
func fills(t *testing.T, o process.Options, makeRoom func()) {
	s := start(t, o)
	p := s.place(t)
	kept, refused := p.fill(t)
	if len(kept) == 0 {
		t.Fatalf("nothing was stored before the disk was full: %s", refused)
	}
	var problem struct{ Code, Title, Detail, RequestID string }
	if err := json.Unmarshal([]byte(refused), &problem); err != nil || problem.Code == "" || problem.RequestID == "" {
		t.Errorf("the refusal is no problem: %s", refused)
	}
	for _, inside := range []string{"bbolt", "no space", "file too large", "errno", o.Data, ".go:"} {
		if strings.Contains(strings.ToLower(refused), inside) {
			t.Errorf("the refusal shows the inside (%s): %s", inside, refused)
		}
	}
	s.alive(t)
	if err := s.root.Do(t.Context(), http.MethodGet, "/healthz", nil, nil); err != nil {
		t.Error(err)
	}
	p.reads(t, kept)
	if makeRoom != nil {
		makeRoom()
		eventually(t, "writes work again", func() bool {
			a, err := p.agent.Call(t.Context(), http.MethodPost, "/v1/memory/append", p.memory("There is room again."))
			return err == nil && a.Status == http.StatusOK
		})
	}
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	// On a disk with room everything is there and goes on.
	roomy := folder(t)
	if err := os.CopyFS(roomy, os.DirFS(o.Data)); err != nil {
		t.Fatal(err)
	}
	p = p.at(start(t, options(roomy)))
	p.reads(t, kept)
	p.chain(t)
	p.remember(t, "There is room on another disk.")
}

// fill appends large memories until one is refused three times, and answers the ids
// that were acknowledged and the body of the refusal.
func (p place) fill(t *testing.T) (kept []string, refused string) {
	t.Helper()
	refusals := 0
	for n := 0; n < 20000; n++ {
		text := fmt.Sprintf("Ledger page %d. ", n) + strings.Repeat("Entered and counted. ", 700)
		a, err := p.agent.Call(t.Context(), http.MethodPost, "/v1/memory/append", p.memory(text))
		if err != nil {
			t.Fatalf("the server gives no answer: %v", err)
		}
		switch {
		case a.Status == http.StatusOK:
			var made struct{ ID string }
			if err := a.Into(&made); err != nil {
				t.Fatal(err)
			}
			kept = append(kept, made.ID)
		case a.Status >= 500:
			if refusals++; refusals == 3 {
				return kept, string(a.Body)
			}
		default:
			t.Fatalf("status %d: %s", a.Status, a.Body)
		}
	}
	t.Fatal("the disk does not fill")
	return nil, ""
}

func (p place) reads(t *testing.T, ids []string) {
	t.Helper()
	for _, id := range ids {
		if err := p.agent.Do(t.Context(), http.MethodGet, p.path(id), nil, nil); err != nil {
			t.Errorf("acknowledged: %v", err)
		}
	}
}
