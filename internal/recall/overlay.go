package recall

import (
	"context"
	"slices"

	"holdfast/internal/embed"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/tenant"
)

// overlayRows bounds how many log rows a retrieve lays over a lagging index.
const overlayRows = 200

// lag finds what the index has not reached (A0.3): the items of the newer log rows,
// which it is asked to leave out of its hits and numbers. Beyond the bound the newest
// rows win and the arm says that it is degraded.
func (p *pass) lag(ctx context.Context) error {
	p.arms["overlay"] = Arm{Name: "overlay", State: Skipped, Reason: "the index has reached the log"}
	if p.cursor >= p.head.Recall {
		return nil
	}
	p.arms["overlay"] = Arm{Name: "overlay", State: Ran}
	var whole bool
	var err error
	if p.changed, whole, err = p.beyond(ctx); err != nil {
		return err
	}
	if !whole {
		p.arms["overlay"] = Arm{Name: "overlay", State: Degraded,
			Reason: "the index is further behind than a retrieve can make up for"}
	}
	return nil
}

// overlay reads what the index has not reached from the table and scores it here,
// with the index's own statistics.
func (p *pass) overlay(ctx context.Context) error {
	if len(p.changed) == 0 {
		return nil
	}
	p.found = slices.DeleteFunc(p.found, func(c candidate) bool {
		return slices.Contains(p.changed, c.id)
	})
	memories, err := memory.Load(ctx, p.Store, p.req.Scope, p.changed)
	if err != nil {
		return err
	}
	views, err := p.asSeen(ctx, p.req.Scope, memories)
	if err != nil {
		return err
	}
	views = slices.DeleteFunc(views, func(v memory.View) bool { return v.Memory == nil })
	scored, err := p.score(ctx, p.req.Scope, views)
	if err != nil {
		return err
	}
	for i, c := range scored {
		if p.query != nil && !c.hasVec && p.shows(views[i]) {
			p.unembedded++
		}
		if c.matches() {
			p.found = append(p.found, c)
		}
	}
	return nil
}

// beyond lists the items of the rows beyond the cursor, each once; whole is
// false when there are more rows than the bound.
func (p *pass) beyond(ctx context.Context) (ids []string, whole bool, err error) {
	rows, err := ledger.Log{Store: p.Store}.RowsBefore(ctx, p.req.Scope, p.head.Recall, overlayRows)
	if err != nil {
		return nil, false, err
	}
	seen := map[string]bool{}
	for _, row := range rows { // newest first
		if row.Sequence <= p.cursor {
			return ids, true, nil
		}
		if e := row.Entry; e.Recall && e.Family == memory.Family && !seen[e.ItemID] {
			seen[e.ItemID] = true
			ids = append(ids, e.ItemID)
		}
	}
	return ids, len(rows) < overlayRows || rows[len(rows)-1].Sequence <= p.cursor+1, nil
}

// score makes candidates of what the request sees of memories of a workspace, in their
// order, as the index would have.
func (p *pass) score(ctx context.Context, scope tenant.Scope, views []memory.View) ([]candidate, error) {
	vectors, err := p.vectors(ctx, scope, views)
	if err != nil {
		return nil, err
	}
	passages, err := p.passages(ctx, scope, views)
	if err != nil {
		return nil, err
	}
	out := make([]candidate, len(views))
	for i, v := range views {
		c := candidate{scope: scope, id: v.ID, version: v.Version, memory: v.Memory, past: v.Past, fresh: true}
		if p.req.Mode.lexical() {
			c.lexical = passages[i].Score(p.terms(), p.stats)
		}
		if len(vectors[i]) > 0 {
			c.cosine, c.hasVec = embed.Cosine(p.query, vectors[i]), true
		}
		out[i] = c
	}
	return out, nil
}

// vectors are those of the texts that the request sees, in the order of the views;
// empty where there is none, or none is asked for.
func (p *pass) vectors(ctx context.Context, scope tenant.Scope, views []memory.View) ([][]float32, error) {
	out := make([][]float32, len(views))
	if p.query == nil {
		return out, nil
	}
	ids := make([]string, len(views))
	for i, v := range views {
		ids[i] = v.ID
	}
	profile := p.Embedder.Profile().Name()
	current, err := memory.LoadVectors(ctx, p.Store, scope, ids, profile)
	if err != nil {
		return nil, err
	}
	var earlier []memory.TextID
	var at []int
	for i, v := range views {
		switch {
		case current[i].Version == v.Version:
			out[i] = current[i].Values
		case p.req.AsOf != nil:
			earlier, at = append(earlier, memory.TextID{ID: v.ID, Version: v.Version}), append(at, i)
		}
	}
	if len(earlier) == 0 {
		return out, nil
	}
	texts, err := memory.LoadEarlier(ctx, p.Store, scope, earlier, profile)
	if err != nil {
		return nil, err
	}
	for j, text := range texts {
		if text != nil {
			out[at[j]] = text.Vector
		}
	}
	return out, nil
}
