package keyed

import (
	"strconv"
	"testing"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

var scope = tenant.Grant("0192f0c1-0000-7000-8000-00000000000a", "0192f0c1-0000-7000-8000-00000000000b")

func TestHashesAreOfKeyAndDomain(t *testing.T) {
	one, two := New([]byte("one")), New([]byte("two"))
	seen := map[string]bool{one.MAC("a", "x"): true, two.MAC("a", "x"): true, one.MAC("b", "x"): true, one.MAC("a", "x", ""): true}
	if len(seen) != 4 || !seen[one.MAC("a", "x")] || len(one.MAC("a")) != 2*Size {
		t.Errorf("hashes %v", seen)
	}
}

func TestKeysOfWorkspacesAreKeptWithinBounds(t *testing.T) {
	s := &Secrets{}
	for n := range mostKnown + 5 {
		s.keep(scope.Sibling(strconv.Itoa(n)), Hasher{})
	}
	if len(s.known) != 5 {
		t.Errorf("%d keys are kept", len(s.known))
	}
}

func TestAKeyIsReadOnce(t *testing.T) {
	table := memstore.New()
	s := NewSecrets(table)
	if _, err := s.Of(t.Context(), scope); errs.KindOf(err) != errs.Internal {
		t.Errorf("a workspace without a key: %v", err)
	}
	put := func(action store.Action) {
		if err := table.Commit(t.Context(), store.Tx{Actions: []store.Action{action}}); err != nil {
			t.Fatal(err)
		}
	}
	put(store.PutItem("", store.Item{Key: keys.Secret(scope), Attrs: store.Attrs{AttrKey: store.B([]byte("k"))}}, nil))
	first, err := s.Of(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	put(store.DeleteItem("", keys.Secret(scope), nil))
	again, err := s.Of(t.Context(), scope)
	if want := New([]byte("k")).MAC("a"); err != nil || first.MAC("a") != want || again.MAC("a") != want {
		t.Errorf("hashes %s and %s, %v", first.MAC("a"), again.MAC("a"), err)
	}
}

func FuzzJoin(f *testing.F) {
	f.Add("a", "b", "ab", "")
	f.Add("1:", "a", "1", ":a")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		if (Join(a, b) == Join(c, d)) != (a == c && b == d) {
			t.Errorf("%q %q and %q %q", a, b, c, d)
		}
		if Join(a, b) == Join(a) && b != "" {
			t.Errorf("%q %q and %q", a, b, a)
		}
	})
}
