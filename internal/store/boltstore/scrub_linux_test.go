package boltstore

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWipingFillsNoHoles wipes a part of a file with holes: what is around the
// part stays, and the file takes no more room than before.
func TestWipingFillsNoHoles(t *testing.T) {
	const size = 1 << 20
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 3))
		file, err := os.Create(filepath.Join(t.TempDir(), "holes"))
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Truncate(size); err != nil {
			t.Fatal(err)
		}
		for range 12 {
			if _, err := file.WriteAt(bytes.Repeat([]byte("x"), 1+random.IntN(20000)), random.Int64N(size-20000)); err != nil {
				t.Fatal(err)
			}
		}
		want, room := contentAndRoom(t, file)
		p := part{random.Int64N(size/2/4096) * 4096, size - random.Int64N(9000)}
		w := wiper{file: file}
		if err := w.wipe(p); err != nil {
			t.Fatal(err)
		}
		clear(want[p.from:p.to])
		got, after := contentAndRoom(t, file)
		if !bytes.Equal(got, want) || after > room {
			t.Errorf("seed %d: %d blocks before, %d after", seed, room, after)
		}
		if err := w.end(); err != nil {
			t.Fatal(err)
		}
	}
}

func contentAndRoom(t *testing.T, file *os.File) ([]byte, int64) {
	t.Helper()
	raw, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Sync(); err != nil { // a file system counts blocks late
		t.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return raw, info.Sys().(*syscall.Stat_t).Blocks
}
