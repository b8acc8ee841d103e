package consolidate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"holdfast/internal/memory"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// cite is a span of an entry, and how the entry stood when it was read.
type cite struct {
	ID      string  `json:"id"`
	Version int64   `json:"version"`
	Trust   float64 `json:"trust"`
	Start   int     `json:"start"`
	End     int     `json:"end"`
}

// sentence is a sentence with what it rests on.
type sentence struct {
	Text  string `json:"text"`
	Cites []cite `json:"cites"`
}

// statement is a memory to be made.
type statement struct {
	sentence
	ID        string            `json:"id"`
	Type      memory.Type       `json:"type"`
	Speaker   string            `json:"speaker,omitempty"`
	ValidFrom *time.Time        `json:"validFrom,omitempty"`
	Tags      map[string]string `json:"tags,omitempty"`
}

// batch is what the model made of a batch of entries.
type batch struct {
	Statements []statement      `json:"statements"`
	Sentences  []sentence       `json:"sentences"` // for the episode
	Counts     map[string]int64 `json:"counts"`
}

// conclusion is what the model made of all batches of a group.
type conclusion struct {
	Outcome []sentence       `json:"outcome"`
	Summary []sentence       `json:"summary"`
	Salient []sentence       `json:"salient"` // what the batches found
	From    time.Time        `json:"from"`    // of the first entry
	To      time.Time        `json:"to"`      // of the last
	Ends    []cite           `json:"ends"`    // these two entries
	Counts  map[string]int64 `json:"counts"`
}

// phase is the step that a group of entries has come to.
type phase string

const (
	extracting  phase = "extracting"
	summarizing phase = "summarizing" // the episode is stored
	stating     phase = "stating"     // the summary is stored
	finished    phase = "finished"
)

// control is the row of a group.
type control struct {
	Phase   phase  `json:"phase"`
	Episode string `json:"episode"` // ids that are to be made
	Summary string `json:"summary"`
	Kept    bool   `json:"kept"`  // the summary was
	Edits   int64  `json:"edits"` // of the run, when the entries were read
	Epoch   int    `json:"epoch"` // grows when they are read again

	rev int64 // of the row; 0: there is none
}

const (
	attrDoc     = "d"
	attrRev     = "r" // control
	controlPart = "A"
	concluded   = "Z"
)

// at is the key of a staged row.
func (p *pass) at(g *group, part string) store.Key {
	return keys.RunStaged(p.run.Scope, p.run.Hash, p.stretch.Number, g.key, part)
}

// part names a staged row of an epoch, so that what an older one left is not taken
// for it; an empty name begins all of the epoch's.
func (c control) part(name string) string { return fmt.Sprintf("E%04d#%s", c.Epoch, name) }

const batchName = "B"

func batchPart(n int) string { return batchName + keys.Number(int64(n)) }

// read fills doc from a staged row and answers the row; nil when there is none.
func (p *pass) read(ctx context.Context, key store.Key, doc any) (*store.Item, error) {
	item, found, err := p.Store.Get(ctx, key)
	if err != nil || !found {
		return nil, err
	}
	return &item, decode(item, doc)
}

func decode(item store.Item, doc any) error {
	if err := json.Unmarshal(item.Attrs.Bytes(attrDoc), doc); err != nil {
		return fmt.Errorf("consolidate: staged row: %w", err)
	}
	return nil
}

func staged(key store.Key, doc any, more store.Attrs) (store.Item, error) {
	raw, err := json.Marshal(doc)
	if err != nil {
		return store.Item{}, fmt.Errorf("consolidate: stage: %w", err)
	}
	item := store.Item{Key: key, Attrs: store.Attrs{attrDoc: store.B(raw)}}
	for name, value := range more {
		item.Attrs[name] = value
	}
	return item, nil
}

