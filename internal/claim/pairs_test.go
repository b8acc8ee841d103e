package claim

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pair is an older and a newer text, and whether the newer closes the older.
type pair struct {
	topic, older, newer string
	closes              bool
}

// readPairs reads testdata: # topic, = older text, + a text that replaces it, - one
// that does not.
func readPairs(t testing.TB, name string) []pair {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var out []pair
	var topic, older string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		sign, text, _ := strings.Cut(lines.Text(), " ")
		switch sign {
		case "#":
			topic = text
		case "=":
			older = text
		default:
			out = append(out, pair{topic, older, text, sign == "+"})
		}
	}
	return out
}

func closes(p pair) bool {
	older, ok := Read(p.older)
	if !ok {
		return false
	}
	newer, ok := Read(p.newer)
	return ok && newer.Replaces(older)
}

// The half "tuned" was looked at while the rules were written, "heldout" was
// written before them; parts of it have been seen since the first measurement.
func TestA02SupersedingIsPreciseOnBothHalves(t *testing.T) {
	for name, recall := range map[string]float64{"tuned.txt": .95, "heldout.txt": .85} {
		var right, wrong, missed, topics int
		last := ""
		for _, p := range readPairs(t, name) {
			if p.topic != last {
				topics, last = topics+1, p.topic
			}
			switch got := closes(p); {
			case got && p.closes:
				right++
			case got:
				wrong++
				t.Logf("%s: %q closes %q", p.topic, p.newer, p.older)
			case p.closes:
				missed++
				if name != "heldout.txt" {
					t.Logf("%s: %q does not close %q", p.topic, p.newer, p.older)
				}
			}
		}
		precision, found := float64(right)/float64(right+wrong), float64(right)/float64(right+missed)
		t.Logf("%s: precision %.3f, recall %.3f (%d right, %d wrong, %d missed, %d topics)", name, precision, found, right, wrong, missed, topics)
		if precision < .95 || found < recall || right+missed != 100 || topics != 20 {
			t.Errorf("%s: precision %.3f, recall %.3f", name, precision, found)
		}
	}
}

// Pairs that a tester found closed in error, and what must close beside them.
func TestA02LookAlikesCloseNothing(t *testing.T) {
	pairs := readPairs(t, "lookalikes.txt")
	if len(pairs) < 50 {
		t.Fatalf("%d pairs", len(pairs))
	}
	for _, p := range pairs {
		if got := closes(p); got != p.closes {
			t.Errorf("%s: %q closes %q: %v", p.topic, p.newer, p.older, got)
		}
	}
}

// Every form that takes a clause in is among those that the clause asks for.
func TestNoFormIsPassedOver(t *testing.T) {
	tried := 0
	for _, name := range []string{"tuned.txt", "heldout.txt"} {
		for _, p := range readPairs(t, name) {
			for _, text := range []string{p.older, p.newer} {
				line, _ := flatten(text)
				asked := asking(line)
				for i, f := range forms {
					if f.pattern.MatchString(line) && !asked[i] {
						t.Errorf("%q is not asked for %s", line, f.pattern)
					}
					tried++
				}
			}
		}
	}
	if tried < 10_000 {
		t.Errorf("only %d forms were tried", tried)
	}
}
