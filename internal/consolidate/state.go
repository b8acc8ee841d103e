package consolidate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"holdfast/internal/memory"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// statements stores what the batches of a group have given, one by one, and ends the
// group.
func (p *pass) statements(ctx context.Context, g *group, c control) (control, error) {
	prefix := keys.RunStagedPrefix(p.stretch.Number, g.key) + c.part(batchName)
	for {
		page, err := p.Store.Query(ctx, store.Query{PK: keys.RunPK(p.run.Scope, p.run.Hash), Prefix: prefix, Limit: 1})
		if err != nil {
			return c, err
		}
		if len(page.Items) == 0 {
			return p.finished(ctx, g, c)
		}
		if err := p.stateAll(ctx, g, c, page.Items[0].Key); err != nil {
			return c, err
		}
	}
}

// finished ends a group: its conclusion goes.
func (p *pass) finished(ctx context.Context, g *group, c control) (control, error) {
	c.Phase = finished
	action, err := p.steer(g, c)
	if err != nil {
		return c, err
	}
	err = p.put(ctx, action, store.DeleteItem("conclusion", p.at(g, c.part(concluded)), nil))
	if store.Failed(err, controlPart) {
		err = errOvertaken
	}
	c.rev++
	return c, err
}

// stateChunk is how many statements are stored at a time.
const stateChunk = 50

// stateAll stores the statements of one batch that are not stored yet, and ends the
// batch. What became of each is a row of its own until then, so that many go in one
// transaction.
func (p *pass) stateAll(ctx context.Context, g *group, c control, row store.Key) error {
	var b batch
	item, err := p.read(ctx, row, &b)
	if err != nil || item == nil {
		return orOvertaken(err)
	}
	marks := c.part(markName + strings.TrimPrefix(row.SK, keys.RunStagedPrefix(p.stretch.Number, g.key)+c.part(batchName)))
	fates, err := p.fates(ctx, g, marks)
	if err != nil {
		return err
	}
	var list []memory.Derivation
	for n, s := range b.Statements {
		if _, stored := fates[n]; !stored && len(s.Cites) > 0 { // none: emptied by an erasure
			list = append(list, p.state(g, c, s, p.at(g, marks+"#"+keys.Number(int64(n)))))
		}
	}
	for some := range slices.Chunk(list, stateChunk) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, failures := p.Memories.DeriveMany(ctx, p.target, some); errors.Join(failures...) != nil {
			return firstOf(failures)
		}
		p.moved = true
	}
	return p.stated(ctx, g, c, row, b, marks)
}

// fates answers what became of the statements of a batch that were stored.
func (p *pass) fates(ctx context.Context, g *group, marks string) (map[int]memory.Fate, error) {
	prefix := keys.RunStagedPrefix(p.stretch.Number, g.key) + marks + "#"
	q := store.Query{PK: keys.RunPK(p.run.Scope, p.run.Hash), Prefix: prefix}
	out := map[int]memory.Fate{}
	for {
		page, err := p.Store.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			n, err := strconv.Atoi(strings.TrimPrefix(item.Key.SK, prefix))
			if err != nil {
				return nil, fmt.Errorf("consolidate: mark: %w", err)
			}
			out[n] = memory.Fate(item.Attrs.Text(attrFate))
		}
		if page.Cursor == "" {
			return out, nil
		}
		q.Cursor = page.Cursor
	}
}

// state is one statement as it is stored; mark is the row that says so.
func (p *pass) state(g *group, c control, s statement, mark store.Key) memory.Derivation {
	d := p.derivation(g, s.ID, s.Type, []sentence{s.sentence})
	d.Speaker, d.ValidFrom, d.Tags, d.Sources = s.Speaker, s.ValidFrom, s.Tags, episodeSource(c)
	for _, cite := range s.Cites {
		d.Sources = append(d.Sources, memory.Source{Kind: memory.MemorySource, ID: cite.ID, Start: &cite.Start, End: &cite.End})
	}
	tries := 0
	d.Then = func(ctx context.Context, fate memory.Fate) ([]store.Action, error) {
		if tries++; tries > 1 {
			if _, found, err := p.Store.Get(ctx, mark); err != nil || found {
				return nil, orOvertaken(err)
			}
		}
		item := store.Item{Key: mark, Attrs: store.Attrs{attrFate: store.S(string(fate))}}
		return []store.Action{store.PutItem("mark", item, store.IfAbsent())}, nil
	}
	return d.Derivation
}

// stated ends a batch: what became of it is counted, and its rows go.
func (p *pass) stated(ctx context.Context, g *group, c control, row store.Key, b batch, marks string) error {
	fates, err := p.fates(ctx, g, marks)
	if err != nil {
		return err
	}
	if err := p.suggest(ctx, c, b, fates); err != nil {
		return err
	}
	counts := b.Counts
	for n, fate := range fates {
		counts = plus(counts, countOf(b.Statements[n].Type, fate))
	}
	actions := []store.Action{store.DeleteItem("staged", row, store.IfExists())}
	if counted, any := p.count(counts); any {
		actions = append(actions, counted)
	}
	if err := p.put(ctx, actions...); err != nil {
		if store.Failed(err, "staged") {
			return errOvertaken
		}
		return err
	}
	prefix := keys.RunStagedPrefix(p.stretch.Number, g.key) + marks + "#"
	return p.drop(ctx, prefix, func(string) bool { return true })
}

func firstOf(failures []error) error {
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}

// countOf counts what became of a derivation.
func countOf(kind memory.Type, fate memory.Fate) map[string]int64 {
	name := map[memory.Fate]string{
		memory.Kept: run.CountKept + string(kind), memory.Known: run.CountMerged, memory.Refused: run.CountRejected,
		memory.Withheld: run.CountHeld, memory.Baseless: run.CountUngrounded,
	}[fate]
	return map[string]int64{name: 1}
}

// plus adds counts.
func plus(a, b map[string]int64) map[string]int64 {
	out := map[string]int64{}
	for _, counts := range []map[string]int64{a, b} {
		for name, n := range counts {
			out[name] += n
		}
	}
	return out
}
