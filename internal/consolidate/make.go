package consolidate

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"holdfast/internal/memory"
	"holdfast/internal/run"
	"holdfast/internal/screen"
	"holdfast/internal/store"
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

const (
	markName = "M"
	attrFate = "f"
)
