package memory

import (
	"context"
	"io"
	"slices"
	"strconv"
	"time"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/outbox"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// change gathers what one write does, row by row, into a plan.
type change struct {
	Target
	store  store.Store
	ids    *ids.Source
	random io.Reader
	hash   Hasher
	op     commit.Operation
	at     time.Time // recorded time of the write
	plan   commit.Plan
	fate   Fate     // of a derivation
	edged  []string // citations of a new memory whose edges are there already
	// current and visited are the run of a memory that is written, and its last visit.
	current run.Run
	visited *store.Item
	dups    []*duplicateRow
}

func (s *Service) change(ctx context.Context, t Target, op commit.Operation) (*change, error) {
	h, err := s.Hasher(ctx, t.Scope)
	if err != nil {
		return nil, err
	}
	c := &change{Target: t, store: s.Store, ids: s.IDs, random: s.Random, hash: h, op: op, at: utc(op.At)}
	c.plan.Budget = t.Workspace.Settings.Budgets.StoredBytes
	return c, nil
}

func (c *change) put(label string, item store.Item, cond *store.Cond) {
	c.plan.Actions = append(c.plan.Actions, store.PutItem(label, item, cond))
}

func (c *change) remove(label string, key store.Key) {
	c.plan.Actions = append(c.plan.Actions, store.DeleteItem(label, key, nil))
}

func (c *change) check(label string, key store.Key, cond *store.Cond) {
	c.plan.Actions = append(c.plan.Actions, store.CheckItem(label, key, cond))
}

// logSuperseded adds the log rows of memories that a value superseded or cut short.
func (c *change) logSuperseded(list []*Memory) error {
	for _, m := range list {
		if err := c.log(ledger.Supersede, m, m.Indexed()); err != nil {
			return err
		}
	}
	return nil
}

// log adds m's log row.
func (c *change) log(op ledger.Op, m *Memory, recall bool) error {
	entry, err := m.entry(op, recall)
	c.plan.Entries = append(c.plan.Entries, entry)
	return err
}

// head writes m over a HEAD row of a revision; 0: there is none.
func (c *change) head(label string, m *Memory, revision int64) error {
	m.Revision = revision + 1
	item, err := headItem(c.Scope, m)
	if err != nil {
		return err
	}
	cond := store.IfAbsent()
	if revision > 0 {
		cond = store.IfEqual(attrRevision, store.N(revision))
	}
	c.put(label, item, cond)
	return nil
}

// row answers the row of a duplicate or claim key; asked twice, the same row with
// what was done to it.
func (c *change) row(ctx context.Context, key store.Key) (*duplicateRow, error) {
	for _, row := range c.dups {
		if row.key == key {
			return row, nil
		}
	}
	row, err := readDuplicates(ctx, c.store, key)
	if err != nil {
		return nil, errs.Unread(err)
	}
	c.dups = append(c.dups, row)
	return row, nil
}

// mergeable makes m a merge target and one that a change replaces (A0.2), or no
// longer either.
func (c *change) mergeable(ctx context.Context, m *Memory, on bool) error {
	text := formsOf(m.Content)
	row, err := c.row(ctx, keys.Duplicate(c.Scope, c.hash.duplicate(m, text)))
	if err != nil {
		return err
	}
	if err := c.replaceable(ctx, m, claimedBy(m), on); err != nil {
		return err
	}
	if on {
		row.add(m.ID, c.hash.exact(text))
	} else {
		row.remove(m.ID)
	}
	return nil
}

// edges writes the derivation edges of citations that m did not have before.
func (c *change) edges(m *Memory, before []string) {
	for i, id := range m.Cites() {
		if !slices.Contains(before, id) {
			c.put("edge"+strconv.Itoa(i), store.Item{Key: keys.Derived(c.Scope, id, m.ID), Attrs: store.Attrs{}}, nil)
		}
	}
}

// earlier writes the row of a text that is current no longer, with its vector.
func (c *change) earlier(ctx context.Context, e *embeddings, m *Memory) error {
	to := c.at
	item, err := versionItem(c.Scope, m.ID, Version{
		Version: m.Version, Content: m.Content, Edition: m.Edition,
		ValidFrom: m.Temporal.ValidFrom, ValidTo: m.Temporal.ValidTo,
		RecordedFrom: m.Edition.At, RecordedTo: &to,
	})
	if err == nil {
		err = c.keepVector(ctx, e, m, item)
	}
	if err != nil {
		return err
	}
	if m.neverShown() {
		item.Attrs[attrHeld] = store.T(true)
	}
	c.put("version", item, store.IfAbsent())
	return nil
}

// text gives m a new text of m's origin: version, edition and size.
func (c *change) text(m *Memory, content string, reason Reason) {
	c.grow(m, int64(len(content)))
	m.Content, m.Parts = content, nil
	m.Version++
	m.Edition = c.edition(reason, m.Provenance.Origin)
}

// edition is that of a text from an origin, written now.
func (c *change) edition(reason Reason, origin Origin) Edition {
	return Edition{At: c.at, Actor: c.Caller.Actor.KeyID, Origin: origin, Reason: reason, OperationID: c.op.ID}
}

// grow counts stored bytes, in the memory and in the workspace.
func (c *change) grow(m *Memory, bytes int64) {
	m.Bytes += bytes
	c.plan.Bytes += bytes
}

// embedLater leaves a job in place of a vector.
func (c *change) embedLater(m *Memory) {
	c.plan.Jobs = append(c.plan.Jobs, outbox.Job{Kind: outbox.Embed, ItemID: m.ID})
}

// done completes the plan.
func (c *change) done(r receipt) (commit.Plan, error) {
	for i, row := range c.dups {
		if action, changed := row.action("duplicate" + strconv.Itoa(i)); changed {
			c.plan.Actions = append(c.plan.Actions, action)
		}
	}
	r.Deferred = slices.ContainsFunc(c.plan.Jobs, func(j outbox.Job) bool { return j.Kind == outbox.Embed })
	result, err := r.encode()
	c.plan.Result = result
	return c.plan, err
}

// size counts the bytes of a memory's text and metadata.
func size(m *Memory) int64 {
	n := len(m.Content) + len(m.Speaker) + len(m.ArtifactURI) + len(m.RunID) + len(m.Attribute) +
		len(m.Subject.ApplicationID) + len(m.Subject.AgentID) + len(m.Subject.UserID)
	for key, value := range m.Tags {
		n += len(key) + len(value)
	}
	for _, s := range m.Provenance.Sources {
		n += len(s.ID)
	}
	return int64(n)
}
