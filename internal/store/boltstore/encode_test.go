package boltstore

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"reflect"
	"testing"
	"time"
	"unicode/utf8"

	"holdfast/internal/store"
)

func example() store.Item {
	return store.Item{
		Key: store.Key{PK: "p#1", SK: "s"},
		Attrs: store.Attrs{
			"text": store.S("ebb"), "none": store.S(""), "n": store.N(-42), "on": store.T(true), "off": store.T(false),
			"blob": store.B([]byte{1, 2, 3}), "bare": store.B([]byte{}),
		},
		Due:     &store.Due{Shard: 5, At: time.UnixMilli(1_900_000_000_123).UTC()},
		Expires: time.Unix(1_900_000_777, 0).UTC(),
	}
}

// TestTheEncodingOfAnItemIsFixed: files outlive the program that wrote them.
func TestTheEncodingOfAnItemIsFixed(t *testing.T) {
	const golden = "01" + "464c6d78" + "03" + // version, checksum, flags
		"05" + "000001ba60d3387b" + "00000000713fb609" + // due, expires
		"58" + "07" + "31" + // size, count, head
		"42" + "0462617265" + "00" + // bare
		"42" + "04626c6f62" + "03" + // blob
		"4e" + "016e" + "032d3432" + // n
		"53" + "046e6f6e65" + "00" + // none
		"54" + "036f6666" + "00" + // off
		"54" + "026f6e" + "01" + // on
		"53" + "0474657874" + "03656262" + // text
		"010203"
	item := example()
	key := itemKey(item.Key)
	if got := hex.EncodeToString(encode(key, item)); got != golden {
		t.Errorf("encoded as\n%s, not\n%s", got, golden)
	}
	raw, err := hex.DecodeString(golden)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := decode(key, raw)
	if err != nil || !reflect.DeepEqual(decoded, item) {
		t.Errorf("decoded as %+v, %v", decoded, err)
	}
}

func TestAnAttributeIsFoundWithoutDecodingTheItem(t *testing.T) {
	item := example()
	key := itemKey(item.Key)
	h, err := openItem(key, encode(key, item))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"text", "none", "n", "on", "off", "blob", "bare", "absent"} {
		got, has := h.attr(name)
		want, exists := item.Attrs[name]
		if has != exists || !got.Equal(want) {
			t.Errorf("%s: %v, %v", name, got, has)
		}
	}
}

func TestEveryChangedByteOfAnItemIsFound(t *testing.T) {
	item := example()
	key := itemKey(item.Key)
	raw := encode(key, item)
	for i := range raw {
		bad := bytes.Clone(raw)
		bad[i] ^= 0x10
		if _, err := decode(key, bad); !errors.Is(err, ErrCorrupt) {
			t.Errorf("byte %d: %v", i, err)
		}
	}
	for n := range raw {
		if _, err := decode(key, raw[:n]); !errors.Is(err, ErrCorrupt) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
	if _, err := decode(itemKey(store.Key{PK: "p#1", SK: "t"}), raw); !errors.Is(err, ErrCorrupt) {
		t.Errorf("under another key: %v", err)
	}
}

// FuzzDecode gives the decoder any content with a right checksum.
func FuzzDecode(f *testing.F) {
	item := example()
	raw := encode(itemKey(item.Key), item)
	f.Add(raw[headerBytes-1:])
	f.Add([]byte{})
	f.Add([]byte{0, 0, 3, 2, 'S', 1})
	f.Add([]byte{0, 10, 0xff, 0xff, 0xff, 0xff, 0x0f, 0})
	f.Fuzz(func(t *testing.T, body []byte) {
		key := itemKey(store.Key{PK: "p", SK: "s"})
		raw := append([]byte{itemVersion, 0, 0, 0, 0}, body...)
		if len(raw) >= headerBytes {
			binary.BigEndian.PutUint32(raw[1:], checksum(key, raw))
		}
		h, err := openItem(key, raw)
		if err != nil {
			return
		}
		h.attr("x")
		if item, err := h.item(key); err == nil && len(item.Attrs) > h.count {
			t.Fatal("more attributes than there are")
		}
	})
}

func FuzzItemRoundTrip(f *testing.F) {
	f.Add("p", "s", "name", "text", []byte{1}, int64(5), uint8(3))
	f.Add("é", "#", "n", "", []byte{}, int64(-1), uint8(0))
	f.Fuzz(func(t *testing.T, pk, sk, name, text string, blob []byte, n int64, flags uint8) {
		item := store.Item{Key: store.Key{PK: pk, SK: sk}, Attrs: store.Attrs{
			name: store.S(text), name + "b": store.B(append([]byte{}, blob...)), name + "n": store.N(n), name + "t": store.T(n > 0),
		}}
		if flags&1 != 0 {
			item.Due = &store.Due{Shard: int(flags) % store.Shards, At: time.UnixMilli(n & 0xffffffffffff).UTC()}
		}
		if flags&2 != 0 {
			item.Expires = time.Unix(n&0xffffffff, 0).UTC()
		}
		if (store.Tx{Actions: []store.Action{store.PutItem("", item, nil)}}).Validate() != nil {
			return
		}
		key := itemKey(item.Key)
		decoded, err := decode(key, encode(key, item))
		if err != nil || !reflect.DeepEqual(decoded, item) {
			t.Fatalf("%+v came back as %+v, %v", item, decoded, err)
		}
	})
}

// FuzzItemKeyOrder: the bucket's order is by partition key, then sort key, and a
// key comes back.
func FuzzItemKeyOrder(f *testing.F) {
	f.Add("p", "s", "p#", "a")
	f.Add("p", "z", "pp", "a")
	f.Add("p", "\x01", "p", "é")
	f.Fuzz(func(t *testing.T, pk1, sk1, pk2, sk2 string) {
		a, b := store.Key{PK: pk1, SK: sk1}, store.Key{PK: pk2, SK: sk2}
		if a.Validate() != nil || b.Validate() != nil {
			return
		}
		want := cmp.Or(cmp.Compare(pk1, pk2), cmp.Compare(sk1, sk2))
		if got := bytes.Compare(itemKey(a), itemKey(b)); got != want {
			t.Errorf("%q and %q: %d", a, b, got)
		}
		if parsed, ok := parseItemKey(itemKey(a)); !ok || parsed != a {
			t.Errorf("%q came back as %q", a, parsed)
		}
		if bytes.IndexByte(itemKey(a), past) >= 0 || !utf8.Valid(itemKey(a)) {
			t.Errorf("%q holds a byte that bounds a partition", a)
		}
	})
}

func TestDueKeysSortByShardTimeAndKey(t *testing.T) {
	at := func(shard int, ms int64, key string) []byte {
		return dueKey(store.Due{Shard: shard, At: time.UnixMilli(ms)}, []byte(key))
	}
	ordered := [][]byte{
		at(0, 0, "z"), at(0, 1, "a"), at(0, 1, "b"), at(0, 255, "a"), at(0, 256, "a"), at(0, 1<<40, "a"), at(1, 0, "a"), at(7, 0, "a"),
	}
	for i := 1; i < len(ordered); i++ {
		if bytes.Compare(ordered[i-1], ordered[i]) >= 0 {
			t.Errorf("%x is not below %x", ordered[i-1], ordered[i])
		}
	}
}
