package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// budgets are the token budgets for which the share of evidence is counted.
var budgets = []int{512, 1024, 2048, 4096}

// armRow is what one arm reaches over all questions.
type armRow struct {
	Arm        string
	Questions  int
	Recall10   float64
	NDCG10     float64
	Session1   float64
	Session5   float64
	Evidence   map[string]float64 // budget → share of the evidence turns that are whole in the blocks
	Any        map[string]float64 // budget → share of the questions with at least one
	ByCategory map[string]cell    // category → recall and NDCG
}

type cell struct {
	Questions        int
	Recall10, NDCG10 float64
}

// stored is a conversation in its workspace.
type stored struct {
	conversation
	workspace string
	turns     map[string]turn     // by turn id
	memory    map[string]string   // turn id → memory id
	holds     map[string][]string // memory id → turn ids: merged turns share a memory
}

// arm is a way to ask.
type arm struct {
	name   string
	fields map[string]any // of the request
}

// talkArms are asked of the conversations, factArms of the facts.
var (
	talkArms = []arm{
		{"lexical", map[string]any{"mode": "lexical"}}, {"semantic", map[string]any{"mode": "semantic"}},
		{"hybrid", map[string]any{"mode": "hybrid"}}, {"hybrid + rerank", map[string]any{"mode": "hybrid", "rerank": true}},
	}
	factArms = talkArms[2:]
)

