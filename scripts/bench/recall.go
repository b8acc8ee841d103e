package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// budgets are the token budgets for which the share of evidence is counted.
var budgets = []int{512, 1024, 2048, 4096}

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

func (s *service) ask(ctx context.Context, workspace, query string, a arm, more map[string]any) (asked, error) {
	body := map[string]any{"workspaceId": workspace, "semanticQuery": query}
	maps.Copy(body, a.fields)
	maps.Copy(body, more)
	var got asked
	err := s.agent.Do(ctx, http.MethodPost, "/v1/memory/retrieve", body, &got)
	return got, err
}

// ranked asks for the first n entries and answers the turns that they hold.
func (s *service) ranked(ctx context.Context, k stored, q question, a arm, n int) ([]string, error) {
	got, err := s.ask(ctx, k.workspace, q.Text, a, map[string]any{"topN": n, "raw": true})
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
	if q.Adversarial {
		return nil
	}
	sum.budgeted(q)
	for _, budget := range budgets {
		got, err := s.ask(ctx, k.workspace, q.Text, a, map[string]any{"topN": 200, "tokenBudget": budget})
		if err != nil {
			return err
		}
		var text strings.Builder
		for _, b := range got.Blocks {
			text.WriteString(plain(b.Text))
			text.WriteByte(' ')
		}
		sum.packing(budget, k.inside(q, text.String()), len(q.Evidence))
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

// sessionsOf are the sessions of the evidence; none where there are no sessions.
func (k stored) sessionsOf(q question) map[string]bool {
	out := make(map[string]bool)
	for _, id := range q.Evidence {
		if session := k.turns[id].Session; session != "" {
			out[session] = true
		}
	}
	return out
}
