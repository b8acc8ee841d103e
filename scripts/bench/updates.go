package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"holdfast/scripts/bench/made"
)

// updateRow is what one arm makes of the update pairs of one half of a set: shares of
// the pairs, by the first ten entries. A pair may have several older statements.
type updateRow struct {
	Set, Half, Arm string
	Pairs          int
	Above          float64 // newer above all older, or there alone; superseded entries are shown
	AboveNow       float64 // the same in the default request
	First          float64 // the newer is the first entry of the default request
	Stale          float64 // an older is among the first three of the default request
	Found          float64 // the newer is among the ten of the default request
}

// measureUpdates writes a half's statements in their order and asks each pair's
// question of every arm, with and without superseded entries.
func measureUpdates(ctx context.Context, s *service, half made.Half, arms []arm) ([]updateRow, error) {
	workspace, err := s.tenant.Workspace(ctx, "updates "+half.Title())
	if err != nil {
		return nil, err
	}
	ids, err := s.writeStatements(ctx, workspace, half.Statements)
	if err != nil {
		return nil, err
	}
	if _, err := s.indexed(ctx, workspace); err != nil {
		return nil, err
	}
	var rows []updateRow
	for _, a := range arms {
		sum := updateTally{}
		for _, p := range half.Pairs {
			shown, err := s.entries(ctx, workspace, p.Question, a, true)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", a.name, err)
			}
			plain, err := s.entries(ctx, workspace, p.Question, a, false)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", a.name, err)
			}
			sum.add(ids[p.Newer], idsOf(ids, p.Older), shown, plain)
		}
		rows = append(rows, sum.row(half, a.name))
	}
	return rows, nil
}

// writeStatements answers the memories' ids, in the order of the statements.
func (s *service) writeStatements(ctx context.Context, workspace string, all []made.Statement) ([]string, error) {
	ids := make([]string, len(all))
	for i, t := range all {
		body := map[string]any{"workspaceId": workspace, "layer": "Workspace", "type": "fact", "content": t.Text}
		if t.Speaker != "" {
			body["speaker"] = t.Speaker
		}
		if t.Attribute != "" {
			body["attribute"] = t.Attribute
		}
		if !t.ValidFrom.IsZero() {
			body["validFrom"] = t.ValidFrom.Format(time.RFC3339)
		}
		var kept struct{ ID string }
		if err := s.agent.Do(ctx, http.MethodPost, "/v1/memory/append", body, &kept); err != nil {
			return nil, err
		}
		ids[i] = kept.ID
	}
	return ids, nil
}

func idsOf(ids []string, places []int) []string {
	out := make([]string, len(places))
	for i, at := range places {
		out[i] = ids[at]
	}
	return out
}

// entries are the ids of the first ten entries.
func (s *service) entries(ctx context.Context, workspace, query string, a arm, superseded bool) ([]string, error) {
	got, err := s.ask(ctx, workspace, query, a, map[string]any{"topN": 10, "raw": true, "includeSuperseded": superseded})
	var ids []string
	for _, e := range got.WorkspaceEntries {
		ids = append(ids, e.ID)
	}
	return ids, err
}

// updateTally counts pairs.
type updateTally struct{ pairs, above, aboveNow, first, stale, found int }

// add counts a pair by the entries of both requests. Two statements that became one
// memory cannot stand one above the other: such a pair counts against.
func (t *updateTally) add(newer string, older, shown, plain []string) {
	t.pairs++
	if slices.Contains(older, newer) {
		t.stale++
		return
	}
	t.above += count(above(newer, older, shown))
	t.aboveNow += count(above(newer, older, plain))
	t.first += count(slices.Index(plain, newer) == 0)
	t.stale += count(slices.ContainsFunc(plain[:min(3, len(plain))], in(older)))
	t.found += count(slices.Contains(plain, newer))
}

// above tells whether the newer is there and none of the older is before it.
func above(newer string, older, ids []string) bool {
	n := slices.Index(ids, newer)
	return n >= 0 && !slices.ContainsFunc(ids[:n], in(older))
}

func in(list []string) func(string) bool {
	return func(s string) bool { return slices.Contains(list, s) }
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (t updateTally) row(half made.Half, arm string) updateRow {
	share := func(n int) float64 { return float64(n) / float64(max(1, t.pairs)) }
	return updateRow{half.Set, half.Name, arm, t.pairs, share(t.above), share(t.aboveNow), share(t.first), share(t.stale), share(t.found)}
}

func printUpdates(w io.Writer, rows []updateRow) error {
	return table(w, func(p *printer) {
		p.row("Generated, update pairs: shares of the pairs")
		p.row("set\thalf\tarm\tpairs\tnewer above older, superseded shown\tnewer above older\tcurrent first\tstale in top 3\tnewer in top 10\t")
		for _, r := range rows {
			p.row("%s\t%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t", r.Set, r.Half, r.Arm, r.Pairs, r.Above, r.AboveNow, r.First, r.Stale, r.Found)
		}
	})
}
