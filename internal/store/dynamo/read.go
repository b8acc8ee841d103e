package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"holdfast/internal/clock"
	"holdfast/internal/store"
)

// Get implements store.Store.
func (s *Store) Get(ctx context.Context, key store.Key) (store.Item, bool, error) {
	if err := key.Validate(); err != nil {
		return store.Item{}, false, err
	}
	t := s.begin(ctx, read)
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: s.table, Key: keyRow(key), ConsistentRead: aws.Bool(true),
	}, t.use)
	if err != nil || len(out.Item) == 0 {
		return store.Item{}, false, t.fail(ctx, "GetItem", err)
	}
	item, err := decodeItem(out.Item)
	return item, err == nil, err
}

// GetMany implements store.Store. An answer holds at most 16 MB; keys that it leaves
// out are asked for again, at once while there is progress and otherwise after a pause.
func (s *Store) GetMany(ctx context.Context, keys []store.Key) ([]*store.Item, error) {
	if err := store.ValidateKeys(keys); err != nil {
		return nil, err
	}
	found := make(map[store.Key]*store.Item, len(keys))
	t := s.begin(ctx, read)
	idle := 0
	for left := keyRows(keys); len(left) > 0; {
		before := len(left)
		var err error
		if left, err = s.getSome(ctx, t, left, found); err != nil {
			return nil, err
		}
		if len(left) < before {
			idle = 0
			continue
		}
		idle++
		if err := t.rest(ctx, idle); err != nil {
			return nil, err
		}
	}
	items := make([]*store.Item, len(keys))
	for i, key := range keys {
		items[i] = found[key]
	}
	return items, nil
}

func keyRows(keys []store.Key) []row {
	rows := make([]row, len(keys))
	for i, key := range keys {
		rows[i] = keyRow(key)
	}
	return rows
}

// getSome asks once, adds what is found, and answers the keys that are left.
func (s *Store) getSome(ctx context.Context, t *tries, keys []row, found map[store.Key]*store.Item) ([]row, error) {
	out, err := s.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{s.Table: {Keys: keys, ConsistentRead: aws.Bool(true)}},
	}, t.use)
	if err != nil {
		return nil, t.fail(ctx, "BatchGetItem", err)
	}
	for _, rows := range out.Responses {
		items, err := decodeItems(rows)
		if err != nil {
			return nil, err
		}
		for i := range items {
			found[items[i].Key] = &items[i]
		}
	}
	var left []row
	for _, rest := range out.UnprocessedKeys {
		left = append(left, rest.Keys...)
	}
	return left, nil
}

// rest pauses after an answer that held nothing: the table is throttled.
func (t *tries) rest(ctx context.Context, n int) error {
	pause := t.pause(n)
	if t.late(pause) {
		return &Error{Call: "BatchGetItem", Code: "UnprocessedKeys", Status: 200, cause: store.ErrThrottled}
	}
	return clock.Pause(ctx, pause)
}
