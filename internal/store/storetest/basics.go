package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"holdfast/internal/store"
)

func basics() []clause {
	return []clause{
		{"An item has a partition key and a sort key (1 to 2,048 and 1 to 1,024 bytes of UTF-8 without NUL) and attributes of type text, number, bytes and bool.", itemShape},
		{"Empty text and empty bytes are kept and differ from an absent attribute.", emptyValues},
		{"Numbers are whole or decimal text of at most 38 significant digits and come back numerically equal.", numbers},
		{"An item is at most 400 KB: the bytes of names, values and keys together.", itemBytes},
		{"The store keeps no part of what it is given and shares none of what it answers.", noSharing},
		{"Get, GetMany and Query are strongly consistent: they see every commit that was acknowledged before they began.", consistentReads},
		{"GetMany takes at most 100 distinct keys and answers in the order asked, with absent items marked.", getMany},
		{"Expires only tidies: an expired item may still be answered, code compares times itself.", expiry},
	}
}

func itemShape(t *testing.T, s *subject) {
	longest := key(strings.Repeat("p", store.MaxPK), strings.Repeat("s", store.MaxSK))
	attrs := store.Attrs{"t": store.S("süß 🜁"), "n": store.N(-7), "b": store.B([]byte{0, 255}), "yes": store.T(true), "no": store.T(false)}
	for _, k := range []store.Key{key("p", "s"), key("é", "\x01"), longest} {
		s.put(store.Item{Key: k, Attrs: attrs})
		same(t, "item", s.get(k), store.Item{Key: k, Attrs: attrs})
	}
	s.put(item("bare", "s", nil))
	same(t, "attributes of a bare item", len(s.get(key("bare", "s")).Attrs), 0)
	for _, k := range badKeys() {
		it := store.Item{Key: k.key}
		for _, err := range []error{
			s.try(store.PutItem("", it, nil)),
			s.try(store.DeleteItem("", k.key, nil)),
			readKey(s, k.key),
		} {
			if !errors.Is(err, k.want) {
				t.Errorf("%s: got %v, want %v", k.name, err, k.want)
			}
		}
	}
	s.refused(store.ErrBadRequest, store.PutItem("", item("p", "s", store.Attrs{"": store.S("x")}), nil))
	s.refused(store.ErrBadRequest, store.PutItem("", item("p", "s", store.Attrs{"v": {}}), nil))
	s.refused(store.ErrBadRequest, store.PutItem("", item("p", "s", store.Attrs{"v": store.S("\xff")}), nil))
}

type badKey struct {
	name string
	key  store.Key
	want error
}

func badKeys() []badKey {
	return []badKey{
		{"no partition key", key("", "s"), store.ErrBadRequest},
		{"no sort key", key("p", ""), store.ErrBadRequest},
		{"NUL in the partition key", key("p\x00", "s"), store.ErrBadRequest},
		{"NUL in the sort key", key("p", "\x00s"), store.ErrBadRequest},
		{"partition key is no UTF-8", key("\xc3", "s"), store.ErrBadRequest},
		{"sort key is no UTF-8", key("p", "s\xff"), store.ErrBadRequest},
		{"partition key too long", key(strings.Repeat("p", store.MaxPK+1), "s"), store.ErrTooLarge},
		{"sort key too long", key("p", strings.Repeat("s", store.MaxSK+1)), store.ErrTooLarge},
	}
}

func readKey(s *subject, k store.Key) error {
	_, _, getting := s.Get(s.t.Context(), k)
	_, gettingMany := s.GetMany(s.t.Context(), []store.Key{k})
	if !errors.Is(gettingMany, store.ErrBadRequest) && !errors.Is(gettingMany, store.ErrTooLarge) {
		return fmt.Errorf("GetMany: %w", gettingMany)
	}
	return getting
}

func emptyValues(t *testing.T, s *subject) {
	s.put(item("p", "s", store.Attrs{"t": store.S(""), "b": store.B(nil)}))
	attrs := s.get(key("p", "s")).Attrs
	same(t, "attributes", len(attrs), 2)
	same(t, "empty text", attrs["t"], store.S(""))
	same(t, "empty bytes are bytes", attrs.Bytes("b"), []byte{})
	same(t, "absent bytes are none", attrs.Bytes("c") == nil, true)
	s.fails([]string{"absent"}, store.CheckItem("absent", key("p", "s"), store.IfEqual("c", store.S(""))))
	s.fails([]string{"type"}, store.CheckItem("type", key("p", "s"), store.IfEqual("t", store.B(nil))))
	s.commit(store.CheckItem("", key("p", "s"), store.IfEqual("t", store.S(""))))
	s.commit(store.CheckItem("", key("p", "s"), store.IfEqual("b", store.B([]byte{}))))
}

func numbers(t *testing.T, s *subject) {
	digits := strings.Repeat("1234567890", 4)
	good := []string{
		"0", "-0", "7", "-7", "007", "1.50", "-0.001", ".5", "1e3", "1E-7", "+4",
		digits[:38], "-" + digits[:38], "0." + digits[:38], digits[:38] + "000", "1e125", "1e-130",
		"9223372036854775807", "-9223372036854775808",
	}
	for i, text := range good {
		k := key("p", fmt.Sprint("s", i))
		s.put(store.Item{Key: k, Attrs: store.Attrs{"n": store.Decimal(text)}})
		if got := s.get(k).Attrs["n"]; !got.Equal(store.Decimal(text)) {
			t.Errorf("%s came back as %s", text, got.S)
		}
	}
	bad := []string{
		"", "x", "1x", "0x1", "1_0", "1/2", " 1", "1 ", "--1", "1.2.3", "e5", "1e", "Inf", "NaN",
		digits[:39], "1." + digits[:38], "1e126", "1e-131", "1e99999999999",
	}
	for _, text := range bad {
		s.refused(store.ErrBadRequest, store.PutItem("", item("p", "bad", store.Attrs{"n": store.Decimal(text)}), nil))
	}
	s.absent(key("p", "bad"))
}

