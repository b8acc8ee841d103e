package consolidate

import (
	"context"
	"slices"

	"holdfast/internal/memory"
	"holdfast/internal/store"
)

func joinedIDs(list []sentence) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.ids()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// memorySources are citations of memories, each once, at most so many.
func memorySources(ids []string, most int) []memory.Source {
	seen := map[string]bool{}
	var out []memory.Source
	for _, id := range ids {
		if !seen[id] && len(out) < most {
			seen[id] = true
			out = append(out, memory.Source{Kind: memory.MemorySource, ID: id})
		}
	}
	return out
}

func episodeSource(c control) []memory.Source {
	return []memory.Source{{Kind: memory.EpisodeSource, ID: c.Episode}}
}

// edges writes, ahead of an episode, that it is derived from what it cites: none to an
// entry that may be erased by now.
func (p *pass) edges(ctx context.Context, c control, sources []memory.Source) error {
	for some := range slices.Chunk(memory.DerivedEdges(p.run.Scope, c.Episode, sources), edgeBatch) {
		actions := []store.Action{p.unedited(c.Edits)}
		for _, item := range some {
			actions = append(actions, store.PutItem("edge", item, nil))
		}
		if err := p.put(ctx, actions...); err != nil {
			if store.Failed(err, unedited) {
				return errEdited
			}
			return err
		}
	}
	return nil
}