// stage writes a row that is made once, with what the model has cost. Somebody else's
// is as good: the caller reads it. It is of entries as they were at a count of edits:
// after another one nothing is staged, for an entry that was deleted may be erased by
// now, and its text must not come back.
func (p *pass) stage(ctx context.Context, key store.Key, doc any, tokens int, edits int64) error {
	item, err := staged(key, doc, nil)
	if err != nil {
		return err
	}
	cost := p.spent(p.run.Scope, tokens)
	err = p.put(ctx, append(cost, store.PutItem("staged", item, store.IfAbsent()), p.unedited(edits))...)
	switch {
	case err == nil:
		p.moved = true
	case store.Failed(err, unedited):
		if len(cost) > 0 {
			if err := p.put(ctx, cost...); err != nil {
				return err
			}
		}
		return errEdited
	}
	return ignore(err, "staged")
}

// unedited is the label of the check that no entry was edited or deleted since a count.
const unedited = "edits"

func (p *pass) unedited(edits int64) store.Action {
	return run.Unedited(unedited, p.run.Scope, p.run.Hash, edits)
}

// controlOf reads a group's row, or begins the group.
func (p *pass) controlOf(ctx context.Context, g *group, edits int64) (control, error) {
	for {
		var c control
		item, err := p.read(ctx, p.at(g, controlPart), &c)
		if err != nil {
			return control{}, err
		}
		if item != nil {
			c.rev = item.Attrs.Int(attrRev)
			return c, nil
		}
		c = control{Phase: extracting, Episode: p.IDs.New(), Summary: p.IDs.New(), Edits: edits}
		action, err := p.steer(g, c)
		if err != nil {
			return control{}, err
		}
		if err := ignore(p.put(ctx, action), controlPart); err != nil {
			return control{}, err
		}
	}
}

// steer is the action that moves a group's row on from the revision that was read.
func (p *pass) steer(g *group, c control) (store.Action, error) {
	item, err := staged(p.at(g, controlPart), c, store.Attrs{attrRev: store.N(c.rev + 1)})
	cond := store.IfAbsent()
	if c.rev > 0 {
		cond = store.IfEqual(attrRev, store.N(c.rev))
	}
	return store.PutItem(controlPart, item, cond), err
}

// errOvertaken ends a try whose step somebody else has made: the lease was lost.
var errOvertaken = errors.New("consolidate: another worker is at this stretch")

// restart begins a group's extraction again: what was staged is of entries that were
// edited since.
func (p *pass) restart(ctx context.Context, g *group, c control, edits int64) (control, error) {
	c.Epoch, c.Edits = c.Epoch+1, edits
	action, err := p.steer(g, c)
	if err != nil {
		return c, err
	}
	redone, _ := p.count(map[string]int64{run.CountRedone: 1})
	err = p.put(ctx, action, redone)
	if store.Failed(err, controlPart) {
		return c, errOvertaken
	}
	c.rev++
	return c, err
}

// outdated removes what older epochs of a group have staged.
func (p *pass) outdated(ctx context.Context, g *group, c control) error {
	if c.Epoch == 0 {
		return nil
	}
	prefix := keys.RunStagedPrefix(p.stretch.Number, g.key)
	return p.drop(ctx, prefix, func(sk string) bool {
		return sk != prefix+controlPart && !strings.HasPrefix(sk, prefix+c.part(""))
	})
}

// dropped is how many staged rows go in one commit.
const dropped = 90

// drop removes the staged rows below a prefix that are not wanted any more.
func (p *pass) drop(ctx context.Context, prefix string, unwanted func(sk string) bool) error {
	q := store.Query{PK: keys.RunPK(p.run.Scope, p.run.Hash), Prefix: prefix, Limit: dropped}
	for {
		page, err := p.Store.Query(ctx, q)
		if err != nil {
			return err
		}
		var actions []store.Action
		for _, item := range page.Items {
			if unwanted(item.Key.SK) {
				actions = append(actions, store.DeleteItem("staged", item.Key, nil))
			}
		}
		if len(actions) > 0 {
			if err := p.put(ctx, actions...); err != nil {
				return err
			}
		}
		if page.Cursor == "" {
			return nil
		}
		q.Cursor = page.Cursor
	}
}

// count is the action that adds to the stretch's counts.
func (p *pass) count(counts map[string]int64) (store.Action, bool) {
	return run.Count("count", p.run.Scope, p.run.Hash, p.stretch.Number, counts)
}
