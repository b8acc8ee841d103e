package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSizeCountsAsDynamoDBDoes(t *testing.T) {
	base := Item{Key: Key{PK: "pppp", SK: "sss"}}
	for _, c := range []struct {
		name string
		item Item
		want int
	}{
		{"keys with their names", base, 2 + 4 + 2 + 3},
		{"text in bytes", with(base, S("süß")), 11 + 1 + 5},
		{"bytes", with(base, B(make([]byte, 100))), 11 + 1 + 100},
		{"bool", with(base, T(false)), 11 + 1 + 1},
		{"small number", with(base, N(7)), 11 + 1 + 2},
		{"number of 10 digits", with(base, N(1234567890)), 11 + 1 + 7},
		{"longest number", with(base, Decimal(strings.Repeat("1", 38))), 11 + 1 + 21},
		{"expires", Item{Key: base.Key, Expires: time.Unix(1, 0)}, 11 + 3 + 6},
		{"due", Item{Key: base.Key, Due: &Due{}}, 11 + 6 + 6 + 5 + 16 + 1 + 7},
	} {
		if got := Size(c.item); got != c.want {
			t.Errorf("%s: %d bytes, not %d", c.name, got, c.want)
		}
	}
}

func with(item Item, v Value) Item {
	item.Attrs = Attrs{"a": v}
	return item
}

func TestAttributesAnswerTheirTypeOnly(t *testing.T) {
	attrs := Attrs{"s": S("7"), "n": N(7), "f": Decimal("0.5"), "b": B([]byte{7}), "t": T(true), "z": Decimal("70e-1")}
	for name, want := range map[string]string{
		"s": `"7" 0 "" false`, "n": `"" 7 "" false`, "f": `"" 0 "" false`, "b": `"" 0 "\a" false`,
		"t": `"" 0 "" true`, "z": `"" 7 "" false`, "absent": `"" 0 "" false`,
	} {
		got := fmt.Sprintf("%q %d %q %v", attrs.Text(name), attrs.Int(name), attrs.Bytes(name), attrs.Bool(name))
		if got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
}

func TestValuesAreEqualByTypeAndValue(t *testing.T) {
	values := []Value{{}, S(""), S("1"), N(1), N(-1), Decimal("1.5"), B([]byte{}), B([]byte("1")), T(true), T(false)}
	for i, v := range values {
		for j, w := range values {
			if v.Equal(w) != (i == j) {
				t.Errorf("%v and %v: %v", v, w, v.Equal(w))
			}
		}
	}
	if !N(1).Equal(Decimal("1.0")) || !B(nil).Equal(B([]byte{})) {
		t.Error("another form of the same value differs")
	}
}

func TestAConditionErrorNamesLabelsAlsoWhenWrapped(t *testing.T) {
	err := fmt.Errorf("write: %w", &ConditionError{Labels: []string{"head", "idem"}})
	if !Failed(err, "head") || !Failed(err, "idem") || Failed(err, "log") || Failed(ErrConflict, "head") || Failed(nil, "head") {
		t.Error("labels are not told apart")
	}
	if text := err.Error(); text != "write: store: condition failed: head, idem" {
		t.Error(text)
	}
}

func TestACursorGoesBackToItsQueryOnly(t *testing.T) {
	q := Query{PK: "p", From: "b", To: "y"}
	q.Cursor = q.NewCursor("m")
	if sk, err := q.OpenCursor(); err != nil || sk != "m" {
		t.Fatal(sk, err)
	}
	due := DueQuery{Shard: 3}
	due.Cursor = due.NewCursor("m")
	if at, err := due.OpenCursor(); err != nil || at != "m" {
		t.Fatal(at, err)
	}
	for name, bad := range map[string]Query{
		"partition":      {PK: "q", Cursor: q.Cursor},
		"direction":      {PK: "p", Desc: true, Cursor: q.Cursor},
		"lower bound":    {PK: "p", From: "n", Cursor: q.Cursor},
		"upper bound":    {PK: "p", To: "l", Cursor: q.Cursor},
		"prefix":         {PK: "p", Prefix: "n", Cursor: q.Cursor},
		"of a due query": {PK: "3", Cursor: due.Cursor},
		"cut":            {PK: "p", Cursor: q.Cursor[:8]},
	} {
		if _, err := bad.OpenCursor(); !errors.Is(err, ErrBadCursor) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, bad := range map[string]DueQuery{"shard": {Shard: 4, Cursor: due.Cursor}, "of a query": {Shard: 3, Cursor: q.Cursor}} {
		if _, err := bad.OpenCursor(); !errors.Is(err, ErrBadCursor) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzCursors: text that the query did not make is refused, and never panics.
func FuzzCursors(f *testing.F) {
	q := Query{PK: "p"}
	f.Add("p", "s", q.NewCursor("s"))
	f.Add("p", "", "")
	f.Add("é", "s", "AAAAAAAAAAAAAAAAAAAAAAAA")
	f.Fuzz(func(t *testing.T, pk, sk, text string) {
		q := Query{PK: pk}
		q.Cursor = q.NewCursor(sk)
		if got, err := q.OpenCursor(); err != nil || got != sk {
			t.Fatalf("%q came back as %q, %v", sk, got, err)
		}
		q.Cursor = text
		if got, err := q.OpenCursor(); err == nil && q.NewCursor(got) != text {
			t.Errorf("%q was taken", text)
		}
	})
}

func TestSelects(t *testing.T) {
	all := []string{"a", "ab", "b", "ba", "c"}
	for _, c := range []struct {
		q    Query
		want []string
	}{
		{Query{}, all},
		{Query{From: "ab"}, all[1:]},
		{Query{To: "b"}, all[:3]},
		{Query{From: "ab", To: "ba"}, all[1:4]},
		{Query{Prefix: "b"}, all[2:4]},
		{Query{From: "d"}, nil},
	} {
		var got []string
		for _, sk := range all {
			if c.q.Selects(sk) {
				got = append(got, sk)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v selects %q", c.q, got)
		}
	}
}
