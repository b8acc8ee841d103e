// Command nearbench measures the rule of near-duplicates (A0.1) on the pairs of
// STS-B, which are no part of this repository: two texts merge when their words are
// the same (memory.SameWords) and the cosine of the static embedder reaches a
// threshold; pairs judged 4.5 or more of 5 are the same.
//
// Usage: nearbench -data <folder> [-wrong]. The folder holds stsb-en with the files
// stsb-en-dev.csv and stsb-en-train.csv. Without it nearbench says so and succeeds.
package main

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"

	"holdfast/internal/embed"
	"holdfast/internal/embed/static"
	"holdfast/internal/memory"
	"holdfast/internal/tenant"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", "", "folder with stsb-en")
	wrong := flag.Bool("wrong", false, "print the pairs that merge and should not")
	flag.Parse()
	if info, err := os.Stat(*data); *data == "" || err != nil || !info.IsDir() {
		fmt.Println("nearbench: no data folder (-data): nothing measured")
		return
	}
	for _, part := range []string{"dev", "train"} {
		pairs, err := readPairs(filepath.Join(*data, "stsb-en", "stsb-en-"+part+".csv"))
		if err != nil {
			log.Fatal("nearbench: ", err)
		}
		t, err := measure(pairs, *wrong)
		if err != nil {
			log.Fatal("nearbench: ", err)
		}
		fmt.Printf("%-5s %v\n", part, t)
	}
}

// pair is two sentences and how alike people judged them, 0 to 5.
type pair struct {
	one, two string
	score    float64
}

const same = 4.5

func readPairs(name string) ([]pair, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	out := make([]pair, len(rows))
	for i, row := range rows {
		if len(row) != 3 {
			return nil, fmt.Errorf("%s: row %d has %d fields", filepath.Base(name), i+1, len(row))
		}
		out[i] = pair{one: row[0], two: row[1]}
		if out[i].score, err = strconv.ParseFloat(row[2], 64); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// tally counts pairs by what they are and what the rule does.
type tally struct{ merged, right, all, words int }

// measure merges pairs by the rule; words counts those that only the cosine keeps
// apart.
func measure(pairs []pair, wrong bool) (tally, error) {
	var t tally
	model := static.New()
	threshold := tenant.DefaultSettings().MergeThreshold
	for _, p := range pairs {
		isSame := p.score >= same
		if isSame {
			t.all++
		}
		if !memory.SameWords(p.one, p.two) {
			continue
		}
		vectors, err := model.Embed(context.Background(), []string{p.one, p.two})
		if err != nil {
			return t, err
		}
		switch merges := embed.Cosine(vectors[0], vectors[1]) >= threshold; {
		case merges && isSame:
			t.merged, t.right = t.merged+1, t.right+1
		case merges:
			t.merged++
			if wrong {
				fmt.Printf("%.2f %q %q\n", p.score, p.one, p.two)
			}
		case isSame:
			t.words++
		}
	}
	return t, nil
}

func (t tally) String() string {
	return fmt.Sprintf("precision %.3f, recall %.3f (%d merged, %d of them the same, %d the same in all; the cosine keeps %d of the same words apart)",
		float64(t.right)/float64(max(t.merged, 1)), float64(t.right)/float64(max(t.all, 1)), t.merged, t.right, t.all, t.words)
}
