package memory

import (
	"context"
	"maps"

	"holdfast/internal/capability"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// Sharing asks for a copy of a memory: in another layer of its workspace, or in
// another workspace of the tenant.
type Sharing struct {
	ID          string
	Subject     Subject // whom the request names
	TargetLayer string  // empty: the copy goes to Destination
	// Destination is the other workspace, with the caller as it is there: that it is a
	// member and holds memory:share is for the edge to check. Its Key is not used.
	Destination *Target
}

// Share makes a copy with a new id (R0.53, R0.80). It keeps content, type, address,
// tags, subject, speaker, importance, validity, origin and trust, and cites its
// source; it is of no run, gives no value of an attribute and is no floor. In another
// workspace its layer is Workspace. It is screened and held against rejected values
// like any text, but joins nothing that is there.
//
// The edge of the derivation graph stands at the source, in its workspace, and is
// written in the copy's commit, on condition that the source is as it was read: so a
// cascade from the source finds every copy. What is quarantined or superseded is
// refused with NOT_SHAREABLE.
func (s *Service) Share(ctx context.Context, t Target, r Sharing) (Changed, error) {
	if err := r.check(t); err != nil {
		return Changed{}, err
	}
	sh := &sharing{Service: s, from: t, to: t, asked: r, id: s.IDs.New(), e: s.embeddings()}
	if r.Destination == nil {
		return sh.commit(ctx)
	}
	sh.to = *r.Destination
	sh.to.Key = nil
	if t.Key == nil {
		return sh.commit(ctx)
	}
	return sh.reserved(ctx)
}

func (r Sharing) check(t Target) error {
	f := &faults{}
	if (r.TargetLayer == "") == (r.Destination == nil) {
		f.add("targetLayer", "must be given, or targetWorkspaceId, but not both")
		return f.err()
	}
	if d := r.Destination; d != nil {
		switch {
		case d.Scope.TenantID() != t.Scope.TenantID():
			return errs.Missing()
		case d.Scope == t.Scope:
			f.add("targetWorkspaceId", "must be another workspace")
		}
		return f.err()
	}
	switch Layer(r.TargetLayer) {
	case Workspace:
	case Tenant:
		if !t.Caller.Tenant {
			return lacks(capability.MemoryTenant)
		}
	case Session:
		f.add("targetLayer", "must not be Session: its memories belong to one run")
	case Platform:
		return errs.New(errs.Forbidden, "LAYER_READ_ONLY", "The platform layer is read-only.")
	default:
		return coded("UNKNOWN_LAYER", "/targetLayer", "must be one of Tenant, Workspace")
	}
	return f.err()
}

// sharing is one share on its way.
type sharing struct {
	*Service
	from, to Target
	asked    Sharing
	id       string // of the copy
	e        *embeddings
}

// reserved is a share to another workspace with a key: a commit in the source's
// workspace, where the key counts (T.15), reserves the copy's id, so that a call that
// is sent again makes the same copy and not another.
func (sh *sharing) reserved(ctx context.Context) (Changed, error) {
	out, err := sh.Commit.Do(ctx, commit.Write{Scope: sh.from.Scope, Actor: sh.from.Caller.Actor, Key: sh.from.Key,
		Plan: func(ctx context.Context, _ commit.Operation) (commit.Plan, error) {
			if _, err := sh.source(ctx); err != nil {
				return commit.Plan{}, err
			}
			result, err := receipt{MemoryID: sh.id, Version: 1}.encode()
			return commit.Plan{Result: result}, err
		}})
	if err != nil {
		return Changed{}, err
	}
	r, err := decodeReceipt(out.Result)
	if err != nil {
		return Changed{}, err
	}
	sh.id = r.MemoryID
	return sh.commit(ctx)
}

// done answers the outcome of the call that made the copy; nil: none has.
func (sh *sharing) done(ctx context.Context) (*commit.Outcome, error) {
	m, err := Head(ctx, sh.Store, sh.to.Scope, sh.id)
	if err != nil || m == nil {
		return nil, errs.Unread(err)
	}
	op, found, err := ledger.ReadOperation(ctx, sh.Store, sh.to.Scope, m.Provenance.OperationID)
	if err != nil {
		return nil, errs.Unread(err)
	}
	if !found {
		return nil, errs.Missing()
	}
	return &commit.Outcome{OperationID: op.ID, Sequence: op.Last(), At: op.At, Result: op.Result, Replayed: true}, nil
}

func (sh *sharing) commit(ctx context.Context) (Changed, error) {
	var made *Memory
	var before *commit.Outcome
	out, err := sh.Commit.Do(ctx, commit.Write{Scope: sh.to.Scope, Actor: sh.to.Caller.Actor, Key: sh.to.Key,
		Plan: func(ctx context.Context, op commit.Operation) (plan commit.Plan, err error) {
			if before, err = sh.done(ctx); err != nil || before != nil {
				return commit.Plan{}, err
			}
			source, err := sh.source(ctx)
			if err != nil {
				return commit.Plan{}, err
			}
			c, err := sh.change(ctx, sh.to, op)
			if err != nil {
				return commit.Plan{}, err
			}
			made, plan, err = c.copy(ctx, sh, source)
			return plan, err
		}})
	if err == nil && before != nil {
		out = *before
	}
	return sh.changed(ctx, sh.to, out, made, err)
}

// source reads what is to be shared: missing and not to be shared are errors.
func (sh *sharing) source(ctx context.Context) (*Memory, error) {
	m, err := Head(ctx, sh.Store, sh.from.Scope, sh.asked.ID)
	if err != nil {
		return nil, errs.Unread(err)
	}
	if m == nil || !m.Visible(sh.from.Caller, sh.asked.Subject) {
		return nil, errs.Missing()
	}
	if m.Status != Active {
		return nil, errs.New(errs.Conflict, "NOT_SHAREABLE", "What is in quarantine or superseded cannot be shared.")
	}
	if m.Layer == Layer(sh.asked.TargetLayer) {
		f := &faults{}
		f.add("targetLayer", "must be another layer than the entry's")
		return nil, f.err()
	}
	return m, nil
}

// copy plans the copy of a memory.
func (c *change) copy(ctx context.Context, sh *sharing, source *Memory) (*Memory, commit.Plan, error) {
	copied := sh.copyOf(source)
	a := &addition{memory: copied, reasons: copied.reasons(), forms: formsOf(copied.Content), claim: claimedBy(copied)}
	m, err := c.fresh(a)
	if err != nil {
		return nil, commit.Plan{}, err
	}
	m.hold(c.at, union(a.reasons, m.inherit([]*Memory{source})))
	look, err := c.look(ctx, a, m)
	if err != nil {
		return nil, commit.Plan{}, err
	}
	if err := c.admit(look.rejected); err != nil {
		return nil, commit.Plan{}, err
	}
	if err := c.admitParts(ctx, m, source.Parts); err != nil {
		return nil, commit.Plan{}, err
	}
	c.check("source", keys.Memory(sh.from.Scope, source.ID), store.IfEqual(attrRevision, store.N(source.Revision)))
	c.edgesElsewhere(m)
	if m.Status == Quarantined {
		plan, err := c.hold(ctx, m)
		return m, plan, err
	}
	plan, err := c.create(ctx, sh.e, m, look)
	return m, plan, err
}

// copyOf is the copy before it is stored.
func (sh *sharing) copyOf(source *Memory) *Memory {
	m := &Memory{
		ID: sh.id, Layer: Workspace, Type: source.Type, Content: source.Content, Speaker: source.Speaker,
		Tags: maps.Clone(source.Tags), ArtifactURI: source.ArtifactURI, Subject: source.Subject, Importance: source.Importance,
	}
	if sh.asked.TargetLayer != "" {
		m.Layer = Layer(sh.asked.TargetLayer)
	}
	m.Temporal.ValidFrom, m.Temporal.ValidTo = source.Temporal.ValidFrom, source.Temporal.ValidTo
	m.Provenance.Origin = source.Provenance.Origin
	m.Provenance.Sources = []Source{{Kind: MemorySource, ID: source.ID}}
	if sh.asked.Destination != nil {
		m.Provenance.Elsewhere = map[string]string{source.ID: sh.from.Scope.WorkspaceID()}
	}
	return m
}

// edgesElsewhere writes the derivation edges of citations in other workspaces; each
// names the workspace that it leads to.
func (c *change) edgesElsewhere(m *Memory) {
	for id, workspace := range m.Provenance.Elsewhere {
		c.put("elsewhere", store.Item{Key: keys.Derived(c.Scope.Sibling(workspace), id, m.ID),
			Attrs: store.Attrs{attrWorkspace: store.S(c.Scope.WorkspaceID())}}, nil)
	}
}
