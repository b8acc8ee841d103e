package directory

import (
	"context"
	"io"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/clock"
	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/idem"
	"holdfast/internal/ids"
	"holdfast/internal/keyed"
	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const rootKey = "an-invented-root-key-of-forty-characters"

// bench is a directory over a store of its own.
type bench struct {
	*Service
	t     *testing.T
	clock *clock.Fixed
	table store.Store
}

func newBench(t *testing.T) *bench { return benchOver(t, memstore.New()) }

// benchOver uses a store that may have been used before.
func benchOver(t *testing.T, s store.Store) *bench {
	t.Helper()
	b := &bench{t: t, clock: clock.NewFixed(noon), table: s}
	source := ids.NewSource(b.clock.Now, nil)
	doer := commit.New(commit.Config{
		Store: s, Clock: b.clock, IDs: source, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	bearers := apikey.New(apikey.Options{Store: s, Clock: b.clock, RootKey: rootKey})
	b.Service = New(Options{Store: s, Commit: doer, Keys: bearers, IDs: source})
	return b
}

// who answers the caller that a key's text makes.
func (b *bench) who(text string) Caller {
	b.t.Helper()
	p, err := b.Keys.Authenticate(context.Background(), text)
	if err != nil {
		b.t.Fatal(err)
	}
	tenantID := p.TenantID
	if p.Kind == apikey.Root {
		tenantID = "root"
	}
	return Caller{Principal: p, Scope: tenant.Grant(tenantID, tenant.PlatformWorkspace)}
}

func (c Caller) with(key *idem.Key) Caller { c.Key = key; return c }

// key makes an idempotency key of a caller; request stands for the body.
func key(text, request string) *idem.Key {
	k := idem.NewKey("some-key", "POST", "/some/path", text, []byte(strconv.Quote(request)), -1)
	return &k
}

// tenant makes a tenant and answers its administrator.
func (b *bench) tenant() Caller {
	b.t.Helper()
	made, err := b.CreateTenant(context.Background(), b.who(rootKey), "Harbour Lights")
	if err != nil {
		b.t.Fatal(err)
	}
	return b.who(made.AdminKey)
}

func (b *bench) workspace(by Caller) tenant.Workspace {
	b.t.Helper()
	made, err := b.CreateWorkspace(context.Background(), by, "north", SettingsChange{})
	if err != nil {
		b.t.Fatal(err)
	}
	return made.Workspace
}

// secret reads the key of a workspace's hashes; nil when there is none.
func (b *bench) secret(by Caller, workspaceID string) []byte {
	b.t.Helper()
	item, _, err := b.table.Get(context.Background(), keys.Secret(by.Scope.Sibling(workspaceID)))
	if err != nil {
		b.t.Fatal(err)
	}
	return item.Attrs.Bytes(keyed.AttrKey)
}

func (b *bench) newKey(by Caller, asked NewKey) MadeKey {
	b.t.Helper()
	made, err := b.CreateKey(context.Background(), by, asked)
	if err != nil {
		b.t.Fatal(err)
	}
	return made
}

// rows answers the entries of a tenant's own log and checks its chain.
func (b *bench) rows(by Caller) []ledger.Entry {
	b.t.Helper()
	log := ledger.Log{Store: b.table}
	verdict, err := log.Verify(context.Background(), by.Scope, 0, 0)
	if err != nil || verdict.Break != nil {
		b.t.Fatalf("chain: %+v, %v", verdict, err)
	}
	rows, err := log.Rows(context.Background(), by.Scope, 1, 1000)
	if err != nil {
		b.t.Fatal(err)
	}
	entries := make([]ledger.Entry, len(rows))
	for i, row := range rows {
		if row.Kind != ledger.AdminReceipt || row.Entry.Family != Family {
			b.t.Errorf("row %d is of kind %s and family %s", i, row.Kind, row.Entry.Family)
		}
		entries[i] = row.Entry
	}
	return entries
}

// pointers answers the places that a validation error names.
func pointers(err error) []string {
	e := errs.As(err)
	if e == nil || e.Kind != errs.Invalid || e.Code != "VALIDATION_FAILED" {
		return nil
	}
	var all []string
	for _, f := range e.Fields {
		all = append(all, f.Pointer)
	}
	return all
}

func ptr[T any](v T) *T { return &v }
