package erasure

import (
	"encoding/json"

	"holdfast/internal/store"
)

// EncodeKeys is a list of keys as an attribute.
func EncodeKeys(list []store.Key) store.Value {
	raw, err := json.Marshal(list)
	if err != nil {
		panic("erasure: keys: " + err.Error()) // structs of strings
	}
	return store.B(raw)
}

// DecodeKeys reads what EncodeKeys made; what is not that is none.
func DecodeKeys(v store.Value) []store.Key {
	var out []store.Key
	if json.Unmarshal(v.B, &out) != nil {
		return nil
	}
	return out
}
