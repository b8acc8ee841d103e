package webhook

import (
	"context"
	"strings"

	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// consumer is the name of the cursor.
const consumer = "webhooks"

// The sizes of the consumer's steps.
const (
	logPage    = 500 // rows that are read at a time
	mostMade   = 60  // actions that make deliveries, in one commit
	lazyCursor = 100 // rows that nobody wants before the cursor is moved past them
	tidied     = 50  // expired deliveries that are removed at a time
)

func cursor(ctx context.Context, s store.Store, scope tenant.Scope) (int64, error) {
	item, _, err := s.Get(ctx, keys.Cursor(scope, consumer))
	return item.Attrs.Int(attrSeq), err
}

// consuming is one pass over the log beyond the cursor.
type consuming struct {
	*Worker
	scope tenant.Scope
	hooks []Webhook

	stored int64           // the cursor as its row says
	at     int64           // the row that was read last
	made   []store.Action  // deliveries of rows up to at, not committed yet
	of     map[string]bool // webhooks of made
	fresh  map[string]bool // webhooks that have new deliveries
}

// patience is how often a pass is begun anew since a webhook was deleted meanwhile.
const patience = 3

// consume makes the deliveries of the rows beyond the cursor, of which none up to since
// is wanted, and answers the webhooks that have new ones. When another worker moves the
// cursor meanwhile it leaves the rest to that one.
func (w *Worker) consume(ctx context.Context, scope tenant.Scope, since int64) (map[string]bool, error) {
	c := &consuming{Worker: w, scope: scope, fresh: map[string]bool{}}
	for try := 0; ; try++ {
		err := c.run(ctx, since)
		if store.Failed(err, "hook") && try < patience {
			continue
		}
		if err != nil && !store.Failed(err, "cursor") {
			return nil, err
		}
		return c.fresh, w.tidy(ctx, scope, c.fresh)
	}
}

// earliest is the row beyond which somebody wants to be told.
func earliest(hooks []Webhook) int64 {
	least := hooks[0].Since
	for _, w := range hooks {
		least = min(least, w.Since)
	}
	return least
}

func (c *consuming) run(ctx context.Context, since int64) (err error) {
	c.made, c.of = nil, map[string]bool{}
	if c.stored, err = cursor(ctx, c.Store, c.scope); err != nil {
		return err
	}
	c.at = max(c.stored, since)
	for {
		rows, err := c.page(ctx)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := c.row(ctx, row); err != nil {
				return err
			}
		}
		if len(rows) == logPage {
			continue
		}
		if len(c.made) > 0 || c.at-c.stored >= lazyCursor {
			return c.commit(ctx)
		}
		return nil
	}
}

// page reads rows, and only then the webhooks: one that was made before a row was
// written is seen with it.
func (c *consuming) page(ctx context.Context) ([]ledger.Row, error) {
	rows, err := ledger.Log{Store: c.Store}.Rows(ctx, c.scope, c.at+1, logPage)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	c.hooks, err = all(ctx, c.Store, c.scope)
	return rows, err
}

// row adds the deliveries of one row, which all go into one commit.
func (c *consuming) row(ctx context.Context, row ledger.Row) error {
	var actions []store.Action
	var of []string
	for _, hook := range c.hooks {
		event, ok := hook.wants(row)
		if !ok {
			continue
		}
		begun, err := deliveryOf(hook, row, event, c.Clock.Now()).make(c.scope)
		if err != nil {
			return err
		}
		actions, of = append(actions, begun...), append(of, hook.ID)
	}
	if len(c.made) > 0 && len(c.made)+len(actions) > mostMade {
		if err := c.commit(ctx); err != nil {
			return err
		}
	}
	c.made, c.at = append(c.made, actions...), row.Sequence
	for _, id := range of {
		c.of[id] = true
	}
	return nil
}

// commit makes what is gathered and moves the cursor past its rows, if it is still
// where it was read and no webhook of them was deleted.
func (c *consuming) commit(ctx context.Context) error {
	key := keys.Cursor(c.scope, consumer)
	cond := store.IfAbsent()
	if c.stored > 0 {
		cond = store.IfEqual(attrSeq, store.N(c.stored))
	}
	next := store.Item{Key: key, Attrs: store.Attrs{attrSeq: store.N(c.at)}}
	actions := append(c.made, store.PutItem("cursor", next, cond))
	for id := range c.of {
		actions = append(actions, store.CheckItem("hook", keys.Webhook(c.scope, id), still(live)))
	}
	if err := c.Store.Commit(ctx, store.Tx{Actions: actions}); err != nil {
		return err
	}
	c.stored, c.made = c.at, nil
	for id := range c.of {
		c.fresh[id] = true
	}
	clear(c.of)
	return nil
}

// tidy removes deliveries whose time is over, where new ones are made: what the table
// does not do by itself everywhere.
func (w *Worker) tidy(ctx context.Context, scope tenant.Scope, fresh map[string]bool) error {
	now := w.Clock.Now()
	for id := range fresh {
		page, err := w.Store.Query(ctx, store.Query{PK: keys.DeliveryPK(scope, id), Limit: tidied})
		if err != nil {
			return err
		}
		var old []store.Item
		for _, item := range page.Items {
			if !item.Expires.After(now) {
				old = append(old, item)
			}
		}
		if err := w.drop(ctx, old); err != nil {
			return err
		}
	}
	return nil
}

// deliveryOfDue answers the id of the delivery that a due row names.
func deliveryOfDue(key store.Key) string { return key.SK[strings.LastIndex(key.SK, "#")+1:] }
