package directory

import (
	"fmt"
	"strconv"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// schema is the version of the rows of this package.
const schema = 1

// keptFor is how long a workspace is kept as an earlier change left it: a little
// longer than idempotency keys live (T.15).
const keptFor = 25 * time.Hour

const (
	attrSchema  = "v"
	attrName    = "name"
	attrCreated = "at"     // milliseconds
	attrVersion = "n"      // of a workspace
	attrIdle    = "idle"   // seconds
	attrDefer   = "defer"  // bool
	attrMerge   = "merge"  // decimal
	attrTokens  = "tokens" // absent: no budget
	attrBytes   = "bytes"  // absent: no budget
	attrLexical = "lex"    // decimal; absent: the embedding profile's
)

func tenantItem(t tenant.Tenant) store.Item {
	return store.Item{Key: keys.Tenant(t.ID), Attrs: store.Attrs{
		attrSchema: store.N(schema), attrName: store.S(t.Name), attrCreated: store.N(t.CreatedAt.UnixMilli()),
	}}
}

func readTenant(id string, a store.Attrs) (tenant.Tenant, error) {
	if err := known(a); err != nil {
		return tenant.Tenant{}, err
	}
	return tenant.Tenant{ID: id, Name: a.Text(attrName), CreatedAt: millis(a.Int(attrCreated))}, nil
}

func workspaceAttrs(w tenant.Workspace) store.Attrs {
	a := store.Attrs{
		attrSchema: store.N(schema), attrName: store.S(w.Name), attrCreated: store.N(w.CreatedAt.UnixMilli()),
		attrVersion: store.N(w.Version), attrIdle: store.N(int64(w.Settings.IdleSeconds)),
		attrDefer: store.T(w.Settings.DeferEmbedding),
		attrMerge: decimal(w.Settings.MergeThreshold),
	}
	if x := w.Settings.LexicalWeight; x != nil {
		a[attrLexical] = decimal(*x)
	}
	if n := w.Settings.Budgets.ModelTokensPerMonth; n != nil {
		a[attrTokens] = store.N(*n)
	}
	if n := w.Settings.Budgets.StoredBytes; n != nil {
		a[attrBytes] = store.N(*n)
	}
	return a
}

// decimal writes a number with the fewest digits that read back as the same.
func decimal(x float64) store.Value { return store.Decimal(strconv.FormatFloat(x, 'f', -1, 64)) }

// number reads what decimal wrote; nil where it is absent.
func number(a store.Attrs, name string) (*float64, error) {
	v, set := a[name]
	if !set {
		return nil, nil
	}
	x, err := strconv.ParseFloat(v.S, 64)
	if err != nil {
		return nil, fmt.Errorf("directory: number %s of a row: %w", name, err)
	}
	return &x, nil
}

func readWorkspace(id string, item store.Item) (tenant.Workspace, error) {
	a := item.Attrs
	if err := known(a); err != nil {
		return tenant.Workspace{}, err
	}
	merge, err := strconv.ParseFloat(a[attrMerge].S, 64)
	if err != nil {
		return tenant.Workspace{}, fmt.Errorf("directory: merge threshold of a row: %w", err)
	}
	lexical, err := number(a, attrLexical)
	if err != nil {
		return tenant.Workspace{}, err
	}
	return tenant.Workspace{
		ID: id, Name: a.Text(attrName), CreatedAt: millis(a.Int(attrCreated)), Version: a.Int(attrVersion),
		Settings: tenant.Settings{
			IdleSeconds: int(a.Int(attrIdle)), DeferEmbedding: a.Bool(attrDefer), MergeThreshold: merge,
			Budgets:       tenant.Budgets{ModelTokensPerMonth: amount(a, attrTokens), StoredBytes: amount(a, attrBytes)},
			LexicalWeight: lexical,
		},
	}, nil
}

func amount(a store.Attrs, name string) *int64 {
	if _, set := a[name]; !set {
		return nil
	}
	n := a.Int(name)
	return &n
}

func known(a store.Attrs) error {
	if v := a.Int(attrSchema); v != schema {
		return fmt.Errorf("directory: row of schema %d", v)
	}
	return nil
}

func millis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// putWorkspace is the actions that store a workspace: its row, which must still
// be as cond says, and the copy that a replay of this very change answers from.
func putWorkspace(tenantID string, w tenant.Workspace, cond *store.Cond, at time.Time) []store.Action {
	row := store.Item{Key: keys.TenantWorkspace(tenantID, w.ID), Attrs: workspaceAttrs(w)}
	kept := store.Item{
		Key:   keys.TenantWorkspaceVersion(tenantID, w.ID, w.Version),
		Attrs: workspaceAttrs(w), Expires: at.Add(keptFor),
	}
	return []store.Action{store.PutItem("workspace", row, cond), store.PutItem("workspace-kept", kept, nil)}
}
