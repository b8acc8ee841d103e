package webhook

import (
	"context"
	"time"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// kept tells a delivery whose record has not expired: rows may lie there longer.
func (d Delivery) kept(now time.Time) bool { return now.Before(d.expires) }

// Deliveries answers a page of a webhook's deliveries, newest first; next is empty at
// the end.
func (s *Service) Deliveries(ctx context.Context, scope tenant.Scope, id string, limit int, before string) (found []Delivery, next string, err error) {
	if _, err := s.living(ctx, scope, id); err != nil {
		return nil, "", err
	}
	now := s.Clock.Now()
	q := store.Query{PK: keys.DeliveryPK(scope, id), To: before, Desc: true}
	for {
		q.Limit = limit + 2 - len(found) // the one of the cursor, and one that tells of more
		page, err := s.Store.Query(ctx, q)
		if err != nil {
			return nil, "", errs.Unread(err)
		}
		for _, item := range page.Items {
			d, err := readDelivery(id, item)
			if err != nil {
				return nil, "", err
			}
			if d.ID == before || !d.kept(now) {
				continue
			}
			if len(found) == limit {
				return found, found[limit-1].ID, nil
			}
			found = append(found, d)
		}
		if page.Cursor == "" {
			return found, "", nil
		}
		q.Cursor = page.Cursor
	}
}

// delivery answers a delivery whose record is kept.
func (s *Service) delivery(ctx context.Context, scope tenant.Scope, webhookID, id string) (Delivery, error) {
	if !ids.Valid(id) {
		return Delivery{}, errs.Missing()
	}
	item, found, err := s.Store.Get(ctx, keys.Delivery(scope, webhookID, id))
	if err != nil {
		return Delivery{}, errs.Unread(err)
	}
	if !found {
		return Delivery{}, errs.Missing()
	}
	d, err := readDelivery(webhookID, item)
	if err == nil && !d.kept(s.Clock.Now()) {
		err = errs.Missing()
	}
	return d, err
}

// Redelivered is the answer of Redeliver.
type Redelivered struct {
	Delivery
	commit.Outcome
}

// Redeliver has a delivery tried again at once, with all its tries, whatever became of
// it: under the same Webhook-Id.
func (s *Service) Redeliver(ctx context.Context, by Caller, webhookID, id string) (Redelivered, error) {
	var next Delivery
	out, err := s.Commit.Do(ctx, by.write(func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
		if _, err := s.living(ctx, by.Scope, webhookID); err != nil {
			return commit.Plan{}, err
		}
		d, err := s.delivery(ctx, by.Scope, webhookID, id)
		if err != nil {
			return commit.Plan{}, err
		}
		next = d.again(op.At)
		actions, err := d.move(by.Scope, "delivery", next)
		return commit.Plan{
			Actions: append(actions, mark(by.Scope, op.ID, op.At),
				store.CheckItem("hook", keys.Webhook(by.Scope, webhookID), still(live))),
			Entries: []ledger.Entry{{Op: ledger.Update, Family: Family, ItemID: id}},
			Result:  reference{Webhook: webhookID, Delivery: id}.encode(),
		}, err
	}))
	if err == nil && out.Replayed {
		next, err = s.delivery(ctx, by.Scope, webhookID, id)
	}
	return Redelivered{Delivery: next, Outcome: out}, err
}
