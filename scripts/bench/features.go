package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/embed"
	"holdfast/internal/embed/static"
	"holdfast/internal/recall/rank"
	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/tenant"
	"holdfast/scripts/bench/made"
)

// featureRow is what leaving one part of the ranking out does, in one set of texts.
type featureRow struct {
	Without string // empty: nothing is left out
	Set     string
	Mode    string
	score
}

// score is recall and NDCG at 10 over all questions.
type score struct {
	Questions        int
	Recall10, NDCG10 float64
}

// window is the lexical window's name among what can be left out.
const window = "window"

// ablations are what is left out, one at a time; first nothing.
func ablations() []string {
	out := []string{""}
	for _, f := range rank.Features {
		out = append(out, f.Name)
	}
	return append(out, rank.SessionShare, rank.Repeated, rank.NewerAbove, window)
}

// measureFeatures ranks in this process, by the same engine and scorer as the service
// does but without its table, so that a part of the scorer can be left out.
func measureFeatures(ctx context.Context, sets []made.Set) ([]featureRow, error) {
	var rows []featureRow
	for _, set := range sets {
		in, err := indexAll(ctx, set.Talks)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set.Name, err)
		}
		for _, without := range ablations() {
			for _, mode := range []string{"lexical", "hybrid"} {
				got, err := in.score(ctx, mode, without)
				if err != nil {
					return nil, fmt.Errorf("%s without %s: %w", set.Name, without, err)
				}
				rows = append(rows, featureRow{Without: without, Set: set.Name, Mode: mode, score: got})
			}
		}
	}
	return rows, nil
}

// indexed are conversations in an index of this process.
type indexed struct {
	talks    []conversation
	index    *memsearch.Index
	embedder embed.Embedder
}

func indexAll(ctx context.Context, talks []conversation) (indexed, error) {
	in := indexed{talks: talks, index: memsearch.New(clock.System{}), embedder: static.New()}
	profile := in.embedder.Profile().Name()
	for i, c := range talks {
		var ops []search.Op
		for j, t := range c.Turns {
			vectors, err := in.embedder.Embed(ctx, []string{t.Text})
			if err != nil {
				return in, err
			}
			d := search.Document{Scope: scopeOf(i), ID: placeID(j), Version: 1, Sequence: 1,
				Text: t.Text, Speaker: t.Speaker, Vector: vectors[0], Profile: profile}
			if t.Speaker != "" {
				d.Session = t.Session
			}
			ops = append(ops, search.Op{Document: d})
		}
		if err := errors.Join(in.index.Apply(ctx, ops)...); err != nil {
			return in, err
		}
	}
	return in, nil
}

func scopeOf(talk int) tenant.Scope { return tenant.Grant("bench", strconv.Itoa(talk)) }

// placeID is the id of a turn: in the order of the talk.
func placeID(turn int) string { return fmt.Sprintf("%06d", turn) }

func (in indexed) score(ctx context.Context, mode, without string) (score, error) {
	var sum score
	for i, c := range in.talks {
		for _, q := range c.Questions {
			ids, err := in.ask(ctx, i, q, mode, without)
			if err != nil {
				return sum, err
			}
			relevant := those(q.Evidence)
			sum.Questions++
			sum.Recall10 += recallAt(ids, relevant, 10)
			sum.NDCG10 += ndcgAt(ids, relevant, 10)
		}
	}
	n := float64(max(1, sum.Questions))
	sum.Recall10, sum.NDCG10 = sum.Recall10/n, sum.NDCG10/n
	return sum, nil
}

// proposed and readFirst are the service's own numbers for ten entries.
const proposed, readFirst = 200, 80

// ask ranks the turns of a talk for a question.
func (in indexed) ask(ctx context.Context, talk int, q question, mode, without string) ([]string, error) {
	asked, profile := analysis.Query(q.Text), in.embedder.Profile()
	o := rank.Options{Mode: rank.Lexical, LexicalShare: profile.LexicalShare, Floor: profile.Floor,
		ImportanceWeight: rank.DefaultImportanceWeight, Anchor: time.Now(), Without: []string{without}}
	query := search.Query{Scopes: []tenant.Scope{scopeOf(talk)}, Text: q.Text, Lexical: proposed, Plain: without == window}
	if mode == "hybrid" {
		vectors, err := in.embedder.Embed(ctx, []string{asked.Meaning(q.Text)})
		if err != nil {
			return nil, err
		}
		o.Mode, query.Vector, query.Profile, query.Semantic = rank.Hybrid, vectors[0], profile.Name(), proposed
	}
	answer, err := in.index.Search(ctx, query)
	if err != nil {
		return nil, err
	}
	candidates := in.candidates(talk, answer.Hits)
	short := rank.Shortlist(asked, candidates, answer.Stats, o, readFirst)
	read := make([]rank.Candidate, len(short))
	for i, at := range short {
		read[i] = candidates[at]
	}
	var ids []string
	for _, r := range rank.Order(asked, read, answer.Stats, o) {
		ids = append(ids, in.turn(talk, read[r.Index].ID).ID)
	}
	return ids, nil
}

func (in indexed) candidates(talk int, hits []search.Hit) []rank.Candidate {
	out := make([]rank.Candidate, len(hits))
	for i, h := range hits {
		t := in.turn(talk, h.ID)
		out[i] = rank.Candidate{ID: h.ID, Lexical: h.Lexical, Cosine: h.Semantic, HasVec: h.HasVec,
			Text: t.Text, Speaker: t.Speaker, EventAt: t.Date, RecordedAt: t.Date, Trust: 1}
		if t.Speaker != "" {
			out[i].Session = t.Session
		}
	}
	return out
}

func (in indexed) turn(talk int, id string) turn {
	at, _ := strconv.Atoi(id) // made by placeID
	return in.talks[talk].Turns[at]
}

func printFeatures(w io.Writer, rows []featureRow) error {
	return table(w, func(p *printer) {
		p.row("recall@10 / NDCG@10 with a part of the ranking left out, and the loss")
		p.row("set\tleft out\tlexical\t\thybrid\t\t")
		base := map[[2]string]featureRow{}
		cells := map[[2]string]map[string]string{}
		for _, r := range rows {
			at := [2]string{r.Set, r.Mode}
			if r.Without == "" {
				base[at] = r
			}
			name := [2]string{r.Set, r.Without}
			if cells[name] == nil {
				cells[name] = map[string]string{}
			}
			cells[name][r.Mode] = fmt.Sprintf("%.3f / %.3f\t%+.3f / %+.3f", r.Recall10, r.NDCG10,
				r.Recall10-base[at].Recall10, r.NDCG10-base[at].NDCG10)
			if r.Mode == "hybrid" {
				p.row("%s\t%s\t%s\t%s\t", r.Set, orNothing(r.Without), cells[name]["lexical"], cells[name]["hybrid"])
			}
		}
	})
}

func orNothing(name string) string {
	if name == "" {
		return "nothing"
	}
	return name
}
