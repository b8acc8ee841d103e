package dynamo

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"holdfast/internal/store"
)

// sameItem compares items as the port does: numbers by value.
func sameItem(a, b store.Item) bool {
	if a.Key != b.Key || len(a.Attrs) != len(b.Attrs) || !a.Expires.Equal(b.Expires) || (a.Due == nil) != (b.Due == nil) {
		return false
	}
	for name, v := range a.Attrs {
		if w, has := b.Attrs[name]; !has || !v.Equal(w) {
			return false
		}
	}
	return a.Due == nil || a.Due.Shard == b.Due.Shard && a.Due.At.Equal(b.Due.At)
}

func FuzzItemsSurviveTheirRows(f *testing.F) {
	for _, name := range []string{"n", "pk", "_pk", "__", "due_sk", "nonwhole", "ttl", "_", "é"} {
		f.Add("p", "s", name, "text", "1.5", []byte{0, 1}, true, 3, int64(5), int64(7))
	}
	f.Add("p\x01", "😀", "a", "", "9223372036854775808", []byte{}, false, 0, int64(maxMillis), int64(math.MinInt32))
	f.Add(strings.Repeat("é", 1024), strings.Repeat("s", 1024), "a", "x", "-0", []byte(nil), false, 7, int64(0), int64(0))
	f.Fuzz(func(t *testing.T, pk, sk, name, word, num string, raw []byte, on bool, shard int, millis, seconds int64) {
		item := store.Item{
			Key: store.Key{PK: pk, SK: sk},
			Attrs: store.Attrs{
				name: store.S(word), name + "n": store.Decimal(num), "_" + name: store.B(raw), "on": store.T(on),
			},
			Due: &store.Due{Shard: shard, At: time.UnixMilli(millis)}, Expires: time.Unix(seconds, 0),
		}
		if tx := (store.Tx{Actions: []store.Action{store.PutItem("", item, nil)}}); tx.Validate() != nil {
			return
		}
		r := encodeItem(item)
		got, err := decodeItem(r)
		if err != nil || !sameItem(got, item) {
			t.Fatalf("%+v came back as %+v, %v", item, got, err)
		}
		checkRow(t, r)
	})
}

// checkRow checks what DynamoDB asks of a row.
func checkRow(t *testing.T, r row) {
	t.Helper()
	sort := r[attrDueSK].(*types.AttributeValueMemberS).Value
	if len(sort) > store.MaxSK || !utf8.ValidString(sort) {
		t.Fatalf("index key of %d bytes, valid %v", len(sort), utf8.ValidString(sort))
	}
	if set, has := r[attrNonwhole].(*types.AttributeValueMemberSS); has && (len(set.Value) == 0 || !slices.IsSorted(set.Value)) {
		t.Fatalf("set %q", set.Value)
	}
}

func TestNamesOfTheTableStayItsOwn(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{
		"pk", "_pk", "__pk", "sk", "_sk", "due_pk", "_due_pk", "due_sk", "ttl", "_ttl", "nonwhole", "_nonwhole", "_", "__", "x", "_x", "PK",
	} {
		column := rowName(name)
		if other, taken := seen[column]; taken || itemName(column) != name {
			t.Errorf("%q is %q, as is %q; back it is %q", name, column, other, itemName(column))
		}
		if slices.Contains([]string{attrPK, attrSK, attrDuePK, attrDueSK, attrTTL, attrNonwhole}, column) {
			t.Errorf("%q is the table's own %q", name, column)
		}
		seen[column] = name
	}
}

func TestNumbersThatAreNotWholeAreNoted(t *testing.T) {
	for text, noted := range map[string]bool{
		"5": false, "-0": false, "20e-1": false, "9223372036854775807": false, "-9223372036854775808": false, "0e200": false,
		"0.5": true, "9223372036854775808": true, "-9223372036854775809": true, "1e30": true, "1e-5": true,
	} {
		r := encodeItem(store.Item{Key: store.Key{PK: "p", SK: "s"}, Attrs: store.Attrs{"n": store.Decimal(text)}})
		if _, has := r[attrNonwhole]; has != noted {
			t.Errorf("%s: noted %v", text, has)
		}
	}
}

func TestTheIndexOrdersByTimeThenKey(t *testing.T) {
	k := func(pk, sk string) store.Key { return store.Key{PK: pk, SK: sk} }
	ordered := []string{
		dueSort(0, k("z", "z")),
		dueSort(1, k("p", "a")), dueSort(1, k("p", "b")), dueSort(1, k("p\x01", "a")), dueSort(1, k("p#", "\x01")), dueSort(1, k("é", "a")),
		dueSort(9, k("a", "a")), dueSort(10, k("a", "a")), dueSort(maxMillis, k("a", "a")),
	}
	if !slices.IsSorted(ordered) {
		t.Fatalf("not in order: %q", ordered)
	}
}

func TestAPageHoldsWhatThePortAllows(t *testing.T) {
	sized := func(bytes ...int) []store.Item {
		var items []store.Item
		for _, n := range bytes {
			it := store.Item{Key: store.Key{PK: "p", SK: "s"}, Attrs: store.Attrs{"b": store.B(nil)}}
			it.Attrs["b"] = store.B(make([]byte, n-store.Size(it)))
			items = append(items, it)
		}
		return items
	}
	for _, c := range []struct {
		items []store.Item
		want  int
	}{
		{nil, 0},
		{sized(100), 1},
		{sized(store.MaxPage/2, store.MaxPage/2), 2},
		{sized(store.MaxPage/2, store.MaxPage/2, 100), 2},
		{sized(store.MaxPage/2, store.MaxPage/2+1), 1},
		{sized(store.MaxPage + 1), 1},
	} {
		if got := fit(c.items); got != c.want {
			t.Errorf("%d items: %d fit, want %d", len(c.items), got, c.want)
		}
	}
}

func TestJitterStaysWithinItsBounds(t *testing.T) {
	for n := 1; n < 80; n++ {
		if d := jitter(n); d < 0 || d >= longestPause || n == 1 && d >= firstPause {
			t.Fatalf("pause %d is %v", n, d)
		}
	}
}
