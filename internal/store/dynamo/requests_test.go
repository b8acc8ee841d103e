package dynamo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/dynamo"
)

var update = flag.Bool("update", false, "write the golden files anew")

// full is an item with every type of attribute, awkward names, and all the rest.
func full() store.Item {
	return store.Item{
		Key: store.Key{PK: "p#é", SK: "s"},
		Attrs: store.Attrs{
			"text": store.S("süß"), "none": store.S(""), "whole": store.Decimal("20e-1"), "zero": store.Decimal("-0.0e-200"),
			"half": store.Decimal("0.50"), "wide": store.Decimal("12345678901234567890123456789012345678"),
			"bytes": store.B([]byte{0, 255}), "empty": store.B(nil), "yes": store.T(true), "no": store.T(false),
			"pk": store.N(1), "ttl": store.S("x"), "nonwhole": store.T(true), "_x": store.S("y"), "__": store.S("z"),
		},
		Due:     &store.Due{Shard: 3, At: time.UnixMilli(1_700_000_000_123)},
		Expires: time.Unix(1_800_000_000, 999),
	}
}

// requests are the calls whose requests the golden file holds, in this order.
var requests = []struct {
	name string
	run  func(context.Context, *dynamo.Store) error
}{
	{"get", func(ctx context.Context, s *dynamo.Store) error {
		_, _, err := s.Get(ctx, somewhere)
		return err
	}},
	{"get many", func(ctx context.Context, s *dynamo.Store) error {
		_, err := s.GetMany(ctx, keysOf("a", "b"))
		return err
	}},
	{"query all", query(store.Query{PK: "p"})},
	{"query descending", query(store.Query{PK: "p", Desc: true, Limit: 7})},
	{"query from", query(store.Query{PK: "p", From: "b"})},
	{"query to", query(store.Query{PK: "p", To: "y"})},
	{"query between", query(store.Query{PK: "p", From: "b", To: "y"})},
	{"query prefix", query(store.Query{PK: "p", Prefix: "b#", Limit: math.MaxInt})},
	{"query next page", query(store.Query{PK: "p", Cursor: store.Query{PK: "p"}.NewCursor("m")})},
	{"due", due(store.DueQuery{Shard: 5, Until: time.UnixMilli(1_700_000_000_123), Limit: 9})},
	{"due next page", due(store.DueQuery{Shard: 5, Until: time.UnixMilli(99),
		Cursor: store.DueQuery{Shard: 5}.NewCursor("0000000000000042p\x00s")})},
	{"due of all times", due(store.DueQuery{Until: time.UnixMilli(math.MaxInt64 / 2)})},
	{"scan", func(ctx context.Context, s *dynamo.Store) error {
		return s.Scan(ctx, func(store.Item) error { return nil })
	}},
	{"put", commits(store.PutItem("", full(), nil))},
	{"put if absent", commits(store.PutItem("", store.Item{Key: somewhere}, store.IfAbsent()))},
	{"put if equal", commits(store.PutItem("", store.Item{Key: somewhere}, store.IfEqual("ttl", store.Decimal("15e-1"))))},
	{"delete", commits(store.DeleteItem("", somewhere, nil))},
	{"delete if exists", commits(store.DeleteItem("", somewhere, store.IfExists()))},
	{"add", commits(store.AddTo("", somewhere, map[string]int64{"n": 5, "m": -2}, nil))},
	{"add if equal", commits(store.AddTo("", somewhere, map[string]int64{"pk": 0}, store.IfEqual("pk", store.B([]byte("x")))))},
	{"check", commits(store.CheckItem("", somewhere, store.IfEqual("on", store.T(true))))},
	{"transaction", commits(mixed.Actions...)},
	{"create table", func(ctx context.Context, s *dynamo.Store) error { return s.CreateTable(ctx) }},
	{"drop table", func(ctx context.Context, s *dynamo.Store) error { return s.DropTable(ctx) }},
}

