package webhook

import (
	"context"
	"slices"

	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Effect is how far the telling of an operation has come (S0.59): that of the delivery
// which is worst off. Where there is nobody to tell it has succeeded (T.59).
type Effect struct {
	State     State
	Attempt   int
	LastError string // a code; empty: none
}

// severity orders states from the best to the worst.
var severity = []State{Succeeded, Pending, Failed, Dead}

// EffectOf answers what became of the events of an operation. A delivery whose record
// has expired counts no more.
func EffectOf(ctx context.Context, s store.Store, scope tenant.Scope, op ledger.Operation) (Effect, error) {
	out := Effect{State: Succeeded}
	wanted, err := wantedOf(ctx, s, scope, op)
	if err != nil || len(wanted) == 0 {
		return out, err
	}
	reached, err := cursor(ctx, s, scope) // before the deliveries: what it has passed has them
	if err != nil {
		return out, err
	}
	for some := range slices.Chunk(wanted, store.MaxGetMany) {
		ks := make([]store.Key, len(some))
		for i, d := range some {
			ks[i] = keys.Delivery(scope, d.WebhookID, d.ID)
		}
		items, err := s.GetMany(ctx, ks)
		if err != nil {
			return out, err
		}
		for i, item := range items {
			d := some[i]
			switch {
			case item != nil:
				if d, err = readDelivery(d.WebhookID, *item); err != nil {
					return out, err
				}
			case d.Sequence <= reached:
				continue
			}
			out = out.worse(d)
		}
	}
	return out, nil
}

// worse is the effect with one more delivery in view.
func (e Effect) worse(d Delivery) Effect {
	mine, theirs := slices.Index(severity, e.State), slices.Index(severity, d.State)
	if theirs > mine || theirs == mine && d.Attempts > e.Attempt {
		return Effect{State: d.State, Attempt: d.Attempts, LastError: d.LastError}
	}
	return e
}

// wantedOf lists the deliveries that an operation's rows make, as they begin.
func wantedOf(ctx context.Context, s store.Store, scope tenant.Scope, op ledger.Operation) ([]Delivery, error) {
	if op.Rows == 0 {
		return nil, nil
	}
	hooks, err := all(ctx, s, scope)
	if err != nil || !slices.ContainsFunc(hooks, func(w Webhook) bool { return !w.gone() }) {
		return nil, err
	}
	rows, err := ledger.Log{Store: s}.Rows(ctx, scope, op.Sequence, op.Rows)
	if err != nil {
		return nil, err
	}
	var out []Delivery
	for _, row := range rows {
		for _, w := range hooks {
			if event, ok := w.wants(row); ok {
				out = append(out, deliveryOf(w, row, event, row.At))
			}
		}
	}
	return out, nil
}
