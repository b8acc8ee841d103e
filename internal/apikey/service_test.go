package apikey

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"holdfast/internal/capability"
	"holdfast/internal/clock"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/store"
	"holdfast/internal/store/memstore"
)

// watched is a store that counts reads, fails on demand and lets a test act
// between a read and its answer.
type watched struct {
	*memstore.Store
	reads int
	fail  error
	after func()
}

func (w *watched) Get(ctx context.Context, key store.Key) (store.Item, bool, error) {
	w.reads++
	if w.fail != nil {
		return store.Item{}, false, w.fail
	}
	item, found, err := w.Store.Get(ctx, key)
	if w.after != nil {
		w.after()
	}
	return item, found, err
}

type bench struct {
	*Service
	t     *testing.T
	store *watched
	clock *clock.Fixed
	ids   *ids.Source
}

const rootKey = "an-invented-root-key-of-forty-characters"

func newBench(t *testing.T, cached int) *bench {
	t.Helper()
	w, c := &watched{Store: memstore.New()}, clock.NewFixed(noon)
	return &bench{
		Service: New(Options{Store: w, Clock: c, RootKey: rootKey, Cached: cached}),
		t:       t, store: w, clock: c, ids: ids.NewSource(c.Now, nil),
	}
}

// issue stores a key and answers its text.
func (b *bench) issue(change func(*Principal)) (Principal, string) {
	b.t.Helper()
	p := samples()["agent"]
	p.KeyID = b.ids.New()
	if change != nil {
		change(&p)
	}
	issued, err := b.Issue(p)
	if err != nil {
		b.t.Fatal(err)
	}
	actions, err := issued.Put()
	if err != nil {
		b.t.Fatal(err)
	}
	b.commit(actions)
	return p, issued.Text
}

func (b *bench) revoke(p Principal) {
	b.t.Helper()
	actions, err := Revoke(p, b.clock.Now())
	if err != nil {
		b.t.Fatal(err)
	}
	b.commit(actions)
}

func (b *bench) commit(actions []store.Action) {
	b.t.Helper()
	if err := b.store.Commit(context.Background(), store.Tx{Actions: actions}); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) accepts(text string) bool {
	b.t.Helper()
	_, err := b.Authenticate(context.Background(), text)
	if err != nil && !errs.Is(err, errs.Unauthenticated) {
		b.t.Fatal(err)
	}
	return err == nil
}

func TestT2WrongKeysAreOneAndTheSameError(t *testing.T) {
	b := newBench(t, 0)
	good, text := b.issue(nil)
	gone, goneText := b.issue(nil)
	b.revoke(gone)
	_, late := b.issue(func(p *Principal) { at := noon; p.ExpiresAt = &at })
	_, other := b.issue(nil)
	_, secret, _ := Parse(other)
	if !b.accepts(text) {
		t.Fatal("a good key is refused")
	}
	wrong := map[string]string{
		"missing": "", "malformed": "nonsense", "unknown": Format(b.ids.New(), someSecret(1)),
		"another key's secret": Format(good.KeyID, secret), "revoked": goneText, "expired": late,
		"cut": text[:len(text)-1], "longer": text + "a", "upper case": strings.ToUpper(text),
		"half of the root key": rootKey[:20], "root key and more": rootKey + "a",
	}
	want := fmt.Sprintf("%+v", *errs.As(refused()))
	for name, text := range wrong {
		_, err := b.Authenticate(context.Background(), text)
		if e := errs.As(err); e == nil || e.Kind != errs.Unauthenticated || e.Code != "UNAUTHENTICATED" || fmt.Sprintf("%+v", *e) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestT3AuthenticateAnswersTheKeyAsItWasMade(t *testing.T) {
	b := newBench(t, 0)
	want, text := b.issue(nil)
	for range 2 { // read, then kept
		got, err := b.Authenticate(context.Background(), text)
		if err != nil || fmt.Sprintf("%+v", got.CreatedAt) != fmt.Sprintf("%+v", want.CreatedAt) || got.KeyID != want.KeyID ||
			got.SourceID != want.SourceID || !got.Can(capability.MemoryAppend) || got.Can(capability.Export) ||
			!got.May(want.Workspaces[0]) || got.May(b.ids.New()) {
			t.Errorf("got %+v, %v", got, err)
		}
	}
}

func TestT2ExpiryIsCheckedAtEachCall(t *testing.T) {
	b := newBench(t, 0)
	end := noon.Add(10 * time.Second)
	_, text := b.issue(func(p *Principal) { p.ExpiresAt = &end })
	for _, step := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {9999 * time.Millisecond, true}, {time.Millisecond, false}, {time.Hour, false}} {
		b.clock.Advance(step.after)
		if got := b.accepts(text); got != step.want {
			t.Errorf("at %v: accepted %v", b.clock.Now(), got)
		}
	}
}

func TestStoreThatDoesNotAnswerIsNoWrongKey(t *testing.T) {
	b := newBench(t, 0)
	_, text := b.issue(nil)
	b.store.fail = errors.New("disk")
	_, err := b.Authenticate(context.Background(), text)
	if e := errs.As(err); !errs.Is(err, errs.Unavailable) || e.RetryAfter < time.Second || strings.Contains(e.Public, "disk") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkAuthenticateKnownKey(b *testing.B) {
	s := New(Options{Store: memstore.New(), Clock: clock.NewFixed(noon), RootKey: rootKey})
	p := samples()["agent"]
	p.ExpiresAt = nil
	issued, err := s.Issue(p)
	if err != nil {
		b.Fatal(err)
	}
	actions, err := issued.Put()
	if err != nil {
		b.Fatal(err)
	}
	if err := s.store.Commit(context.Background(), store.Tx{Actions: actions}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Authenticate(context.Background(), issued.Text); err != nil {
			b.Fatal(err)
		}
	}
}
