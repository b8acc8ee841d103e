package consolidate

import (
	"context"
	"slices"
	"strings"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Staged is what consolidations have in hand of a run: texts that a model made of its
// entries, as long as a consolidation is on its way, or dead. An erasure of one of the
// entries takes its share out; the consolidation goes on with the rest.
type Staged struct{ Store store.Store }

// Citing answers how many staged rows of a run rest on an entry.
func (s Staged) Citing(ctx context.Context, scope tenant.Scope, runHash, id string) (int, error) {
	n := 0
	err := s.walk(ctx, scope, runHash, func(item store.Item) error {
		_, cites, err := withoutEntry(item, id)
		if cites {
			n++
		}
		return err
	})
	return n, err
}

// Drop takes what rests on an entry out of the staged rows of a run, a commit a row;
// each has the actions of with beside it.
func (s Staged) Drop(ctx context.Context, scope tenant.Scope, runHash, id string, with ...store.Action) error {
	return s.walk(ctx, scope, runHash, func(item store.Item) error {
		next, cites, err := withoutEntry(item, id)
		if err != nil || !cites {
			return err
		}
		return s.Store.Commit(ctx, store.Tx{Actions: append(slices.Clone(with),
			store.PutItem("staged", next, store.IfEqual(attrDoc, item.Attrs[attrDoc])))})
	})
}

// walk visits the staged rows of a run that hold texts, of all its stretches: a
// consolidation that is over has none.
func (s Staged) walk(ctx context.Context, scope tenant.Scope, runHash string, visit func(store.Item) error) error {
	q := store.Query{PK: keys.RunPK(scope, runHash), Prefix: keys.StagedPrefix}
	for {
		page, err := s.Store.Query(ctx, q)
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			if err := visit(item); err != nil {
				return err
			}
		}
		if page.Cursor == "" {
			return nil
		}
		q.Cursor = page.Cursor
	}
}

// withoutEntry is a staged row without what rests on an entry; cites false: nothing
// does.
func withoutEntry(item store.Item, id string) (next store.Item, cites bool, err error) {
	part := item.Key.SK[strings.LastIndex(item.Key.SK, "#")+1:]
	var doc interface{ without(id string) bool }
	switch {
	case strings.HasPrefix(part, batchName) && item.Attrs.Bytes(attrDoc) != nil:
		doc = &batch{}
	case part == concluded:
		doc = &conclusion{}
	default:
		return item, false, nil // a control row or a mark: ids only
	}
	if err := decode(item, doc); err != nil || !doc.without(id) {
		return item, false, err
	}
	next, err = staged(item.Key, doc, nil)
	return next, true, err
}

// without empties the statements that rest on an entry. They keep their places, by
// which it is noted what became of them; one that rests on nothing is not stored.
func (b *batch) without(id string) bool {
	cited := false
	for i, s := range b.Statements {
		if s.rests(id) {
			b.Statements[i], cited = statement{ID: s.ID, Type: s.Type}, true
		}
	}
	return without(&b.Sentences, id) || cited
}

func (end *conclusion) without(id string) bool {
	cited := false
	for _, list := range []*[]sentence{&end.Outcome, &end.Summary, &end.Salient} {
		cited = without(list, id) || cited
	}
	return cited
}

// without leaves out the sentences that rest on an entry.
func without(list *[]sentence, id string) bool {
	before := len(*list)
	*list = slices.DeleteFunc(*list, func(s sentence) bool { return s.rests(id) })
	return len(*list) < before
}

func (s sentence) rests(id string) bool {
	return slices.ContainsFunc(s.Cites, func(c cite) bool { return c.ID == id })
}
