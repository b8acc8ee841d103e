package webhook

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"

	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/idem"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Family is the name of changes of webhooks in log rows (T.51).
const Family = "platform"

// Service makes, lists and deletes webhooks and reads their deliveries. Reading needs
// Store and Clock alone.
type Service struct {
	Store  store.Store
	Commit commit.Doer
	IDs    *ids.Source
	Clock  clock.Clock
	Random io.Reader // of secrets; nil: crypto/rand
	// Check says which rule an address breaks; empty: none.
	Check func(ctx context.Context, address string) (rule string)
}

// Caller is who asks for a change, and where.
type Caller struct {
	Scope tenant.Scope
	Actor ledger.Actor
	Key   *idem.Key // nil: the call carried no Idempotency-Key
}

func (c Caller) write(plan func(context.Context, commit.Operation) (commit.Plan, error)) commit.Write {
	return commit.Write{Scope: c.Scope, Actor: c.Actor, Kind: ledger.AdminReceipt, Key: c.Key, Plan: plan}
}

// New says what a webhook is to be.
type New struct {
	URL    string
	Events []Event // known ones, at least one
}

// Made is the answer of Create.
type Made struct {
	Webhook
	Secret string // empty in a replay: it is shown once (T.15)
	commit.Outcome
}

// reference is what a replay answers from.
type reference struct {
	Webhook  string `json:"webhook,omitempty"`
	Delivery string `json:"delivery,omitempty"`
}

func (r reference) encode() []byte {
	raw, err := json.Marshal(r)
	if err != nil {
		panic("webhook: reference: " + err.Error()) // a struct of strings
	}
	return raw
}

func referenceOf(out commit.Outcome) (reference, error) {
	var r reference
	if err := json.Unmarshal(out.Result, &r); err != nil {
		return r, fmt.Errorf("webhook: stored reference: %w", err)
	}
	return r, nil
}

// Create makes a webhook (T.44). It is told of what happens from now on.
func (s *Service) Create(ctx context.Context, by Caller, asked New) (Made, error) {
	w := Webhook{ID: s.IDs.New(), URL: asked.URL, Events: asked.Events}
	var err error
	if w.secret, err = s.secret(); err != nil {
		return Made{}, err
	}
	var rule string
	checked := false // once a call: a plan that is made anew must not wait for a resolver
	out, err := s.Commit.Do(ctx, by.write(func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
		if !checked {
			rule, checked = s.Check(ctx, w.URL), true
		}
		if rule != "" {
			return commit.Plan{}, errs.Validation(errs.Field{Pointer: "/url", Rule: rule})
		}
		return s.plan(ctx, by, w, op)
	}))
	if err != nil {
		return Made{}, err
	}
	if out.Replayed {
		return s.madeBefore(ctx, by, out)
	}
	w.CreatedAt = millisecond(out.At)
	return Made{Webhook: w, Secret: w.secret, Outcome: out}, nil
}

// secretBytes is the strength of a secret.
const secretBytes = 32

func (s *Service) secret() (string, error) {
	random := s.Random
	if random == nil {
		random = rand.Reader
	}
	b := make([]byte, secretBytes)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("webhook: no randomness: %w", err)
	}
	return "whsec_" + base64.RawURLEncoding.EncodeToString(b), nil
}

func (s *Service) plan(ctx context.Context, by Caller, w Webhook, op commit.Operation) (commit.Plan, error) {
	known, err := all(ctx, s.Store, by.Scope)
	if err != nil {
		return commit.Plan{}, errs.Unread(err)
	}
	living := 0
	for _, one := range known {
		if !one.gone() {
			living++
		}
	}
	if living >= Most {
		return commit.Plan{}, errs.New(errs.Conflict, "TOO_MANY_WEBHOOKS", "The workspace has as many webhooks as it can have; delete one.")
	}
	head, err := ledger.ReadHead(ctx, s.Store, by.Scope)
	if err != nil {
		return commit.Plan{}, errs.Unread(err)
	}
	w.Since, w.CreatedAt = head.Sequence, millisecond(op.At)
	item, err := w.item(by.Scope)
	return commit.Plan{
		Actions: []store.Action{store.PutItem("webhook", item, store.IfAbsent()), mark(by.Scope, op.ID, op.At)},
		Entries: []ledger.Entry{{Op: ledger.Create, Family: Family, ItemID: w.ID, Version: 1}},
		Result:  reference{Webhook: w.ID}.encode(),
	}, err
}

// madeBefore answers the webhook that the first call made.
func (s *Service) madeBefore(ctx context.Context, by Caller, out commit.Outcome) (Made, error) {
	ref, err := referenceOf(out)
	if err != nil {
		return Made{}, err
	}
	w, found, err := read(ctx, s.Store, by.Scope, ref.Webhook)
	if err == nil && !found {
		err = errs.Missing()
	}
	return Made{Webhook: w, Outcome: out}, errs.Unread(err)
}

// living answers a webhook that is not gone.
func (s *Service) living(ctx context.Context, scope tenant.Scope, id string) (Webhook, error) {
	w, found, err := read(ctx, s.Store, scope, id)
	if err == nil && (!found || w.gone()) {
		err = errs.Missing()
	}
	return w, errs.Unread(err)
}

// Delete ends a webhook and its deliveries. allows says whether If-Match lets a change
// of a version go on; a webhook's is 1.
func (s *Service) Delete(ctx context.Context, by Caller, id string, allows func(version int64) bool) (commit.Outcome, error) {
	return s.Commit.Do(ctx, by.write(func(ctx context.Context, op commit.Operation) (commit.Plan, error) {
		w, err := s.living(ctx, by.Scope, id)
		if err != nil {
			return commit.Plan{}, err
		}
		if allows != nil && !allows(1) {
			return commit.Plan{}, errs.New(errs.Precondition, "VERSION_MISMATCH", "The webhook has another version than If-Match names.")
		}
		w.stage = ending
		item, err := w.item(by.Scope)
		return commit.Plan{
			Actions: []store.Action{store.PutItem("webhook", item, still(live)), mark(by.Scope, op.ID, op.At)},
			Entries: []ledger.Entry{{Op: ledger.Delete, Family: Family, ItemID: w.ID, Version: 2}},
			Result:  reference{Webhook: w.ID}.encode(),
		}, err
	}))
}

// still is the condition that a webhook is at this stage.
func still(at stage) *store.Cond { return store.IfEqual(attrStage, store.N(int64(at))) }

// List answers a page of webhooks in the order they were made; next is empty at the
// end.
func (s *Service) List(ctx context.Context, scope tenant.Scope, limit int, after string) (found []Webhook, next string, err error) {
	known, err := all(ctx, s.Store, scope)
	if err != nil {
		return nil, "", errs.Unread(err)
	}
	for _, w := range known {
		if w.gone() || w.ID <= after {
			continue
		}
		if len(found) == limit {
			return found, found[limit-1].ID, nil
		}
		found = append(found, w)
	}
	return found, "", nil
}

// Has tells whether a workspace has webhooks, or some whose end is not done: by one
// read.
func Has(ctx context.Context, s store.Store, scope tenant.Scope) (bool, error) {
	_, found, err := s.Get(ctx, keys.WebhookMark(scope))
	return found, err
}
