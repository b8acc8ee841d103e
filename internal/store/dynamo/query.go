package dynamo

import (
	"context"
	"math"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"holdfast/internal/store"
)

// Query implements store.Store.
func (s *Store) Query(ctx context.Context, q store.Query) (store.Page, error) {
	if err := q.Validate(); err != nil {
		return store.Page{}, err
	}
	var start row
	if q.Cursor != "" {
		last, err := q.OpenCursor()
		if err != nil {
			return store.Page{}, err
		}
		start = keyRow(store.Key{PK: q.PK, SK: last})
	}
	if q.To != "" && q.From > q.To {
		return store.Page{}, nil // DynamoDB calls crossed bounds a bad request
	}
	var e expression
	condition := e.keys(q)
	return s.page(ctx, &dynamodb.QueryInput{
		TableName: s.table, ConsistentRead: aws.Bool(true), KeyConditionExpression: &condition,
		ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
		ExclusiveStartKey: start, Limit: limit(q.Limit), ScanIndexForward: aws.Bool(!q.Desc),
	}, func(last store.Item) string { return q.NewCursor(last.Key.SK) })
}

// keys answers the condition of a query.
func (e *expression) keys(q store.Query) string {
	partition := e.equal(attrPK, text(q.PK))
	switch {
	case q.Prefix != "":
		return partition + " AND begins_with(" + e.name(attrSK) + ", " + e.value(text(q.Prefix)) + ")"
	case q.From != "" && q.To != "":
		return partition + " AND " + e.between(attrSK, text(q.From), text(q.To))
	case q.From != "":
		return partition + " AND " + e.compare(attrSK, ">=", text(q.From))
	case q.To != "":
		return partition + " AND " + e.compare(attrSK, "<=", text(q.To))
	}
	return partition
}

// limit answers a page's limit in DynamoDB's form; nil: none.
func limit(n int) *int32 {
	if n == 0 {
		return nil
	}
	return aws.Int32(int32(min(n, math.MaxInt32)))
}

// page asks for one page. DynamoDB says that there is more whenever it stopped at a
// limit, so the last page may be an empty one.
func (s *Store) page(ctx context.Context, in *dynamodb.QueryInput, cursor func(last store.Item) string) (store.Page, error) {
	t := s.begin(ctx, read)
	out, err := s.client.Query(ctx, in, t.use)
	if err != nil {
		return store.Page{}, t.fail(ctx, "Query", err)
	}
	items, err := decodeItems(out.Items)
	if err != nil {
		return store.Page{}, err
	}
	kept := fit(items)
	page := store.Page{Items: items[:kept]}
	if kept > 0 && (kept < len(items) || len(out.LastEvaluatedKey) > 0) {
		page.Cursor = cursor(items[kept-1])
	}
	return page, nil
}

func decodeItems(rows []row) ([]store.Item, error) {
	items := make([]store.Item, len(rows))
	for i, r := range rows {
		var err error
		if items[i], err = decodeItem(r); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// fit answers how many items the port's page holds, which counts numbers a little
// larger than DynamoDB does.
func fit(items []store.Item) int {
	total := 0
	for n, item := range items {
		if total += store.Size(item); n > 0 && total > store.MaxPage {
			return n
		}
	}
	return len(items)
}
