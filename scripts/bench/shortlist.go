package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"holdfast/internal/clock"
	"holdfast/internal/embed"
	"holdfast/internal/embed/static"
	"holdfast/internal/search"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/tenant"
	"holdfast/scripts/bench/made"
)

// shortlistRow is what the embedded index finds of the nearest texts when it does not
// compare all vectors.
type shortlistRow struct {
	Texts int
	Found []float64 // share of the 10, 60 and 200 nearest by a comparison of all
}

// nearestOf are how many of the nearest are looked for.
var nearestOf = []int{10, 60, 200}

// shortlistSizes are numbers of texts, shortlistAsked that of questions.
var shortlistSizes = []int{10_000, 16_000, 100_000}

const shortlistAsked = 300

// shortlists measures it with texts that are put together of halves of turns, so that
// they are as alike as those of people, and with questions of the conversations.
func shortlists(ctx context.Context, talks []conversation, r *report) error {
	if len(talks) == 0 {
		talks = made.Sets()[0].Talks
	}
	for _, size := range shortlistSizes {
		n, err := newNearest(ctx, talks, size)
		if err != nil {
			return err
		}
		row, err := n.measure(ctx, talks)
		if err != nil {
			return err
		}
		r.Shortlists = append(r.Shortlists, row)
	}
	return printShortlists(os.Stdout, r.Shortlists)
}

// nearest are texts as vectors, in the index and beside it.
type nearest struct {
	index    *memsearch.Index
	embedder embed.Embedder
	vectors  [][]float32 // as the index keeps them
}

func newNearest(ctx context.Context, talks []conversation, size int) (*nearest, error) {
	n := &nearest{index: memsearch.New(clock.System{}), embedder: static.New()}
	random := rand.New(rand.NewPCG(uint64(size), 5))
	for len(n.vectors) < size {
		texts := make([]string, min(embed.MaxBatch, size-len(n.vectors)))
		for i := range texts {
			texts[i] = halves(random, talks)
		}
		if err := n.add(ctx, texts); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// halves joins the first half of a turn and the second of another.
func halves(random *rand.Rand, talks []conversation) string {
	some := func() []string {
		turns := talks[random.IntN(len(talks))].Turns
		return strings.Fields(turns[random.IntN(len(turns))].Text)
	}
	a, b := some(), some()
	return strings.Join(append(slices.Clone(a[:(len(a)+1)/2]), b[len(b)/2:]...), " ")
}

func (n *nearest) add(ctx context.Context, texts []string) error {
	vectors, err := n.embedder.Embed(ctx, texts)
	if err != nil {
		return err
	}
	var ops []search.Op
	for i, v := range vectors {
		if v, err = embed.Decode(embed.Encode(v), len(v)); err != nil {
			return err
		}
		n.vectors = append(n.vectors, v)
		ops = append(ops, search.Op{Document: search.Document{Scope: scopeOf(0), ID: placeID(len(n.vectors) - 1), Version: 1,
			Sequence: 1, Text: texts[i], Vector: v, Profile: n.embedder.Profile().Name()}})
	}
	return errors.Join(n.index.Apply(ctx, ops)...)
}

func (n *nearest) measure(ctx context.Context, talks []conversation) (shortlistRow, error) {
	row, asked := shortlistRow{Texts: len(n.vectors), Found: make([]float64, len(nearestOf))}, 0.0
	for _, c := range talks {
		for _, q := range c.Questions[:min(len(c.Questions), shortlistAsked/len(talks))] {
			got, want, err := n.ask(ctx, q.Text)
			if err != nil {
				return row, err
			}
			asked++
			for i, most := range nearestOf {
				row.Found[i] += recallAt(got, those(want[:most]), proposed)
			}
		}
	}
	for i := range row.Found {
		row.Found[i] /= asked
	}
	return row, nil
}

// ask answers the nearest by the index and by a comparison of all vectors.
func (n *nearest) ask(ctx context.Context, text string) (got, want []string, err error) {
	vectors, err := n.embedder.Embed(ctx, []string{text})
	if err != nil {
		return nil, nil, err
	}
	answer, err := n.index.Search(ctx, search.Query{Scopes: []tenant.Scope{scopeOf(0)},
		Vector: vectors[0], Profile: n.embedder.Profile().Name(), Semantic: proposed})
	if err != nil {
		return nil, nil, err
	}
	for _, h := range answer.Hits {
		got = append(got, h.ID)
	}
	return got, n.compared(vectors[0]), nil
}

// compared are the nearest, ties by newer id.
func (n *nearest) compared(query []float32) []string {
	cosines, order := make([]float64, len(n.vectors)), make([]int, len(n.vectors))
	for i, v := range n.vectors {
		cosines[i], order[i] = embed.Cosine(query, v), i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(cosines[b], cosines[a]), cmp.Compare(b, a)) })
	var out []string
	for _, at := range order[:proposed] {
		out = append(out, placeID(at))
	}
	return out
}

func printShortlists(w io.Writer, rows []shortlistRow) error {
	return table(w, func(p *printer) {
		p.row("Share of the nearest texts that the embedded index finds without comparing all vectors")
		p.row("texts\tof 10\tof 60\tof 200\t")
		for _, r := range rows {
			p.row("%d\t%.3f\t%.3f\t%.3f\t", r.Texts, r.Found[0], r.Found[1], r.Found[2])
		}
	})
}