func query(q store.Query) func(context.Context, *dynamo.Store) error {
	return func(ctx context.Context, s *dynamo.Store) error {
		_, err := s.Query(ctx, q)
		return err
	}
}

func due(q store.DueQuery) func(context.Context, *dynamo.Store) error {
	return func(ctx context.Context, s *dynamo.Store) error {
		_, err := s.Due(ctx, q)
		return err
	}
}

func commits(actions ...store.Action) func(context.Context, *dynamo.Store) error {
	return func(ctx context.Context, s *dynamo.Store) error { return s.Commit(ctx, store.Tx{Actions: actions}) }
}

// TestRequestsAreAsWritten compares every request with the golden file, a line each.
// Every call is one request, but that the new table is waited for.
func TestRequestsAreAsWritten(t *testing.T) {
	var got bytes.Buffer
	body := json.NewEncoder(&got)
	body.SetEscapeHTML(false)
	for _, r := range requests {
		s, d := start(t, answers(200, `{"Table":{"TableStatus":"ACTIVE"}}`))
		if err := r.run(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		for _, c := range d.seen() {
			got.WriteString(r.name + ": " + c.operation + " ")
			if err := body.Encode(c.body); err != nil {
				t.Fatal(err)
			}
		}
	}
	golden(t, "requests.txt", got.Bytes())
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s differs; look at the change and run the test with -update:\n%s", path, got)
	}
}

func TestACursorThatIsNoPositionIsBad(t *testing.T) {
	s, d := start(t, fine)
	for _, position := range []string{"", "1", "000000000000004xp\x00s", "0000000000000042ps", "0000000000000042p\x00", "0000000000000042\x00s"} {
		_, err := s.Due(t.Context(), store.DueQuery{Until: time.UnixMilli(99), Cursor: store.DueQuery{}.NewCursor(position)})
		if err == nil {
			t.Errorf("position %q is taken", position)
		}
	}
	if d.tryCount() != 0 {
		t.Fatalf("%d requests", d.tryCount())
	}
}

// TestWhatNeedsNoRequestSendsNone covers queries whose answer is known to be empty,
// which DynamoDB would refuse.
func TestWhatNeedsNoRequestSendsNone(t *testing.T) {
	s, d := start(t, fine)
	later := store.DueQuery{}.NewCursor("0000000000000042p\x00s")
	for name, run := range map[string]func(context.Context, *dynamo.Store) error{
		"crossed bounds":       query(store.Query{PK: "p", From: "b", To: "a"}),
		"due before all times": due(store.DueQuery{Until: time.UnixMilli(-1)}),
		"due past its cursor":  due(store.DueQuery{Until: time.UnixMilli(41), Cursor: later}),
		"no keys": func(ctx context.Context, s *dynamo.Store) error {
			_, err := s.GetMany(ctx, nil)
			return err
		},
	} {
		if err := run(t.Context(), s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d.tryCount() != 0 {
		t.Fatalf("%d requests", d.tryCount())
	}
}

func TestATableThatIsThereIsLeft(t *testing.T) {
	s, d := start(t, refuses(400, "ResourceInUseException", ""),
		answers(200, `{"Table":{"TableStatus":"ACTIVE"}}`), refuses(400, "ResourceNotFoundException", ""))
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.DropTable(t.Context()); err != nil || d.tryCount() != 3 {
		t.Fatalf("%d requests, %v", d.tryCount(), err)
	}
}

func TestATableThatCannotBeMadeIsAnError(t *testing.T) {
	s, _ := start(t, refuses(400, "AccessDeniedException", ""))
	unknown(t, s.CreateTable(t.Context()))
	unknown(t, s.DropTable(t.Context()))
}

func TestAStoreNeedsATable(t *testing.T) {
	if _, err := dynamo.New(dynamo.Options{}); err == nil {
		t.Fatal("a store without a table name")
	}
}
