package storetest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"holdfast/internal/store"
)

// The small worlds that programs choose from, so that operations meet.
var (
	pks   = []string{"p", "p#", "p\x01", "é"}
	sks   = []string{"a", "a#", "a#1", "b", "\x01", "é", "😀", "~"}
	names = []string{"n", "t", "b", "on"}
	texts = []string{"", "x", "süß"}
	nums  = []string{"5", "5.0", "50e-1", "-1", "0", "150", "1.5e2", "0.5", "123456789012345678901234567890.12345678"}
	bad   = []store.Value{{}, store.Decimal("1e999"), store.S("\xff")}
)

// script reads a program: each choice takes a byte, and none are zeros.
type script struct{ rest []byte }

func (p *script) choose(n int) int {
	if len(p.rest) == 0 {
		return 0
	}
	b := p.rest[0]
	p.rest = p.rest[1:]
	return int(b) % n
}

func pick[T any](p *script, from []T) T { return from[p.choose(len(from))] }

// rarely is true once in many times.
func (p *script) rarely() bool { return p.choose(32) == 31 }

type operation func(context.Context, store.Store) outcome

func (p *script) operation() (name string, run operation) {
	switch p.choose(8) {
	case 0:
		return "get", p.get()
	case 1:
		return "get many", p.getMany()
	case 2, 3:
		return "query", p.query()
	case 4:
		return "due", p.due()
	}
	return "commit", p.commit()
}

func (p *script) key() store.Key {
	if p.rarely() {
		return store.Key{PK: pick(p, pks), SK: pick(p, []string{"", "\x00", "\xff"})}
	}
	return store.Key{PK: pick(p, pks), SK: pick(p, sks)}
}

func (p *script) get() operation {
	k := p.key()
	return func(ctx context.Context, s store.Store) outcome {
		it, found, err := s.Get(ctx, k)
		if err != nil || !found {
			return items(nil, err)
		}
		return items([]store.Item{it}, nil)
	}
}

func (p *script) getMany() operation {
	var ks []store.Key
	for range p.choose(5) {
		ks = append(ks, p.key())
	}
	return func(ctx context.Context, s store.Store) outcome {
		found, err := s.GetMany(ctx, ks)
		var all []store.Item
		for _, it := range found {
			if it == nil {
				it = &store.Item{}
			}
			all = append(all, *it)
		}
		return items(all, err)
	}
}

func (p *script) query() operation {
	q := store.Query{PK: pick(p, pks), Limit: p.choose(4), Desc: p.choose(2) == 1}
	switch p.choose(5) {
	case 1:
		q.From = pick(p, sks)
	case 2:
		q.To = pick(p, sks)
	case 3:
		q.From, q.To = pick(p, sks), pick(p, sks)
	case 4:
		q.Prefix = pick(p, sks)
	}
	return func(ctx context.Context, s store.Store) outcome {
		return items(allPages(ctx, "", func(ctx context.Context, cursor string) (store.Page, error) {
			q.Cursor = cursor
			return s.Query(ctx, q)
		}))
	}
}

func (p *script) due() operation {
	q := store.DueQuery{Shard: p.choose(3), Until: time.UnixMilli(int64(p.choose(8))), Limit: p.choose(3)}
	return func(ctx context.Context, s store.Store) outcome {
		return items(allPages(ctx, "", func(ctx context.Context, cursor string) (store.Page, error) {
			q.Cursor = cursor
			return s.Due(ctx, q)
		}))
	}
}

func (p *script) commit() operation {
	var actions []store.Action
	for n := range 1 + p.choose(4) {
		actions = append(actions, p.action(fmt.Sprint("l", n)))
	}
	return func(ctx context.Context, s store.Store) outcome {
		return items(nil, s.Commit(ctx, store.Tx{Actions: slices.Clone(actions)}))
	}
}

func (p *script) action(label string) store.Action {
	k, cond := p.key(), p.cond()
	switch p.choose(6) {
	case 0:
		return store.DeleteItem(label, k, cond)
	case 1:
		return store.CheckItem(label, k, cond)
	case 2:
		return store.AddTo(label, k, map[string]int64{pick(p, names): int64(p.choose(4)) - 1}, cond)
	}
	return store.PutItem(label, p.item(k), cond)
}

func (p *script) cond() *store.Cond {
	switch p.choose(6) {
	case 0:
		return store.IfAbsent()
	case 1:
		return store.IfExists()
	case 2:
		return store.IfEqual(pick(p, names), p.value())
	}
	return nil
}

func (p *script) item(k store.Key) store.Item {
	it := store.Item{Key: k, Attrs: store.Attrs{}}
	for range p.choose(4) {
		it.Attrs[pick(p, names)] = p.value()
	}
	if p.choose(3) == 0 {
		it.Due = &store.Due{Shard: p.choose(3), At: time.UnixMicro(int64(p.choose(8)) * 700)}
	}
	if p.choose(6) == 0 {
		it.Expires = time.Unix(int64(p.choose(5)), int64(p.choose(1000)))
	}
	if p.rarely() {
		it.Attrs["blob"] = store.B(bytes.Repeat([]byte{7}, 300<<10+p.choose(2)*200<<10))
	}
	return it
}

func (p *script) value() store.Value {
	switch p.choose(6) {
	case 0, 1:
		return store.Decimal(pick(p, nums))
	case 2:
		return store.S(pick(p, texts))
	case 3:
		return store.T(p.choose(2) == 1)
	case 4:
		return store.B([]byte(pick(p, texts)))
	}
	if p.rarely() {
		return pick(p, bad)
	}
	return store.N(int64(p.choose(3)))
}
