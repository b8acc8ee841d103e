package dynamo

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"holdfast/internal/store"
)

// A time in the index is 16 digits of milliseconds since 1970, the most that the port
// allows.
const (
	timeDigits = 16
	maxMillis  = 9_999_999_999_999_999
	dueHead    = "DUE#"
)

func duePartition(shard int) string { return dueHead + strconv.Itoa(shard) }

func dueTime(millis int64) string { return fmt.Sprintf("%0*d", timeDigits, millis) }

// dueSort orders by time, then key: NUL, which keys do not have, is below all that
// they have, and a byte like any other to DynamoDB, as was measured there
// (https://github.com/ExtendDB/extenddb/pull/368). A sort key of an index has the same limit as one of the table, so that
// the longest keys are cut; those that are alike so far have no order among them.
func dueSort(millis int64, key store.Key) string {
	s := dueTime(millis) + key.PK + "\x00" + key.SK
	if len(s) <= store.MaxSK {
		return s
	}
	end := store.MaxSK
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// decodeDue reads a row's place in the index.
func decodeDue(r row) (*store.Due, error) {
	pk, hasPK := r[attrDuePK].(*types.AttributeValueMemberS)
	sk, hasSK := r[attrDueSK].(*types.AttributeValueMemberS)
	if !hasPK && !hasSK {
		return nil, nil
	}
	if !hasPK || !hasSK || len(sk.Value) < timeDigits {
		return nil, errDamaged
	}
	shard, err := strconv.Atoi(strings.TrimPrefix(pk.Value, dueHead))
	if err != nil {
		return nil, errDamaged
	}
	millis, err := strconv.ParseInt(sk.Value[:timeDigits], 10, 64)
	if err != nil {
		return nil, errDamaged
	}
	return &store.Due{Shard: shard, At: time.UnixMilli(millis).UTC()}, nil
}

// duePosition is where an item stands in the index: what a cursor holds.
func duePosition(item store.Item) string {
	return dueTime(item.Due.At.UnixMilli()) + item.Key.PK + "\x00" + item.Key.SK
}

// dueStart makes the start key of a page from the position before it.
func dueStart(shard int, position string) (start row, millis int64, err error) {
	if len(position) < timeDigits {
		return nil, 0, store.ErrBadCursor
	}
	millis, err = strconv.ParseInt(position[:timeDigits], 10, 64)
	pk, sk, cut := strings.Cut(position[timeDigits:], "\x00")
	key := store.Key{PK: pk, SK: sk}
	if err != nil || !cut || key.Validate() != nil {
		return nil, 0, store.ErrBadCursor
	}
	start = keyRow(key)
	start[attrDuePK], start[attrDueSK] = text(duePartition(shard)), text(dueSort(millis, key))
	return start, millis, nil
}

// Due implements store.Store. The index lags behind the table.
func (s *Store) Due(ctx context.Context, q store.DueQuery) (store.Page, error) {
	if err := q.Validate(); err != nil {
		return store.Page{}, err
	}
	until := min(q.Until.UnixMilli(), maxMillis)
	var start row
	if q.Cursor != "" {
		position, err := q.OpenCursor()
		if err != nil {
			return store.Page{}, err
		}
		var millis int64
		if start, millis, err = dueStart(q.Shard, position); err != nil || millis > until {
			return store.Page{}, err
		}
	}
	if until < 0 {
		return store.Page{}, nil
	}
	var e expression
	condition := e.equal(attrDuePK, text(duePartition(q.Shard)))
	if until < maxMillis {
		condition += " AND " + e.compare(attrDueSK, "<", text(dueTime(until+1)))
	}
	return s.page(ctx, &dynamodb.QueryInput{
		TableName: s.table, IndexName: aws.String(indexDue), KeyConditionExpression: &condition,
		ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
		ExclusiveStartKey: start, Limit: limit(q.Limit),
	}, func(last store.Item) string { return q.NewCursor(duePosition(last)) })
}