// measureRecall appends the conversations and asks every question of every arm.
func measureRecall(ctx context.Context, s *service, all []conversation, arms []arm) ([]armRow, error) {
	var in []stored
	for _, c := range all {
		kept, err := s.appendTalk(ctx, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		if _, err := s.indexed(ctx, kept.workspace); err != nil {
			return nil, err
		}
		in = append(in, kept)
	}
	var rows []armRow
	for _, arm := range arms {
		row, err := s.askAll(ctx, arm, in)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (s *service) appendTalk(ctx context.Context, c conversation) (stored, error) {
	kept := stored{conversation: c, turns: map[string]turn{}, memory: map[string]string{}, holds: map[string][]string{}}
	workspace, err := s.tenant.Workspace(ctx, c.Name)
	if err != nil {
		return kept, err
	}
	kept.workspace = workspace
	for _, t := range c.Turns {
		body := map[string]any{
			"workspaceId": workspace, "layer": "Workspace", "type": "fact",
			"content": t.Text, "validFrom": t.Date.Format(time.RFC3339),
		}
		if t.Speaker != "" {
			body["runId"], body["speaker"] = t.Session, t.Speaker
		}
		var made struct{ ID string }
		if err := s.agent.Do(ctx, http.MethodPost, "/v1/memory/append", body, &made); err != nil {
			return kept, err
		}
		kept.turns[t.ID], kept.memory[t.ID] = t, made.ID
		kept.holds[made.ID] = append(kept.holds[made.ID], t.ID)
	}
	return kept, nil
}

// asked is the part of a MemoryContext that is looked at.
type asked struct {
	WorkspaceEntries []struct{ ID string }
	Blocks           []struct{ Text string }
}

func (s *service) ask(ctx context.Context, k stored, q question, a arm, more map[string]any) (asked, error) {
	body := map[string]any{"workspaceId": k.workspace, "semanticQuery": q.Text}
	maps.Copy(body, a.fields)
	maps.Copy(body, more)
	var got asked
	err := s.agent.Do(ctx, http.MethodPost, "/v1/memory/retrieve", body, &got)
	return got, err
}

// ranked asks for the first n entries and answers the turns that they hold.
func (s *service) ranked(ctx context.Context, k stored, q question, a arm, n int) ([]string, error) {
	got, err := s.ask(ctx, k, q, a, map[string]any{"topN": n, "raw": true})
	if err != nil {
		return nil, err
	}
	var turns []string
	for _, e := range got.WorkspaceEntries {
		turns = append(turns, k.pick(e.ID, q))
	}
	return turns, nil
}

// pick is the turn that stands for a memory: a wanted one when several merged.
func (k stored) pick(memory string, q question) string {
	held := k.holds[memory]
	for _, id := range held {
		if slices.Contains(q.Evidence, id) {
			return id
		}
	}
	if len(held) == 0 {
		return ""
	}
	return held[0]
}

func (s *service) askAll(ctx context.Context, a arm, in []stored) (armRow, error) {
	sum := newTally()
	for _, k := range in {
		for _, q := range k.Questions {
			if err := s.askOne(ctx, a, k, q, sum); err != nil {
				return armRow{}, fmt.Errorf("%s, %s: %w", a.name, k.Name, err)
			}
		}
	}
	return sum.row(a.name), nil
}

func (s *service) askOne(ctx context.Context, a arm, k stored, q question, sum *tally) error {
	first, err := s.ranked(ctx, k, q, a, 10)
	if err != nil {
		return err
	}
	deep, err := s.ranked(ctx, k, q, a, 50)
	if err != nil {
		return err
	}
	sum.ranking(q, first, k.sessions(deep), k.sessionsOf(q))
	for _, budget := range budgets {
		got, err := s.ask(ctx, k, q, a, map[string]any{"topN": 200, "tokenBudget": budget})
		if err != nil {
			return err
		}
		var text strings.Builder
		for _, b := range got.Blocks {
			text.WriteString(plain(b.Text))
			text.WriteByte(' ')
		}
		sum.packing(budget, k.inside(q, text.String()))
	}
	return nil
}

// inside counts the evidence turns whose whole text is in the blocks.
func (k stored) inside(q question, blocks string) int {
	n := 0
	for _, id := range q.Evidence {
		if strings.Contains(blocks, plain(k.turns[id].Text)) {
			n++
		}
	}
	return n
}

func (k stored) sessions(turns []string) []string {
	var out []string
	for _, id := range turns {
		out = append(out, k.turns[id].Session)
	}
	return out
}

func (k stored) sessionsOf(q question) map[string]bool {
	out := make(map[string]bool)
	for _, id := range q.Evidence {
		out[k.turns[id].Session] = true
	}
	return out
}

// tally adds the questions up.
type tally struct {
	questions, evidence int
	recall, ndcg        float64
	session1, session5  int
	inside, any         map[int]int
	category            map[int]*cell
}

func newTally() *tally {
	return &tally{inside: map[int]int{}, any: map[int]int{}, category: map[int]*cell{}}
}

func (t *tally) ranking(q question, first, sessions []string, wanted map[string]bool) {
	relevant := make(map[string]bool, len(q.Evidence))
	for _, id := range q.Evidence {
		relevant[id] = true
	}
	recall, ndcg := recallAt(first, relevant, 10), ndcgAt(first, relevant, 10)
	t.questions++
	t.evidence += len(q.Evidence)
	t.recall += recall
	t.ndcg += ndcg
	if hitAt(sessions, wanted, 1) {
		t.session1++
	}
	if hitAt(sessions, wanted, 5) {
		t.session5++
	}
	c := t.category[q.Category]
	if c == nil {
		c = &cell{}
		t.category[q.Category] = c
	}
	c.Questions++
	c.Recall10 += recall
	c.NDCG10 += ndcg
}

func (t *tally) packing(budget, inside int) {
	t.inside[budget] += inside
	if inside > 0 {
		t.any[budget]++
	}
}

func (t *tally) row(arm string) armRow {
	n := float64(t.questions)
	r := armRow{
		Arm: arm, Questions: t.questions, Recall10: t.recall / n, NDCG10: t.ndcg / n,
		Session1: float64(t.session1) / n, Session5: float64(t.session5) / n,
		Evidence: map[string]float64{}, Any: map[string]float64{}, ByCategory: map[string]cell{},
	}
	for _, b := range budgets {
		r.Evidence[strconv.Itoa(b)] = float64(t.inside[b]) / float64(t.evidence)
		r.Any[strconv.Itoa(b)] = float64(t.any[b]) / n
	}
	for number, c := range t.category {
		m := float64(c.Questions)
		r.ByCategory[strconv.Itoa(number)] = cell{c.Questions, c.Recall10 / m, c.NDCG10 / m}
	}
	return r
}
