package main

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/embed/static"
	"holdfast/internal/routes"
)

func TestFunctionsThatEmbedAreThoseWhoseNeedsSaySo(t *testing.T) {
	var got []string
	for _, r := range routes.All() {
		if embeds(r.ID) {
			got = append(got, r.ID)
		}
	}
	for _, w := range routes.Workers() {
		if embeds(w.ID) {
			got = append(got, w.ID)
		}
	}
	slices.Sort(got)
	want := []string{"memory-append", "memory-append-batch", "memory-consolidate", "memory-evaluate", "memory-retrieve", "memory-review",
		"memory-share", "memory-update", "worker-consolidate", "worker-embed"}
	if !slices.Equal(got, want) || embeds("fallback") || embeds("no-such-function") {
		t.Errorf("got %v", got)
	}
}

func TestLimitsBite(t *testing.T) {
	for name, c := range map[string]struct {
		size  size
		wrong string
	}{
		"at the limits":           {size{"f", maxBinary, maxZipped, false}, ""},
		"with the model":          {size{"f", maxBinary, maxZippedModel, true}, ""},
		"binary":                  {size{"f", maxBinary + 1, 1, true}, "binary"},
		"zipped":                  {size{"f", 1, maxZipped + 1, false}, "zipped"},
		"zipped, with the model":  {size{"f", 1, maxZippedModel + 1, true}, "zipped"},
		"a model where none goes": {size{"f", 1, maxZippedModel, false}, "zipped"},
	} {
		err := c.size.check()
		if (err != nil) != (c.wrong != "") || err != nil && !strings.Contains(err.Error(), "f: ") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// made is a folder of functions whose binaries hold so many bytes that do not shrink.
func made(t *testing.T, binaries map[string]int) string {
	t.Helper()
	from, to := t.TempDir(), t.TempDir()
	for name, bytes := range binaries {
		if err := os.WriteFile(filepath.Join(from, name), noise(bytes), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir("../..") // the model's folder is named from the repository's
	if err := spread(from, to); err != nil {
		t.Fatal(err)
	}
	return to
}

// noise is bytes without a pattern, the same every time.
func noise(n int) []byte {
	out, block := make([]byte, 0, n+sha256.Size), sha256.Sum256(nil)
	for len(out) < n {
		block = sha256.Sum256(block[:])
		out = append(out, block[:]...)
	}
	return out[:n]
}

func TestTheModelLiesBesideTheFunctionsThatEmbed(t *testing.T) {
	folder := made(t, map[string]int{"memory-append": 10, "memory-get": 10})
	for _, name := range []string{static.TableName, static.PiecesName} {
		want, err := os.ReadFile(filepath.Join(modelFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(folder, "memory-append", name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not beside memory-append: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(folder, "memory-get", name)); !os.IsNotExist(err) {
			t.Errorf("%s is beside memory-get: %v", name, err)
		}
	}
}

func TestTheReportWeighsBinaryAndPackage(t *testing.T) {
	folder := made(t, map[string]int{"memory-append": 2e6, "memory-get": 1e6})
	var out strings.Builder
	if err := report(&out, "arm64", folder, 2); err != nil {
		t.Fatal(err)
	}
	const want = "linux/arm64: 2 functions; the largest binary 1.0 MB, zipped 1.0 MB; of those with the embedding model 2.0 MB, zipped with it 8.7 MB\n"
	if out.String() != want {
		t.Errorf("%q", out.String())
	}
	if err := report(&out, "arm64", folder, 3); err == nil || !strings.Contains(err.Error(), "2 binaries of 3") {
		t.Errorf("a function is missing: %v", err)
	}
}

func TestAPackageThatIsTooLargeFailsTheBuild(t *testing.T) {
	folder := made(t, map[string]int{"memory-get": maxZipped + 1000, "healthz": 1000})
	var out strings.Builder
	err := report(&out, "arm64", folder, 2)
	if err == nil || !strings.Contains(err.Error(), "memory-get: zipped") || strings.Contains(err.Error(), "healthz") {
		t.Errorf("%v", err)
	}
}
