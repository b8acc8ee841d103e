package boltstore

import (
	"bytes"
	"maps"

	"holdfast/internal/store"
)

// step is an action made ready by its caller's goroutine: encoded, and with
// nothing in it that the caller can still change.
type step struct {
	verb  store.Verb
	key   []byte
	value []byte // Put: the encoded item
	due   *store.Due
	add   map[string]int64
	cond  *store.Cond
	label string
}

func prepare(tx store.Tx) *pending {
	p := &pending{steps: make([]step, len(tx.Actions)), done: make(chan error, 1)}
	for i, action := range tx.Actions {
		p.steps[i] = prepareStep(action)
		p.bytes += len(p.steps[i].key) + len(p.steps[i].value)
	}
	return p
}

func prepareStep(action store.Action) step {
	s := step{verb: action.Verb, key: itemKey(action.Item.Key), label: action.Label}
	if action.If != nil {
		cond := *action.If
		cond.Value.B = bytes.Clone(cond.Value.B)
		s.cond = &cond
	}
	switch action.Verb {
	case store.Put:
		s.value = encode(s.key, action.Item)
		if action.Item.Due != nil {
			due := *action.Item.Due
			s.due = &due
		}
	case store.Add:
		s.add = maps.Clone(action.Add)
	}
	return s
}
