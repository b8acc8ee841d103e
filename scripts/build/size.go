package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// The most that a function may weigh, in bytes: what is fetched and unpacked decides
// how long a cold start takes before the first of our instructions runs.
const (
	maxBinary      = 16e6
	maxZipped      = 6e6
	maxZippedModel = 14e6 // with the local model beside the binary
)

// size is what one function weighs, in bytes.
type size struct {
	function       string
	binary, zipped int64
	model          bool
}

// check answers what is too large about a function.
func (s size) check() error {
	limit := int64(maxZipped)
	if s.model {
		limit = maxZippedModel
	}
	var wrong []error
	if s.binary > maxBinary {
		wrong = append(wrong, fmt.Errorf("%s: the binary has %d bytes, at most %d are allowed", s.function, s.binary, int64(maxBinary)))
	}
	if s.zipped > limit {
		wrong = append(wrong, fmt.Errorf("%s: zipped it has %d bytes, at most %d are allowed", s.function, s.zipped, limit))
	}
	return errors.Join(wrong...)
}

// report weighs all functions of an architecture, says how large they are, and fails
// when one is missing or too large.
func report(to io.Writer, arch, folder string, want int) error {
	sizes, err := weighAll(folder)
	if err != nil {
		return err
	}
	if len(sizes) != want {
		return fmt.Errorf("linux/%s: %d binaries of %d functions", arch, len(sizes), want)
	}
	var wrong []error
	var most, mostModel size
	for _, s := range sizes {
		kind := &most
		if s.model {
			kind = &mostModel
		}
		kind.binary, kind.zipped = max(kind.binary, s.binary), max(kind.zipped, s.zipped)
		wrong = append(wrong, s.check())
	}
	if _, err := fmt.Fprintf(to, "linux/%s: %d functions; the largest binary %.1f MB, zipped %.1f MB; of those with the embedding model %.1f MB, zipped with it %.1f MB\n",
		arch, want, mega(most.binary), mega(most.zipped), mega(mostModel.binary), mega(mostModel.zipped)); err != nil {
		return err
	}
	return errors.Join(wrong...)
}

func mega(bytes int64) float64 { return float64(bytes) / 1e6 }

// weighAll weighs the functions of a folder, as many at once as there are processors.
func weighAll(folder string) ([]size, error) {
	functions, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	sizes, failures := make([]size, len(functions)), make([]error, len(functions))
	var all sync.WaitGroup
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, f := range functions {
		turns <- struct{}{}
		all.Go(func() {
			sizes[i], failures[i] = weigh(folder, f.Name())
			<-turns
		})
	}
	all.Wait()
	return sizes, errors.Join(failures...)
}

// weigh packs a function's folder as a deployment does.
func weigh(folder, function string) (size, error) {
	s := size{function: function, model: embeds(function)}
	at := filepath.Join(folder, function)
	info, err := os.Stat(filepath.Join(at, "bootstrap"))
	if err != nil {
		return s, err
	}
	s.binary = info.Size()
	var n counter
	packed := zip.NewWriter(&n)
	if err := errors.Join(packed.AddFS(os.DirFS(at)), packed.Close()); err != nil {
		return s, err
	}
	s.zipped = int64(n)
	return s, nil
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
