package consolidate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"holdfast/internal/memory"
	"holdfast/internal/run"
	"holdfast/internal/screen"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

const (
	episodeLength  = 4000 // code points
	episodeSources = 1000 // entries that an episode names; it says how many there were
	edgeBatch      = 90
)

// episode extracts a group and stores its episode (R0.48), unless an entry was edited
// since it was read.
func (p *pass) episode(ctx context.Context, g *group, c control) (control, error) {
	end, err := p.concluded(ctx, g, c)
	if err != nil {
		return c, err
	}
	parts := p.episodeParts(g, end)
	d := p.derivation(g, c.Episode, memory.Episode, parts)
	d.ValidFrom, d.Rests, d.Edged = &end.From, nil, true
	d.Sources = memorySources(append(d.cited(), g.ids...), episodeSources)
	if err := p.edges(ctx, c, d.Sources); err != nil {
		return c, err
	}
	next := c
	next.Phase = summarizing
	return p.store(ctx, g, c, next, d.Derivation, func(ctx context.Context) ([]store.Action, error) {
		edits, err := run.Edits(ctx, p.Store, p.run.Scope, p.run.Hash)
		if err == nil && edits != c.Edits {
			err = errEdited
		}
		return []store.Action{p.unedited(edits)}, err
	}, end.Counts)
}

// summary stores the summary of a group.
func (p *pass) summary(ctx context.Context, g *group, c control) (control, error) {
	end, err := p.concluded(ctx, g, c)
	if err != nil {
		return c, err
	}
	list := end.Summary
	if len(list) == 0 {
		list = end.Salient[:min(len(end.Salient), 5)]
	}
	if len(list) == 0 {
		list = []sentence{end.span(len(g.ids))}
	}
	for len(list) > 1 && len(joinedIDs(list)) > mostCites {
		list = list[:len(list)-1]
	}
	d := p.derivation(g, c.Summary, memory.Summary, list)
	d.ValidFrom = &end.From
	d.Sources = append(episodeSource(c), memorySources(d.cited(), mostCites)...)
	next := c
	next.Phase = stating
	return p.store(ctx, g, c, next, d.Derivation, nil, nil)
}

// store derives a memory that moves its group to the next step. more adds to the
// commit; nil: nothing.
func (p *pass) store(ctx context.Context, g *group, c, next control, d memory.Derivation,
	more func(context.Context) ([]store.Action, error), counts map[string]int64) (control, error) {
	tries := 0
	d.Then = func(ctx context.Context, fate memory.Fate) ([]store.Action, error) {
		if tries++; tries > 1 {
			if now, err := p.controlOf(ctx, g, c.Edits); err != nil || now.rev != c.rev {
				return nil, orOvertaken(err)
			}
		}
		next.Kept = d.Type == memory.Summary && fate == memory.Kept
		action, err := p.steer(g, next)
		actions := []store.Action{action}
		if more != nil && err == nil {
			var others []store.Action
			others, err = more(ctx)
			actions = append(actions, others...)
		}
		if counted, any := p.count(plus(counts, countOf(d.Type, fate))); any {
			actions = append(actions, counted)
		}
		return actions, err
	}
	if _, err := p.Memories.Derive(ctx, p.target, d); err != nil {
		return c, err
	}
	p.moved = true
	next.rev++
	return next, nil
}

func orOvertaken(err error) error {
	if err == nil {
		return errOvertaken
	}
	return err
}

// derivation is what the service makes of a group, with what its parts rest on.
func (p *pass) derivation(g *group, id string, kind memory.Type, list []sentence) made {
	d := made{Derivation: memory.Derivation{ID: id, Type: kind, RunID: g.runID, Subject: g.subject,
		Ceiling: 1, Rests: map[string]int64{}}}
	for _, s := range list {
		d.Parts = append(d.Parts, memory.Part{Text: s.Text, Cites: s.ids()})
		for _, c := range s.Cites {
			d.Rests[c.ID] = c.Version
			d.Ceiling = min(d.Ceiling, c.Trust)
		}
	}
	return d
}

// made is a derivation with what its parts cite.
type made struct{ memory.Derivation }

func (d made) cited() []string {
	var out []string
	for _, part := range d.Parts {
		out = append(out, part.Cites...)
	}
	return out
}

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

// episodeParts are goal, outcome, time range and what was said, as far as there is
// room.
func (p *pass) episodeParts(g *group, end conclusion) []sentence {
	var out []sentence
	if goal := strings.Join(strings.Fields(p.stretch.Goal), " "); goal != "" && len(screen.Check(goal).Reasons) == 0 {
		out = append(out, sentence{Text: memory.GoalLabel + goal})
	}
	for _, s := range end.Outcome {
		out = append(out, sentence{Text: memory.OutcomeLabel + s.Text, Cites: s.Cites})
	}
	out = append(out, end.span(len(g.ids)))
	left := episodeLength
	for _, s := range out {
		left -= utf8.RuneCountInString(s.Text) + 1
	}
	for _, s := range end.Salient {
		if n := utf8.RuneCountInString(s.Text) + 1; n <= left {
			left -= n
			out = append(out, s)
		}
	}
	return out
}

// span says how much was said, and when.
func (end conclusion) span(entries int) sentence {
	from, to := end.From.UTC().Format(time.RFC3339), end.To.UTC().Format(time.RFC3339)
	return sentence{Text: fmt.Sprintf("%d entries from %s to %s.", entries, from, to), Cites: end.Ends}
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

const (
	markName = "M"
	attrFate = "f"
)

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
