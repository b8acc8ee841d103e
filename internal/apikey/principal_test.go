package apikey

import (
	"context"
	"testing"

	"holdfast/internal/capability"
)

func TestT6RootKeyIsRootAndNothingElse(t *testing.T) {
	b := newBench(t, 0)
	p, err := b.Authenticate(context.Background(), rootKey)
	if err != nil || p.Kind != Root || !p.Can(capability.Root) || p.Can(capability.Admin) || p.May("") || p.May(someID) || p.Covers(nil) {
		t.Errorf("got %+v, %v", p, err)
	}
	if New(Options{Store: b.store, Clock: b.clock}).isRoot("") {
		t.Error("without a root key, no key is the root key")
	}
	all := samples()["person"]
	if all.Can(capability.Root) {
		t.Error("a person's key can what only the root key can")
	}
}

func TestT4CoversIsNoWiderThanTheKey(t *testing.T) {
	tests := []struct {
		mine, other []string
		want        bool
	}{
		{nil, nil, true}, {nil, []string{"a"}, true}, {[]string{"a"}, nil, false},
		{[]string{"a", "b"}, []string{"b"}, true}, {[]string{"a"}, []string{"a", "b"}, false},
		{[]string{}, []string{"a"}, false},
	}
	for _, test := range tests {
		if got := (Principal{Kind: Person, Workspaces: test.mine}).Covers(test.other); got != test.want {
			t.Errorf("%v covers %v: %v", test.mine, test.other, got)
		}
	}
}
