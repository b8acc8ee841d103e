package consolidate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"holdfast/internal/errs"
	"holdfast/internal/extract"
	"holdfast/internal/llm"
	"holdfast/internal/memory"
	"holdfast/internal/run"
)

// countOverflow counts what an answer held beyond the room for it.
const countOverflow = "overflow"

// group makes the memories of one group of entries, from the step that it has come to.
func (p *pass) group(ctx context.Context, g *group, edits int64) error {
	c, err := p.controlOf(ctx, g, edits)
	if err != nil {
		return err
	}
	if c.Phase == extracting && c.Edits != edits {
		if c, err = p.restart(ctx, g, c, edits); err != nil {
			return err
		}
	}
	for c.Phase != finished && err == nil {
		switch c.Phase {
		case extracting:
			c, err = p.episode(ctx, g, c)
		case summarizing:
			c, err = p.summary(ctx, g, c)
		default:
			c, err = p.statements(ctx, g, c)
		}
	}
	return err
}

// concluded answers what the model made of a group: staged already, or batch by batch.
func (p *pass) concluded(ctx context.Context, g *group, c control) (conclusion, error) {
	var end conclusion
	key := p.at(g, c.part(concluded))
	item, err := p.read(ctx, key, &end)
	if err != nil || item != nil {
		return end, err
	}
	if err := p.outdated(ctx, g, c); err != nil {
		return end, err
	}
	salient, err := p.batches(ctx, g, c)
	if err != nil {
		return end, err
	}
	end, tokens, err := p.conclude(ctx, g, salient)
	if err != nil {
		return end, err
	}
	if err := p.stage(ctx, key, end, tokens, c.Edits); err != nil {
		return end, err
	}
	_, err = p.read(ctx, key, &end)
	return end, err
}

// The salient sentences that a group's batches give to its conclusion, in all.
const (
	mostSalient  = 100 // as many as a model concludes from at once
	salientCites = 300
	salientBytes = 40 << 10
	longSentence = 400 // code points; longer ones are cut
)

// batches reads every batch of a group and answers the sentences for its conclusion,
// as many of each.
func (p *pass) batches(ctx context.Context, g *group, c control) ([]sentence, error) {
	share := max(1, mostSalient/max(1, len(g.batches)))
	space := room{bytes: salientBytes, cites: salientCites}
	var out []sentence
	for n, ids := range g.batches {
		b, err := p.batch(ctx, g, c, n, ids)
		if err != nil {
			return nil, err
		}
		for _, s := range b.Sentences[:min(share, len(b.Sentences))] {
			if s.Text = cut(s.Text, longSentence); space.takes(s) {
				out = append(out, s)
			}
		}
	}
	return out, nil
}

// batch answers what the model makes of a batch, asking it once.
func (p *pass) batch(ctx context.Context, g *group, c control, n int, ids []string) (batch, error) {
	var b batch
	key := p.at(g, c.part(batchPart(n)))
	item, err := p.read(ctx, key, &b)
	if err != nil || item != nil {
		return b, err
	}
	list, err := p.load(ctx, ids)
	if err != nil {
		return b, err
	}
	if err := p.affordable(ctx, p.run.Scope, p.target.Workspace); err != nil {
		return b, err
	}
	if len(list) == 0 { // deleted since the walk: the episode's commit will see it
		return b, errEdited
	}
	request := extract.Request{Goal: p.stretch.Goal, Instructions: p.stretch.Instructions, Entries: list.entries()}
	result, err := p.Extractor.Batch(ctx, request)
	if err != nil {
		return b, p.modelFailed(ctx, err, result.Tokens)
	}
	b = p.sorted(result, list)
	// Of what is left out here the statement is counted.
	if b.Sentences, err = p.admitted(ctx, g, b.Sentences); err != nil {
		return b, err
	}
	if err := p.stage(ctx, key, b, result.Tokens, c.Edits); err != nil {
		return b, err
	}
	b = batch{}
	_, err = p.read(ctx, key, &b)
	return b, err
}

// admitted leaves out the sentences whose value a person has rejected: neither episode
// nor summary brings it back (A0.5). What is rejected from here on, the commits see
// that store them.
func (p *pass) admitted(ctx context.Context, g *group, list []sentence) ([]sentence, error) {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = s.Text
	}
	rejected, err := p.Memories.Rejected(ctx, p.run.Scope, memory.Workspace, g.subject, texts)
	if err != nil {
		return nil, err
	}
	var out []sentence
	for i, s := range list {
		if !rejected[i] {
			out = append(out, s)
		}
	}
	return out, nil
}

