package storetest

import (
	"errors"
	"testing"
	"time"

	"holdfast/internal/store"
)

// Damager is a store whose items a test can damage. An engine that cannot be
// reached behind its back keeps the sentence by itself.
type Damager interface {
	// Damage changes the stored form of an item that is there.
	Damage(key store.Key) error
}

func damage() []clause {
	return []clause{
		{"An item that is no longer what was written is never answered: every read that meets it and every commit that looks at it is ErrDamaged, and all else goes on.", damaged},
	}
}

func damaged(t *testing.T, s *subject) {
	for _, sk := range []string{"a", "b", "c"} {
		it := item("p", sk, store.Attrs{"blob": store.B([]byte("abc"))})
		it.Due = &store.Due{Shard: 1, At: time.UnixMilli(1000)}
		s.put(it)
	}
	d, ok := s.Store.(Damager)
	if !ok {
		t.Log("nothing here can damage an item")
		return
	}
	if err := d.Damage(key("p", "b")); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	_, _, getting := s.Get(ctx, key("p", "b"))
	_, gettingMany := s.GetMany(ctx, []store.Key{key("p", "a"), key("p", "b")})
	_, querying := s.Query(ctx, store.Query{PK: "p"})
	_, due := s.Due(ctx, store.DueQuery{Shard: 1, Until: time.UnixMilli(2000)})
	putting := s.try(store.PutItem("", item("p", "b", nil), nil), store.PutItem("", item("p", "d", nil), nil))
	for i, err := range []error{getting, gettingMany, querying, due, putting} {
		if !errors.Is(err, store.ErrDamaged) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	s.absent(key("p", "d"))
	same(t, "the one beside it", s.get(key("p", "a")).Attrs.Bytes("blob"), []byte("abc"))
	same(t, "the page before it", len(s.query(store.Query{PK: "p", To: "a"}).Items), 1)
	s.put(item("p", "e", nil))
}
