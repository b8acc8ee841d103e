package erase

import (
	"context"
	"fmt"
	"slices"
	"time"

	"holdfast/internal/erasure"
	"holdfast/internal/memory"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Look says after what an erased item is looked for again (T.26).
type Look string

// The looks.
const (
	Consolidation Look = "consolidation" // of a run of the workspace
	Reindex       Look = "reindex"       // the index was made anew
)

// canary is the row of an erased item that is to be looked for again: ids and keys.
type canary struct {
	scope tenant.Scope
	id    string
	at    time.Time // of the erasure, or of the last time that something was found
	waits []Look    // those that are to come
	rows  []store.Key
	rev   int64 // of the row
}

// canaryTime is how long a canary is kept at most.
const canaryTime = 30 * 24 * time.Hour

const (
	attrWaits = "w." // and a look: it is to come
	attrAt    = "at" // milliseconds
	attrRows  = "rows"
	attrRev   = "r"
)

// watch is the canary of an erasure that is complete.
func (x *memoryCopies) watch(at time.Time) canary {
	return canary{scope: x.scope, id: x.stone.ID, at: at, waits: []Look{Consolidation, Reindex}, rows: x.rows, rev: at.UnixMilli()}
}

// put writes the row over the revision that cond names; nil: over any.
func (c canary) put(label string, cond *store.Cond) store.Action {
	attrs := store.Attrs{attrAt: store.N(c.at.UnixMilli()), attrRev: store.N(c.rev + 1), attrRows: erasure.EncodeKeys(c.rows)}
	for _, look := range c.waits {
		attrs[attrWaits+string(look)] = store.T(true)
	}
	return store.PutItem(label, store.Item{Key: keys.Canary(c.scope, c.id), Attrs: attrs, Expires: c.at.Add(canaryTime)}, cond)
}

func decodeCanary(item store.Item) canary {
	scope, id, _ := keys.CanaryOf(item.Key)
	c := canary{scope: scope, id: id, at: time.UnixMilli(item.Attrs.Int(attrAt)).UTC(),
		rows: erasure.DecodeKeys(item.Attrs[attrRows]), rev: item.Attrs.Int(attrRev)}
	for _, look := range []Look{Consolidation, Reindex} {
		if Waits(item, look) {
			c.waits = append(c.waits, look)
		}
	}
	return c
}

// Waits tells whether a canary's row waits for a look.
func Waits(item store.Item, look Look) bool { return item.Attrs.Bool(attrWaits + string(look)) }

// without is the canary after a look.
func (c canary) without(look Look) canary {
	c.waits = slices.DeleteFunc(slices.Clone(c.waits), func(l Look) bool { return l == look })
	return c
}

// found is how many copies were found in a place.
type found struct {
	place string
	n     int
}

func (f found) String() string { return fmt.Sprintf("%s %d", f.place, f.n) }

// search looks for an erased memory in every place that may hold a copy of it, and
// answers those that do. One that is there again as a memory is found as that.
func (e *Eraser) search(ctx context.Context, scope tenant.Scope, id string, rows []store.Key) ([]found, error) {
	stone, err := memory.Head(ctx, e.Store, scope, id)
	if err != nil || stone == nil {
		return nil, err
	}
	if !stone.IsDeleted() {
		return []found{{"head", 1}}, nil
	}
	parts, err := memory.LoadParts(ctx, e.Store, scope, id)
	if err != nil {
		return nil, err
	}
	elsewhere, err := there(ctx, e.Store, memory.CitedEdges(scope, stone))
	if err != nil {
		return nil, err
	}
	named, err := e.naming(ctx, scope, stone, rows)
	if err != nil {
		return nil, err
	}
	staged := 0
	if hash := stagedRun(stone); hash != "" {
		if staged, err = e.Staged.Citing(ctx, scope, hash, id); err != nil {
			return nil, err
		}
	}
	documents, err := e.documents(ctx, scope, stone)
	all := []found{{"versions", len(parts.Versions)}, {"vectors", len(parts.Vectors)}, {"edges", len(parts.Edges) + len(elsewhere)},
		{"suggestions", len(parts.Suggested)}, {"rows", len(named)}, {"staged", staged}, {"index", documents}}
	return slices.DeleteFunc(all, func(f found) bool { return f.n == 0 }), err
}

// documents counts those of all texts, in every partition that they can be in.
func (e *Eraser) documents(ctx context.Context, scope tenant.Scope, stone *memory.Memory) (int, error) {
	n := 0
	look := func(at tenant.Scope, id string) error {
		has, err := e.Index.Has(ctx, at, id)
		if has {
			n++
		}
		return err
	}
	for _, at := range []tenant.Scope{scope, scope.Own()} {
		if err := look(at, stone.ID); err != nil {
			return n, err
		}
		for _, id := range stone.PastIDs() {
			if err := look(at.Past(), id); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// there are those of the keys that have a row, each once.
func there(ctx context.Context, s store.Store, list []store.Key) ([]store.Item, error) {
	var out []store.Item
	for some := range slices.Chunk(distinct(list), store.MaxGetMany) {
		items, err := s.GetMany(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			if item != nil {
				out = append(out, *item)
			}
		}
	}
	return out, nil
}

func distinct(list []store.Key) []store.Key {
	var out []store.Key
	for _, key := range list {
		if !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// naming are the actions that remove what lists the erased, and take it out of the
// look-up rows that name it.
func (e *Eraser) naming(ctx context.Context, scope tenant.Scope, stone *memory.Memory, rows []store.Key) ([]store.Action, error) {
	var out []store.Action
	listed, err := there(ctx, e.Store, memory.Traces(scope, stone))
	if err != nil {
		return nil, err
	}
	for _, item := range listed {
		out = append(out, store.DeleteItem("trace", item.Key, nil))
	}
	lookUps, err := there(ctx, e.Store, rows)
	if err != nil {
		return nil, err
	}
	for _, item := range lookUps {
		action, named, err := memory.Unname(item, stone.ID, e.IDs.New())
		if err != nil {
			return nil, err
		}
		if named {
			out = append(out, action)
		}
	}
	return out, nil
}

// canaryStep is the step that counts what listed or named the erased, and what came back
// after it was erased.
const canaryStep = "canary"

// named removes what lists or names the erased. At a first erasure that is nothing: the
// deletion took it along.
func (x *memoryCopies) named(ctx context.Context, row store.Key) (int, error) {
	actions, err := x.naming(ctx, x.scope, x.stone, x.rows)
	if err != nil {
		return 0, err
	}
	for _, action := range actions {
		if err := x.put(ctx, action, counted(row, 1)); err != nil {
			return 0, err
		}
	}
	return 0, nil
}
