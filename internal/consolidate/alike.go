package consolidate

import (
	"context"
	"log/slog"
	"slices"

	"holdfast/internal/memory"
	"holdfast/internal/run"
)

// The bounds of what one batch of statements has looked up, and suggests.
const (
	mostLookedUp  = 50
	mostSuggested = 50
)

// suggest keeps what the stored statements of a batch look like, for somebody to
// review. Suggestions are a help and no more: where the index does not answer there
// are none. Each is a commit of its own that can be done again, and none is kept that
// names what is not active any more: its erasure may be over.
func (p *pass) suggest(ctx context.Context, c control, b batch, fates map[int]memory.Fate) error {
	for _, s := range p.alike(ctx, b, fates) {
		s.EpisodeID = c.Episode
		actions := run.Suggest(p.run.Scope, p.run.Hash, p.stretch.Number, s)
		for _, id := range []string{s.MadeID, s.OtherID, s.EpisodeID} {
			actions = append(actions, memory.StillActive(stands, p.run.Scope, id))
		}
		if err := ignore(p.put(ctx, actions...), stands); err != nil {
			return err
		}
	}
	return nil
}

// stands is the label of the checks that what a suggestion names is active.
const stands = "stands"

// alike are the suggestions of a batch, one a statement that was made.
func (p *pass) alike(ctx context.Context, b batch, fates map[int]memory.Fate) []run.Suggestion {
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
	var out []run.Suggestion
	seen := map[string]bool{}
	for _, pair := range pairs {
		s := run.Suggestion{MadeID: pair.ID, OtherID: pair.Other, Cosine: pair.Cosine}
		if !slices.Contains(made, s.MadeID) || seen[s.MadeID] {
			s.MadeID, s.OtherID = pair.Other, pair.ID
		}
		if slices.Contains(made, s.MadeID) && !seen[s.MadeID] && len(out) < mostSuggested {
			seen[s.MadeID] = true
			out = append(out, s)
		}
	}
	return out
}
