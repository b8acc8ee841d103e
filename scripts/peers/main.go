// Command peers ranks texts with two well-known search libraries, so that scripts/bench
// can show them beside Holdfast: the same texts, the same questions, the same metrics.
// It is a module of its own: what it needs is fetched when it is built and is part of
// nothing else.
//
//	go run . <collections.json >ranked.json
//
// Standard input is a list of collections, each of which gets an index of its own:
//
//	[{"name", "items": [{"id", "text", "session", "speaker"}], "questions": [{"text"}]}]
//
// Items are in the order in which they were said. Other fields, such as the evidence of
// a question, are not read. Standard output has, for each engine and each form of the
// texts, the ids that each question found, the best first, and how long it took, in
// nanoseconds. No metric is computed here.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// depth is how many ids a question is answered with: as many entries as Holdfast looks
// at when it fills the largest token budget.
const depth = 200

// collection is what one index holds and is asked.
type collection struct {
	Name      string
	Items     []item
	Questions []struct{ Text string }
}

type item struct{ ID, Text, Session, Speaker string }

// peer is what one engine did with one form of the texts.
type peer struct {
	Name        string   `json:"name"`
	Collections []ranked `json:"collections"`
}

type ranked struct {
	Name   string          `json:"name"`
	Index  time.Duration   `json:"index"`  // to index all texts, until they can be found
	Ranked [][]string      `json:"ranked"` // by question
	Took   []time.Duration `json:"took"`   // by question
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	var all []collection
	if err := json.NewDecoder(in).Decode(&all); err != nil {
		return err
	}
	var peers []peer
	for _, e := range engines {
		for _, f := range forms {
			p := peer{Name: e.name + f.suffix}
			for _, c := range all {
				r, err := rank(e, f, c)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", p.Name, c.Name, err)
				}
				p.Collections = append(p.Collections, r)
			}
			peers = append(peers, p)
		}
	}
	return json.NewEncoder(out).Encode(peers)
}

// rank indexes a collection and asks its questions one after another.
func rank(e engine, f form, c collection) (r ranked, err error) {
	r = ranked{Name: c.Name, Ranked: [][]string{}, Took: []time.Duration{}}
	folder, err := os.MkdirTemp("", "peers-")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	start := time.Now()
	x, err := e.open(folder, f.texts(c.Items))
	if err != nil {
		return r, err
	}
	r.Index = time.Since(start)
	defer func() { err = errors.Join(err, x.close()) }()
	for _, q := range c.Questions {
		start := time.Now()
		found, err := x.search(q.Text, depth)
		if err != nil {
			return r, err
		}
		r.Took = append(r.Took, time.Since(start))
		ids := make([]string, len(found))
		for i, at := range found {
			ids[i] = c.Items[at].ID
		}
		r.Ranked = append(r.Ranked, ids)
	}
	return r, nil
}
