package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// figures are what a run says about ranking, by name: «LoCoMo, hybrid, recall@10». The
// name begins with the set. They are shares, rounded to four digits, but for the number
// of questions, which tells whether two runs asked the same.
type figures map[string]float64

// The figures that are compared in a way of their own.
const (
	questions = "questions"
	stale     = "stale in top 3" // the less, the better
)

// ranking collects the figures of the ranking parts.
func (r report) ranking() figures {
	f := make(figures)
	f.arms("LoCoMo", r.Recall)
	f.arms("LoCoMo facts", r.Facts)
	for _, set := range r.Sets {
		f.arms("generated "+set.Name, set.Arms)
	}
	for _, u := range r.Updates {
		set := "generated updates " + u.Set + " " + u.Half
		f[set+", "+questions] = float64(u.Pairs)
		f.put(set, u.Arm, "newer above older, superseded shown", u.Above)
		f.put(set, u.Arm, "newer above older", u.AboveNow)
		f.put(set, u.Arm, "current first", u.First)
		f.put(set, u.Arm, stale, u.Stale)
		f.put(set, u.Arm, "newer in top 10", u.Found)
	}
	return f
}

func (f figures) arms(set string, rows []armRow) {
	for _, a := range rows {
		f[set+", "+questions] = float64(a.Questions)
		f.put(set, a.Arm, "recall@10", a.Recall10)
		f.put(set, a.Arm, "NDCG@10", a.NDCG10)
		if a.Sessions > 0 {
			f.put(set, a.Arm, "session@1", a.Session1)
			f.put(set, a.Arm, "session@5", a.Session5)
		}
		for _, b := range budgets {
			f.put(set, a.Arm, "evidence in "+strconv.Itoa(b), a.Evidence[strconv.Itoa(b)])
		}
	}
}

func (f figures) put(set, arm, name string, value float64) {
	f[set+", "+arm+", "+name] = math.Round(value*1e4) / 1e4
}

// setOf is the set that a figure is about.
func setOf(name string) string {
	set, _, _ := strings.Cut(name, ", ")
	return set
}

// baselineFile is what «make bench-check» compares with: figures only, no texts.
const baselineFile = "scripts/bench/baseline.json"

// saved is a baseline, and what is read of a report.
type saved struct {
	At      time.Time
	Ranking figures
}

var errNoFigures = errors.New("no ranking figures there")

// readSaved reads a baseline or a report, or the newest report of a folder that has
// ranking figures.
func readSaved(path string) (saved, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return saved{}, fmt.Errorf("nothing to compare with at %s: a run with -save-baseline writes %s", path, baselineFile)
	}
	if err != nil {
		return saved{}, err
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(path, "bench-*.json")); err != nil {
			return saved{}, err
		}
	}
	slices.Sort(files) // the names hold the time
	for _, file := range slices.Backward(files) {
		s, err := readFigures(file)
		if err != nil || len(s.Ranking) > 0 {
			return s, err
		}
	}
	return saved{}, fmt.Errorf("%s: %w", path, errNoFigures)
}

func readFigures(file string) (s saved, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// errNoBaseline refuses a baseline that lacks a set, which would never be compared then.
var errNoBaseline = errors.New("a baseline needs the parts recall and made, and the conversations")

func (r report) saveBaseline(path string) error {
	text, err := json.MarshalIndent(saved{r.At, r.Ranking}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
