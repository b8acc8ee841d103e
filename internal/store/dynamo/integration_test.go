//go:build integration

package dynamo_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"holdfast/internal/awsconf"
	"holdfast/internal/awsconf/chain"
	"holdfast/internal/store"
	"holdfast/internal/store/dynamo"
	"holdfast/internal/store/storetest"
)

// These tests talk to a DynamoDB: an emulator at HOLDFAST_TEST_DYNAMODB_URL, or AWS
// itself when that is "aws". The credentials and the Region are the environment's;
// for an emulator they are made up.
const addressVariable = "HOLDFAST_TEST_DYNAMODB_URL"

func environ(t testing.TB) awsconf.Lookup {
	t.Helper()
	address := os.Getenv(addressVariable)
	switch address {
	case "":
		t.Fatalf("%s is not set: an emulator's address, or aws", addressVariable)
	case "aws":
		return os.LookupEnv
	}
	values := map[string]string{
		"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_ENDPOINT_URL": address,
	}
	return func(name string) (string, bool) { value, set := values[name]; return value, set }
}

var tables atomic.Int64

// open makes a store on a table of the test's own.
func open(t testing.TB) *dynamo.Store {
	t.Helper()
	config, err := awsconf.Load(t.Context(), environ(t), chain.Credentials)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("holdfast-test-%d-%d-%d", os.Getpid(), time.Now().UnixNano(), tables.Add(1))
	s, err := dynamo.New(dynamo.Options{Config: config, Table: name})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.DropTable(context.Background()); err != nil { // the test's context has ended
			t.Error(err)
		}
	})
	return s
}

// exceptions are what DynamoDB itself does not keep. No emulator shows it.
func exceptions() []storetest.Exception {
	if os.Getenv(addressVariable) != "aws" {
		return nil
	}
	return []storetest.Exception{{
		Sentence: "All of them happen or none, and no reader sees a part.",
		Reason: "a Query or BatchGetItem reads each item as committed, but not all at one moment " +
			"(Developer Guide, DynamoDB transactions: isolation levels)",
	}}
}

func TestContract(t *testing.T) {
	storetest.Run(t, func(t testing.TB) store.Store { return open(t) }, exceptions()...)
}

// TestTheLongestKeysAreDueToo: an index's sort key has half the room of an item's keys.
func TestTheLongestKeysAreDueToo(t *testing.T) {
	s := open(t)
	for _, letter := range []string{"p", "é", "😀"} {
		key := store.Key{PK: strings.Repeat(letter, store.MaxPK/len(letter)), SK: strings.Repeat(letter, store.MaxSK/len(letter))}
		item := store.Item{Key: key, Due: &store.Due{Shard: 1, At: time.UnixMilli(7)}}
		if err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("", item, nil)}}); err != nil {
			t.Fatal(err)
		}
	}
	found := 0
	for q := (store.DueQuery{Shard: 1, Until: time.UnixMilli(7), Limit: 1}); ; {
		page, err := s.Due(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		found += len(page.Items)
		if q.Cursor = page.Cursor; q.Cursor == "" {
			break
		}
	}
	if found != 3 {
		t.Fatalf("%d of 3 are due", found)
	}
}

// TestAnAddOfManyNumbers stays below DynamoDB's limits of an expression.
func TestAnAddOfManyNumbers(t *testing.T) {
	s := open(t)
	add := map[string]int64{}
	for n := range int64(40) {
		add[fmt.Sprint("number ", n)] = n
	}
	key := store.Key{PK: "p", SK: "s"}
	for range 2 {
		if err := s.Commit(t.Context(), store.Tx{Actions: []store.Action{store.AddTo("", key, add, nil)}}); err != nil {
			t.Fatal(err)
		}
	}
	item, _, err := s.Get(t.Context(), key)
	if err != nil || item.Attrs.Int("number 39") != 78 {
		t.Fatalf("sum %d, %v", item.Attrs.Int("number 39"), err)
	}
}
