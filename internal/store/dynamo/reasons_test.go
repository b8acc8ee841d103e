package dynamo_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/store"
)

// cancels is the reply of a transaction that is cancelled for these reasons, one an
// action; a reason may have a text and a row behind a bar.
func cancels(reasons ...string) reply {
	type reason struct {
		Code    string
		Message string          `json:",omitempty"`
		Item    json.RawMessage `json:",omitempty"`
	}
	var all []reason
	for _, r := range reasons {
		parts := append(strings.Split(r, "|"), "", "")
		all = append(all, reason{Code: parts[0], Message: parts[1], Item: json.RawMessage(parts[2])})
	}
	list, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return refuses(400, "TransactionCanceledException", `,"CancellationReasons":`+string(list))
}

// mixed is a transaction of every verb; three actions have conditions.
var mixed = store.Tx{Actions: []store.Action{
	store.PutItem("z put", store.Item{Key: store.Key{PK: "p", SK: "1"}}, store.IfAbsent()),
	store.DeleteItem("a delete", store.Key{PK: "p", SK: "2"}, store.IfEqual("v", store.N(7))),
	store.CheckItem("m check", store.Key{PK: "p", SK: "3"}, store.IfExists()),
	store.AddTo("add", store.Key{PK: "p", SK: "4"}, map[string]int64{"n": 1}, store.IfEqual("v", store.S("x"))),
}}

const (
	failed  = "ConditionalCheckFailed"
	addRow  = failed + `||{"pk":{"S":"p"},"sk":{"S":"4"},"v":{"S":"x"},"n":{"N":"9223372036854775807"}}`
	elseRow = failed + `||{"pk":{"S":"p"},"sk":{"S":"4"},"v":{"S":"y"},"n":{"N":"9223372036854775807"}}`
	tooLong = "ValidationError|Item size to update has exceeded the maximum allowed size"
)

func TestReasonsOfACancelledTransaction(t *testing.T) {
	for _, c := range []struct {
		name    string
		reasons []string
		labels  []string // of a ConditionError
		want    error
	}{
		{"one condition", []string{"None", failed, "None", "None"}, []string{"a delete"}, nil},
		{"all conditions", []string{failed, failed, failed, elseRow}, []string{"z put", "a delete", "m check", "add"}, nil},
		{"row of an add is absent", []string{"None", "None", "None", failed}, []string{"add"}, nil},
		{"sum beyond 64 bits", []string{"None", "None", "None", addRow}, nil, store.ErrBadRequest},
		{"a condition before a sum", []string{"None", failed, "None", addRow}, []string{"a delete"}, nil},
		{"conflict", []string{"None", "TransactionConflict", "None", "None"}, nil, store.ErrConflict},
		{"conflict beside a condition", []string{failed, "None", "TransactionConflict", "None"}, nil, store.ErrConflict},
		{"throttled", []string{"None", "ThrottlingError", "None", "None"}, nil, store.ErrThrottled},
		{"no capacity beside a condition", []string{failed, "None", "None", "ProvisionedThroughputExceeded"}, nil, store.ErrThrottled},
		{"too large", []string{"None", "None", "None", tooLong}, nil, store.ErrTooLarge},
		{"collection too large", []string{"ItemCollectionSizeLimitExceeded", "None", "None", "None"}, nil, store.ErrTooLarge},
		{"bad request", []string{"None", "ValidationError|" + secretText, "None", "None"}, nil, store.ErrBadRequest},
		{"a condition beside a bad request", []string{"ValidationError|x", failed, "None", "None"}, []string{"a delete"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, d := start(t, cancels(c.reasons...))
			err := s.Commit(t.Context(), mixed)
			var condition *store.ConditionError
			switch {
			case c.want == nil && (!errors.As(err, &condition) || !slices.Equal(condition.Labels, c.labels)):
				t.Fatalf("got %v, want conditions %q", err, c.labels)
			case c.want != nil && !errors.Is(err, c.want), d.tryCount() != 1:
				t.Fatalf("%d tries, got %v, want %v", d.tryCount(), err, c.want)
			}
			discreet(t, err)
		})
	}
}

func TestReasonsThatSayNothingPromiseNothing(t *testing.T) {
	for name, reasons := range map[string][]string{
		"none":          {"None", "None", "None", "None"},
		"none at all":   {},
		"of the future": {"None", "MoonPhase", "None", "None"},
		"too many":      {"None", "None", "None", "None", failed},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := start(t, cancels(reasons...))
			unknown(t, s.Commit(t.Context(), mixed))
		})
	}
}

