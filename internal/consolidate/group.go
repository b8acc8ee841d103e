package consolidate

import (
	"context"

	"holdfast/internal/extract"
	"holdfast/internal/memory"
	"holdfast/internal/store/keys"
)

// group are the entries of a stretch that have one subject, in their order (R0.76).
type group struct {
	key     string // names the group in keys
	subject memory.Subject
	runID   string
	ids     []string
	batches [][]string // the ids, as many at a time as the model reads
	bytes   int        // of the texts of the last batch
}

// The size of a batch.
const (
	batchEntries = extract.MaxEntries
	batchBytes   = 64 << 10 // of text; one entry may be more
)

// add puts an entry at the end of the group.
func (g *group) add(m *memory.Memory) {
	last := len(g.batches) - 1
	if last < 0 || len(g.batches[last]) == batchEntries || g.bytes+len(m.Content) > batchBytes {
		g.batches, g.bytes = append(g.batches, nil), 0
		last++
	}
	g.ids = append(g.ids, m.ID)
	g.batches[last] = append(g.batches[last], m.ID)
	g.bytes += len(m.Content)
}

// entries reads the stretch once and answers its groups in the order in which they
// begin. What is in quarantine takes no part (R0.51), nor what another entry of the
// session replaced.
func (p *pass) entries(ctx context.Context) ([]*group, error) {
	h, err := p.Memories.Hasher(ctx, p.run.Scope)
	if err != nil {
		return nil, err
	}
	var out []*group
	of := map[memory.Subject]*group{}
	err = p.walk(ctx, func(list []string) error {
		found, err := memory.Load(ctx, p.Store, p.run.Scope, list)
		for _, m := range found {
			if m == nil || m.Status != memory.Active {
				continue
			}
			g := of[m.Subject]
			if g == nil {
				g = &group{key: keys.Hash(h.Subject(m.Subject)...)[:32], subject: m.Subject, runID: m.RunID}
				of[m.Subject], out = g, append(out, g)
			}
			g.add(m)
		}
		return err
	})
	return out, err
}

// walk visits the ids of the stretch's entries in their order, a page at a time.
func (p *pass) walk(ctx context.Context, visit func(ids []string) error) error {
	w := memory.StretchWalk{Hash: p.run.Hash, Stretch: p.stretch.Number, Limit: pageSize}
	for {
		ids, err := p.Memories.StretchIDs(ctx, p.run.Scope, w)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := visit(ids); err != nil {
			return err
		}
		w.Beyond = ids[len(ids)-1]
	}
}