func itemBytes(t *testing.T, s *subject) {
	fits := item("p", "s", store.Attrs{"blob": store.B(nil), "text": store.S("x")})
	fits.Attrs["blob"] = store.B(bytes.Repeat([]byte{7}, store.MaxItem-store.Size(fits)))
	same(t, "size", store.Size(fits), store.MaxItem)
	s.put(fits)
	same(t, "largest item", s.get(fits.Key), fits)

	long := store.Attrs{"blob": fits.Attrs["blob"], "text": store.S("xy")}
	s.refused(store.ErrTooLarge, store.PutItem("", item("p", "s", long), nil))
	named := store.Attrs{"blob": fits.Attrs["blob"], "texts": store.S("x")}
	s.refused(store.ErrTooLarge, store.PutItem("", item("p", "s", named), nil))
	s.refused(store.ErrTooLarge, store.PutItem("", item("p", "ss", fits.Attrs), nil))
	s.refused(store.ErrTooLarge, store.AddTo("", key("p", "s"), map[string]int64{"n": 1}, nil))
	same(t, "largest item after refusals", s.get(fits.Key), fits)
}

func noSharing(t *testing.T, s *subject) {
	given := item("p", "s", store.Attrs{"b": store.B([]byte("abc")), "t": store.S("x")})
	want := item("p", "s", store.Attrs{"b": store.B([]byte("abc")), "t": store.S("x")})
	s.put(given)
	given.Attrs["b"].B[0] = 'X'
	given.Attrs["more"] = store.T(true)
	same(t, "after changing what was given", s.get(given.Key), want)
	for range 2 {
		page := s.query(store.Query{PK: "p"})
		many, err := s.GetMany(t.Context(), []store.Key{given.Key})
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []store.Item{s.get(given.Key), page.Items[0], *many[0]} {
			same(t, "after changing what was answered", got, want)
			got.Attrs["b"].B[0] = 'Y'
			same(t, "grown bytes", len(append(got.Attrs["b"].B, 'Z')), 4)
			delete(got.Attrs, "t")
		}
	}
}

func consistentReads(t *testing.T, s *subject) {
	k := key("p", "s")
	for n := range int64(50) {
		s.put(store.Item{Key: k, Attrs: store.Attrs{"n": store.N(n)}})
		many, err := s.GetMany(t.Context(), []store.Key{k})
		if err != nil {
			t.Fatal(err)
		}
		page := s.query(store.Query{PK: "p"})
		same(t, "get", s.get(k).Attrs.Int("n"), n)
		same(t, "get many", many[0].Attrs.Int("n"), n)
		same(t, "query", page.Items[0].Attrs.Int("n"), n)
	}
}

func getMany(t *testing.T, s *subject) {
	s.fill("p", "a", "b", "c")
	got, err := s.GetMany(t.Context(), []store.Key{key("p", "c"), key("p", "x"), key("p", "a"), key("q", "a")})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "answers", len(got), 4)
	same(t, "found", []bool{got[0] != nil, got[1] != nil, got[2] != nil, got[3] != nil}, []bool{true, false, true, false})
	same(t, "order", []string{got[0].Key.SK, got[2].Key.SK}, []string{"c", "a"})

	var keys []store.Key
	for n := range store.MaxGetMany + 1 {
		keys = append(keys, key("p", fmt.Sprint(n)))
	}
	if got, err := s.GetMany(t.Context(), keys[:store.MaxGetMany]); err != nil || len(got) != store.MaxGetMany {
		t.Fatalf("100 keys: %d answers, %v", len(got), err)
	}
	if got, err := s.GetMany(t.Context(), nil); err != nil || len(got) != 0 {
		t.Fatalf("no keys: %d answers, %v", len(got), err)
	}
	if _, err := s.GetMany(t.Context(), keys); !errors.Is(err, store.ErrTooLarge) {
		t.Fatalf("101 keys: %v", err)
	}
	if _, err := s.GetMany(t.Context(), []store.Key{keys[0], keys[1], keys[0]}); !errors.Is(err, store.ErrBadRequest) {
		t.Fatalf("a key twice: %v", err)
	}
}

func expiry(t *testing.T, s *subject) {
	past := time.Date(2020, 2, 29, 23, 59, 59, 999, time.UTC)
	kept := item("p", "kept", store.Attrs{"t": store.S("x")})
	kept.Expires = time.Date(2999, 1, 1, 0, 0, 0, 1, time.FixedZone("east", 3600))
	gone := item("p", "gone", nil)
	gone.Expires = past
	s.put(kept, gone)
	kept.Expires = kept.Expires.UTC().Truncate(time.Second)
	same(t, "item", s.get(kept.Key), kept)
	if it, found, err := s.Get(t.Context(), gone.Key); err != nil || found && !it.Expires.Equal(past.Truncate(time.Second)) {
		t.Fatalf("expired item: %v, %v", it.Expires, err)
	}
	kept.Expires = time.Time{}
	s.put(kept)
	same(t, "without expiry", s.get(kept.Key).Expires.IsZero(), true)
}