func TestFailedConditionsOfPlainWrites(t *testing.T) {
	item := func(row string) string { return `,"Item":` + row }
	full := `{"pk":{"S":"p"},"sk":{"S":"s"},"v":{"N":"7.0"},"n":{"N":"0.5"}}`
	add := func(cond *store.Cond) store.Action {
		return store.AddTo("the label", somewhere, map[string]int64{"n": 1}, cond)
	}
	for _, c := range []struct {
		name   string
		action store.Action
		row    string
		want   bool // a ConditionError; else a bad request
	}{
		{"put", store.PutItem("the label", store.Item{Key: somewhere}, store.IfAbsent()), "", true},
		{"delete", store.DeleteItem("the label", somewhere, store.IfExists()), "", true},
		{"add to what is absent", add(store.IfExists()), "", true},
		{"add to what is there", add(store.IfAbsent()), item(full), true},
		{"add under another value", add(store.IfEqual("v", store.N(8))), item(full), true},
		{"add under another attribute", add(store.IfEqual("w", store.N(7))), item(full), true},
		{"add without a condition", add(nil), item(full), false},
		{"add under an equal value", add(store.IfEqual("v", store.N(7))), item(full), false},
		{"add to what exists", add(store.IfExists()), item(full), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := start(t, refuses(400, "ConditionalCheckFailedException", c.row))
			err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{c.action}})
			if store.Failed(err, "the label") != c.want || errors.Is(err, store.ErrBadRequest) == c.want {
				t.Fatalf("got %v", err)
			}
			discreet(t, err)
		})
	}
}

// rowsReply answers rows of partition p with these sort keys, and the keys left.
func rowsReply(found, left []string) reply {
	list := func(sks []string, more string) string {
		var rows []string
		for _, sk := range sks {
			rows = append(rows, fmt.Sprintf(`{"pk":{"S":"p"},"sk":{"S":%q}%s}`, sk, more))
		}
		return "[" + strings.Join(rows, ",") + "]"
	}
	body := `{"Responses":{"holdfast":` + list(found, `,"n":{"N":"1"}`) + `}`
	if len(left) > 0 {
		body += `,"UnprocessedKeys":{"holdfast":{"ConsistentRead":true,"Keys":` + list(left, "") + `}}`
	}
	return answers(200, body+"}")
}

func keysOf(sks ...string) []store.Key {
	var keys []store.Key
	for _, sk := range sks {
		keys = append(keys, store.Key{PK: "p", SK: sk})
	}
	return keys
}

func TestUnprocessedKeysAreAskedForAgain(t *testing.T) {
	s, d := start(t,
		rowsReply([]string{"c"}, []string{"a", "b", "d"}),
		rowsReply(nil, []string{"a", "b", "d"}),
		rowsReply(nil, []string{"a", "b", "d"}),
		rowsReply([]string{"d"}, []string{"a"}), // b is absent
		rowsReply([]string{"a"}, nil))
	items, err := s.GetMany(t.Context(), keysOf("a", "b", "c", "d"))
	if err != nil {
		t.Fatal(err)
	}
	var found []bool
	for _, it := range items {
		found = append(found, it != nil)
	}
	if !slices.Equal(found, []bool{true, false, true, true}) || items[2].Key.SK != "c" || d.tryCount() != 5 {
		t.Fatalf("found %v in %d requests", found, d.tryCount())
	}
	last := d.seen()[4].body["RequestItems"].(map[string]any)["holdfast"].(map[string]any)
	if len(last["Keys"].([]any)) != 1 || last["ConsistentRead"] != true {
		t.Fatalf("the last request asked for %v", last)
	}
}

func TestKeysThatStayUnprocessedAreErrThrottled(t *testing.T) {
	s, d := start(t, rowsReply(nil, []string{"a"}))
	if _, err := s.GetMany(t.Context(), keysOf("a")); !errors.Is(err, store.ErrThrottled) || d.tryCount() != 6 {
		t.Fatalf("%d tries, %v", d.tryCount(), err)
	}
}

func TestRowsOfAnotherWriterAreErrors(t *testing.T) {
	for name, row := range map[string]string{
		"no sort key":       `{"pk":{"S":"p"}}`,
		"key of bytes":      `{"pk":{"B":"cA=="},"sk":{"S":"s"}}`,
		"a list":            `{"pk":{"S":"p"},"sk":{"S":"s"},"l":{"L":[]}}`,
		"half of a due key": `{"pk":{"S":"p"},"sk":{"S":"s"},"due_pk":{"S":"DUE#1"}}`,
		"due without time":  `{"pk":{"S":"p"},"sk":{"S":"s"},"due_pk":{"S":"DUE#1"},"due_sk":{"S":"soon"}}`,
		"due at a word":     `{"pk":{"S":"p"},"sk":{"S":"s"},"due_pk":{"S":"DUE#1"},"due_sk":{"S":"abcdefghijklmnop"}}`,
		"due in no shard":   `{"pk":{"S":"p"},"sk":{"S":"s"},"due_pk":{"S":"DUE#x"},"due_sk":{"S":"0000000000000001"}}`,
		"ttl of text":       `{"pk":{"S":"p"},"sk":{"S":"s"},"ttl":{"S":"1"}}`,
		"ttl with a half":   `{"pk":{"S":"p"},"sk":{"S":"s"},"ttl":{"N":"1.5"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			page := answers(200, `{"Items":[`+row+`]}`)
			s, _ := start(t, answers(200, `{"Item":`+row+`}`),
				answers(200, `{"Responses":{"holdfast":[`+row+`]}}`), page, page)
			_, found, getting := s.Get(t.Context(), somewhere)
			_, gettingMany := s.GetMany(t.Context(), []store.Key{somewhere})
			_, querying := s.Query(t.Context(), store.Query{PK: "p"})
			scanning := s.Scan(t.Context(), func(store.Item) error { return nil })
			for i, err := range []error{getting, gettingMany, querying, scanning} {
				if err == nil || found {
					t.Errorf("call %d: found %v, %v", i, found, err)
				}
			}
		})
	}
}