// conclude asks for the end of a group. It answers the tokens it took.
func (p *pass) conclude(ctx context.Context, g *group, salient []sentence) (conclusion, int, error) {
	list, err := p.load(ctx, []string{g.ids[0], g.ids[len(g.ids)-1]})
	if err != nil {
		return conclusion{}, 0, err
	}
	if len(list) == 0 {
		return conclusion{}, 0, errEdited // both are gone: they were deleted meanwhile
	}
	if err := p.affordable(ctx, p.run.Scope, p.target.Workspace); err != nil {
		return conclusion{}, 0, err
	}
	end := conclusion{Salient: salient, From: list[0].Temporal.EventTime(), To: list[len(list)-1].Temporal.EventTime(),
		Counts: map[string]int64{}}
	for _, m := range list {
		end.Ends = append(end.Ends, cite{ID: m.ID, Version: m.Version, Trust: m.Trust()})
	}
	if len(salient) == 0 {
		return end, 0, nil
	}
	known, asked := map[string]cite{}, make([]extract.Sentence, len(salient))
	for i, s := range salient {
		asked[i] = s.ask()
		for _, c := range s.Cites {
			known[c.ID] = c
		}
	}
	answer, err := p.Extractor.Conclude(ctx, p.stretch.Goal, asked)
	if err != nil {
		return end, 0, p.modelFailed(ctx, err, answer.Tokens)
	}
	tally(end.Counts, answer.Counts)
	for _, said := range []struct {
		to     *[]sentence
		list   []extract.Sentence
		length int
	}{{&end.Outcome, answer.Outcome, outcomeLength}, {&end.Summary, answer.Summary, summaryLength}} {
		all := grounded(said.list, known, end.Counts, said.length)
		if *said.to, err = p.admitted(ctx, g, all); err != nil {
			return end, answer.Tokens, err
		}
		end.Counts[run.CountRejected] += int64(len(all) - len(*said.to))
	}
	return end, answer.Tokens, nil
}

// tally adds what an extraction did not keep.
func tally(counts map[string]int64, c extract.Counts) {
	counts[run.CountUngrounded] += int64(c.Ungrounded + c.Outside)
	counts[run.CountUnsafe] += int64(c.Unsafe)
	counts[run.CountNarrowed] += int64(c.Narrowed)
}

// modelFailed is a model's failure as a job's row and a caller hear of it. What it
// has cost is counted.
func (p *pass) modelFailed(ctx context.Context, err error, tokens int) error {
	if cost := p.spent(p.run.Scope, tokens); len(cost) > 0 {
		if err := p.put(context.WithoutCancel(ctx), cost...); err != nil {
			return err
		}
	}
	code := extract.CodeBroken
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, llm.ErrUnavailable):
		code = "MODEL_UNAVAILABLE"
	case errors.Is(err, llm.ErrRefused):
		code = "MODEL_REFUSED"
	}
	return errs.Wrap(errs.Unavailable, code, "The language model gave no usable answer; try again.", err)
}

// entries of a batch, in their order.
type entries []*memory.Memory

// load reads entries; those that are gone or held by now are left out.
func (p *pass) load(ctx context.Context, ids []string) (entries, error) {
	found, err := memory.Load(ctx, p.Store, p.run.Scope, slices.Compact(ids))
	return slices.DeleteFunc(found, func(m *memory.Memory) bool { return m == nil || m.Status != memory.Active }), err
}

func (list entries) entries() []extract.Entry {
	out := make([]extract.Entry, len(list))
	for i, m := range list {
		out[i] = extract.Entry{ID: m.ID, Type: string(m.Type), Speaker: m.Speaker, Text: m.Content,
			At: m.Temporal.EventTime(), Weak: m.Trust() < firm}
	}
	return out
}

// firm is the trust below which a text is a tool's or the web's (R0.40).
const firm = 0.8

// cut is a text of at most n code points.
func cut(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	runes := []rune(text)
	short := strings.TrimSpace(string(runes[:n-1]))
	return short + "…"
}
