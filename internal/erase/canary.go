package erase

import (
	"context"
	"fmt"
	"slices"
	"time"

	"holdfast/internal/erasure"
	"holdfast/internal/fact"
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
	args  map[string]string // of a job that erases it, but for a memory's, which has none
	rev   int64             // of the row
}

// canaryTime is how long a canary is kept at most.
const canaryTime = 30 * 24 * time.Hour

const (
	attrWaits = "w." // and a look: it is to come
	attrAt    = "at" // milliseconds
	attrArgs  = "a." // and an argument: its value
	attrRows  = "rows"
	attrRev   = "r"
)

// kept are the arguments of a job that its canary keeps: what tells where to look.
var kept = []string{erasure.ArgFamily, fact.ArgList, fact.ArgSpace, fact.ArgWhole, fact.ArgVersion}

// watch is the action that leaves the canary of an erasure that is complete.
func (x *erasing) watch(at time.Time) store.Action {
	c := canary{scope: x.scope, id: x.job.ItemID, at: at, waits: []Look{Consolidation, Reindex}, rows: x.rows,
		args: map[string]string{}, rev: at.UnixMilli()}
	for _, name := range kept {
		if value := x.job.Args[name]; value != "" {
			c.args[name] = value
		}
	}
	return c.put("canary", nil)
}

// put writes the row over the revision that cond names; nil: over any.
func (c canary) put(label string, cond *store.Cond) store.Action {
	attrs := store.Attrs{attrAt: store.N(c.at.UnixMilli()), attrRev: store.N(c.rev + 1), attrRows: erasure.EncodeKeys(c.rows)}
	for _, look := range c.waits {
		attrs[attrWaits+string(look)] = store.T(true)
	}
	for name, value := range c.args {
		attrs[attrArgs+name] = store.S(value)
	}
	return store.PutItem(label, store.Item{Key: keys.Canary(c.scope, c.id), Attrs: attrs, Expires: c.at.Add(canaryTime)}, cond)
}

func decodeCanary(item store.Item) canary {
	scope, id, _ := keys.CanaryOf(item.Key)
	c := canary{scope: scope, id: id, at: time.UnixMilli(item.Attrs.Int(attrAt)).UTC(),
		rows: erasure.DecodeKeys(item.Attrs[attrRows]), args: map[string]string{}, rev: item.Attrs.Int(attrRev)}
	for _, look := range []Look{Consolidation, Reindex} {
		if Waits(item, look) {
			c.waits = append(c.waits, look)
		}
	}
	for _, name := range kept {
		if value := item.Attrs.Text(attrArgs + name); value != "" {
			c.args[name] = value
		}
	}
	return c
}

// perWeight is how many facts are looked for with as many calls as one memory.
const perWeight = 6

// weight is how many single items cost as much as to look for this one.
func (c canary) weight() int {
	if c.args[fact.ArgList] == "" {
		return 1
	}
	return 1 + len(c.rows)/perWeight
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

// nonzero are the places where something was found.
func nonzero(all ...found) []found {
	return slices.DeleteFunc(all, func(f found) bool { return f.n == 0 })
}

// find looks for an erased item in every place that may hold a copy of it, and answers
// those that do.
func (e *Eraser) find(ctx context.Context, c canary) ([]found, error) {
	if c.args[erasure.ArgFamily] == fact.Family {
		return e.searchFacts(ctx, c)
	}
	return e.searchMemory(ctx, c.scope, c.id, c.rows)
}
