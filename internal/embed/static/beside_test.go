//go:build !tablefile

package static

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The package's own tests pass in a program that is built the other way, with the
// files beside it, and fail without them.
func TestTheTagReadsTheTableBesideTheProgram(t *testing.T) {
	for _, c := range []struct {
		folder string
		passes bool
	}{{beside(t, "", nil), true}, {t.TempDir(), false}} {
		program := filepath.Join(c.folder, "static.test")
		if out, err := exec.Command("go", "test", "-c", "-tags", "tablefile", "-o", program, ".").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		out, err := exec.Command(program, "-test.run", "^TestVectorsAreTheSameOnEveryMachine$", "-test.v").CombinedOutput()
		if (err == nil) != c.passes || !strings.Contains(string(out), "TestVectorsAreTheSameOnEveryMachine") {
			t.Errorf("passes %v: %v\n%s", c.passes, err, out)
		}
	}
}
