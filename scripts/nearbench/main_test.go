package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestA01MeasureCountsMergedPairs(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pairs.csv")
	rows := "The gate is open.,A gate is open.,5.0\nThe gate is open.,The gate is shut.,1.0\n" +
		"\"Gulls circle, the mast.\",A gull circles a mast.,2.0\nA boat leaves.,The ship sails away.,4.6\n"
	if err := os.WriteFile(name, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	pairs, err := readPairs(name)
	if err != nil {
		t.Fatal(err)
	}
	got, err := measure(pairs, false)
	if err != nil || got.right != 1 || got.all != 2 || got.merged < 1 || got.merged > 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if !strings.Contains(got.String(), "recall 0.500") {
		t.Errorf("%v", got)
	}
}

func TestBadRowsAreErrors(t *testing.T) {
	for _, rows := range []string{"one,two\n", "one,two,much\n"} {
		name := filepath.Join(t.TempDir(), "pairs.csv")
		if err := os.WriteFile(name, []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
		if pairs, err := readPairs(name); err == nil {
			t.Errorf("%q: %v", rows, pairs)
		}
	}
}
