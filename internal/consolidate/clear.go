package consolidate

import (
	"context"
	"strings"

	"holdfast/internal/commit"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/outbox"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// clear ends the stretch in one commit: from then on its entries are gone for every
// reader (R0.49), and the next stretch may be consolidated.
func (p *pass) clear(ctx context.Context) error {
	episodes, summaries, err := p.kept(ctx)
	if err != nil {
		return err
	}
	_, err = p.Commit.Do(ctx, commit.Write{Scope: p.run.Scope, Actor: p.target.Caller.Actor,
		Plan: func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
			r, found, err := run.Read(ctx, p.Store, p.run.Scope, p.run.Hash)
			if err != nil || !found || r.Cleared >= p.stretch.Number {
				return commit.Plan{}, err
			}
			stretch, found, err := run.ReadStretch(ctx, p.Store, p.run.Scope, p.run.Hash, p.stretch.Number)
			if err != nil || !found {
				return commit.Plan{}, err
			}
			return clearPlan(r, stretch, op, episodes, summaries), nil
		}})
	if err == nil {
		p.moved = true
	}
	return err
}

func clearPlan(r run.Run, stretch run.Stretch, op commit.Operation, episodes, summaries []string) commit.Plan {
	still := run.Still(stretch.State)
	stretch.State, stretch.DoneAt, stretch.Goal, stretch.Instructions = run.Done, op.At, "", ""
	stretch.Episodes, stretch.Summaries = episodes, summaries
	r.Cleared, r.Busy, r.Summaries = stretch.Number, 0, summaries
	return commit.Plan{
		Actions: []store.Action{r.Put("run"), stretch.Put("stretch", still)},
		Entries: []ledger.Entry{{Op: ledger.Update, Family: run.Family, ItemID: r.ID, Version: stretch.Number}},
	}
}

// mostNamed bounds the episodes and summaries that a stretch of very many subjects
// names.
const mostNamed = 200

// kept lists the episodes and summaries that the stretch's groups have made.
func (p *pass) kept(ctx context.Context) (episodes, summaries []string, err error) {
	q := store.Query{PK: keys.RunPK(p.run.Scope, p.run.Hash), Prefix: keys.RunStagedPrefix(p.stretch.Number, "")}
	for {
		page, err := p.Store.Query(ctx, q)
		if err != nil {
			return nil, nil, err
		}
		for _, item := range page.Items {
			var c control
			if !strings.HasSuffix(item.Key.SK, "#"+controlPart) || len(episodes) == mostNamed {
				continue
			}
			if err := decode(item, &c); err != nil {
				return nil, nil, err
			}
			if c.Phase != extracting {
				episodes = append(episodes, c.Episode)
			}
			if c.Kept {
				summaries = append(summaries, c.Summary)
			}
		}
		if page.Cursor == "" {
			return episodes, summaries, nil
		}
		q.Cursor = page.Cursor
	}
}

// sweepBatch is how many entries are made tombstones at a time.
const sweepBatch = 50

// sweep makes tombstones of the cleared entries, removes what was staged, and ends
// the job.
func (p *pass) sweep(ctx context.Context, job outbox.Job) error {
	w := memory.StretchWalk{Hash: p.run.Hash, Stretch: p.stretch.Number, Limit: sweepBatch}
	for {
		ids, err := p.Memories.StretchIDs(ctx, p.run.Scope, w)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			break
		}
		if err := p.Memories.ForgetCleared(ctx, p.run.Scope, ids); err != nil {
			return err
		}
		p.moved = true
		w.Beyond = ids[len(ids)-1]
	}
	prefix := keys.RunStagedPrefix(p.stretch.Number, "")
	if err := p.drop(ctx, prefix, func(string) bool { return true }); err != nil {
		return err
	}
	actions := []store.Action{job.Done()}
	if p.Ended != nil {
		more, err := p.Ended(ctx, p.run.Scope)
		if err != nil {
			return err
		}
		actions = append(actions, more...)
	}
	return p.put(ctx, actions...)
}
