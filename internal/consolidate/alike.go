package consolidate

import (
	"context"
	"log/slog"
	"slices"
	"strconv"

	"holdfast/internal/memory"
	"holdfast/internal/run"
	"holdfast/internal/store"
)

// The bounds of what one batch of statements has looked up, and suggests.
const (
	mostLookedUp  = 50
	mostSuggested = 50
)

// suggested are the actions that keep what the stored statements of a batch look
// like, for somebody to review. Suggestions are a help and no more: where the index
// does not answer there are none.
func (p *pass) suggested(ctx context.Context, b batch, fates map[int]memory.Fate) []store.Action {
	if p.Index == nil {
		return nil
	}
	var made []string
	for n, s := range b.Statements {
		if fates[n] == memory.Kept && len(made) < mostLookedUp {
			made = append(made, s.ID)
		}
	}
	pairs, err := p.Memories.Alike(ctx, p.target, p.Index, made)
	if err != nil {
		p.Log.LogAttrs(ctx, slog.LevelWarn, "no suggestions", slog.String("code", codeOf(err)))
	}
	var out []store.Action
	seen := map[string]bool{}
	for _, pair := range pairs {
		s := run.Suggestion{MadeID: pair.ID, OtherID: pair.Other}
		if !slices.Contains(made, s.MadeID) || seen[s.MadeID] {
			s = run.Suggestion{MadeID: pair.Other, OtherID: pair.ID}
		}
		if slices.Contains(made, s.MadeID) && !seen[s.MadeID] && len(out) < mostSuggested {
			seen[s.MadeID] = true
			out = append(out, run.Suggest("suggestion"+strconv.Itoa(len(out)), p.run.Scope, p.run.Hash, p.stretch.Number, s))
		}
	}
	return out
}
