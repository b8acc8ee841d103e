package erasure

import (
	"reflect"
	"testing"

	"holdfast/internal/store"
)

// FuzzKeysComeBack: what was encoded is decoded, and anything else is no list of keys.
func FuzzKeysComeBack(f *testing.F) {
	f.Add("pk", "sk", []byte(`[{"PK":"a","SK":"b"}]`))
	f.Add("", "", []byte("null"))
	f.Fuzz(func(t *testing.T, pk, sk string, raw []byte) {
		key := store.Key{PK: pk, SK: sk}
		if key.Validate() == nil && !reflect.DeepEqual(DecodeKeys(EncodeKeys([]store.Key{key})), []store.Key{key}) {
			t.Errorf("%q %q", pk, sk)
		}
		DecodeKeys(store.B(raw))
	})
}
