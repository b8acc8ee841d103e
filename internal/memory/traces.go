package memory

import (
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Traces are the rows beside its own that listed a deleted memory: none is there after
// its deletion.
func Traces(scope tenant.Scope, stone *Memory) []store.Key {
	out := []store.Key{listKey(scope, stone), keys.Quarantined(scope, stone.ID)}
	if stone.Layer == Tenant {
		out = append(out, keys.TenantMemory(scope.TenantID(), stone.ID), keys.TenantFloor(scope.TenantID(), stone.ID))
	}
	d := stone.Deletion
	if d == nil {
		return out
	}
	for _, hash := range d.Subject {
		out = append(out, keys.Subject(scope, hash, Family, stone.ID))
	}
	if d.Run != "" {
		out = append(out, keys.RunEntry(scope, d.Run, stone.ID))
	}
	return out
}

// Unname is the action that takes a memory out of a look-up row, while the row is as it
// was read; named false: it is not in there. stamp tells the row's new state from all
// before.
func Unname(item store.Item, id, stamp string) (action store.Action, named bool, err error) {
	if _, words := item.Attrs[attrEntries]; words {
		row := decodeDuplicates(item)
		row.remove(id)
		action, named = row.action("look-up")
		return action, named, nil
	}
	row, err := decodeCurrent(item.Key, &item)
	if err != nil || !row.drop(id) {
		return store.Action{}, false, err
	}
	action, err = row.action("look-up", stamp)
	return action, true, err
}
