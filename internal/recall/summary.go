package recall

import (
	"context"
	"log/slog"
	"sort"
	"strings"

	"holdfast/internal/memory"
	"holdfast/internal/search/analysis"
	"holdfast/internal/tenant"
)

// Runs knows the runs of a workspace.
type Runs interface {
	// Visit notes that a run is being read, which keeps it from being idle (R0.50), and
	// answers the ids of the summaries of its last consolidated stretch, one a subject;
	// none where there is no such stretch (R0.69).
	Visit(ctx context.Context, scope tenant.Scope, runID string) (summaryIDs []string, err error)
}

// loadSummary makes the session's summary of those that the request may see. Without
// the run's row the retrieve goes on: it says less, and nothing wrong.
func (p *pass) loadSummary(ctx context.Context, a *assembly) error {
	if p.req.RunID == "" || p.Runs == nil || p.req.Silent {
		return nil
	}
	ids, err := p.Runs.Visit(ctx, p.req.Scope, p.req.RunID)
	if err != nil {
		p.Log.LogAttrs(ctx, slog.LevelWarn, "run could not be visited")
		return nil
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := memory.Load(ctx, p.Store, p.req.Scope, ids)
	if err != nil {
		return err
	}
	views, err := p.asSeen(ctx, p.req.Scope, found)
	if err != nil {
		return err
	}
	var visible []*memory.Memory
	for _, v := range views {
		if p.summarises(v) {
			visible = append(visible, shortened(v.Memory, a.digestLimit()))
		}
	}
	if len(visible) > 0 {
		a.out.Summary, p.summarySet = a.digest(SessionSummary, visible)
	}
	return nil
}

// summarises tells a summary that the request may see. It is in no index and ranks
// nowhere, so it is not what recall hands out otherwise (Recallable).
func (p *pass) summarises(v memory.View) bool {
	return v.Memory != nil && !v.Past && (v.Status == memory.Active || v.Status == memory.Superseded) &&
		v.Subject.Admits(p.req.Subject)
}

// shortened is a memory with as many of its first sentences as fit a number of tokens
// in a line: a summary that is too long says its beginning rather than nothing.
func shortened(m *memory.Memory, limit int) *memory.Memory {
	if lineFits(m.Content, limit) {
		return m
	}
	sentences := analysis.Sentences(m.Content)
	first := func(n int) string { return strings.Join(sentences[:n], " ") }
	short := *m // one sentence more makes no line shorter
	short.Content = first(sort.Search(len(sentences), func(n int) bool { return !lineFits(first(n+1), limit) }))
	return &short
}

// lineFits tells a text whose line has at most so many tokens.
func lineFits(text string, limit int) bool {
	return tokensOf(entryLeast(text)) <= limit && Tokens(plainLine("", text).text) <= limit
}
