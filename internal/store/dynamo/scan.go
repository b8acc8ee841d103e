package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"holdfast/internal/store"
)

// Scan implements store.Scanner.
func (s *Store) Scan(ctx context.Context, visit func(store.Item) error) error {
	return s.ScanKeys(ctx, func(store.Key) bool { return true }, visit)
}

// ScanKeys implements store.Scanner. Each page is read before its items are visited;
// its tries have their own time, since visits may take long.
func (s *Store) ScanKeys(ctx context.Context, want func(store.Key) bool, visit func(store.Item) error) error {
	in := dynamodb.ScanInput{TableName: s.table, ConsistentRead: aws.Bool(true)}
	for {
		t := s.begin(ctx, read)
		out, err := s.client.Scan(ctx, &in, t.use)
		if err != nil {
			return t.fail(ctx, "Scan", err)
		}
		for _, r := range out.Items {
			if err := pass(r, want, visit); err != nil {
				return err
			}
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return nil
		}
	}
}

// pass visits a row whose key is wanted.
func pass(r row, want func(store.Key) bool, visit func(store.Item) error) error {
	key, err := decodeKey(r)
	if err != nil {
		return err
	}
	if !want(key) {
		return nil
	}
	item, err := decodeItem(r)
	if err != nil {
		return err
	}
	return visit(item)
}
