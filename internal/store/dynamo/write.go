package dynamo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"holdfast/internal/store"
)

// write is an action as expressions.
type write struct {
	expression
	condition *string // nil: none
	update    string  // of an Add
}

func newWrite(action store.Action) write {
	var w write
	condition := w.expression.condition(action.If)
	if action.Verb == store.Add {
		var guard string
		w.update, guard = w.adding(slices.Sorted(maps.Keys(action.Add)), action.Add)
		if condition != "" {
			guard = condition + " AND " + guard
		}
		condition = guard
	}
	if condition != "" {
		w.condition = &condition
	}
	return w
}

// commitOne performs a commit of one action, which is no Check, as a plain write.
func (s *Store) commitOne(ctx context.Context, action store.Action) error {
	t := s.begin(ctx, plainWrite)
	call, err := s.plain(ctx, action, t)
	var failed *types.ConditionalCheckFailedException
	switch {
	case t.unclear || !errors.As(err, &failed):
		return t.fail(ctx, call, err)
	case conditionFailed(action, failed.Item):
		return &store.ConditionError{Labels: []string{action.Label}}
	}
	return errAdd
}

func (s *Store) plain(ctx context.Context, action store.Action, t *tries) (call string, err error) {
	w := newWrite(action)
	switch action.Verb {
	case store.Put:
		_, err = s.client.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: s.table, Item: encodeItem(action.Item), ConditionExpression: w.condition,
			ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		}, t.use)
		return "PutItem", err
	case store.Delete:
		_, err = s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
			TableName: s.table, Key: keyRow(action.Item.Key), ConditionExpression: w.condition,
			ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		}, t.use)
		return "DeleteItem", err
	}
	_, err = s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: s.table, Key: keyRow(action.Item.Key), UpdateExpression: &w.update, ConditionExpression: w.condition,
		ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}, t.use)
	return "UpdateItem", err
}

// errAdd: an Add met what is no whole number, or would leave 64 bits.
var errAdd = fmt.Errorf("%w: add to what is no whole number, or beyond 64 bits", store.ErrBadRequest)

// errCondition: an action's condition did not hold; whose, is to be seen.
var errCondition = errors.New("dynamo: condition")

// conditionFailed tells whether it was the caller's condition that failed, and not
// the one that this package gave an Add. Old is the row that failed, which DynamoDB
// answers for an Add.
func conditionFailed(action store.Action, old row) bool {
	if action.Verb != store.Add || len(old) == 0 {
		return true
	}
	return action.If != nil && !holds(*action.If, old)
}

// holds looks at a condition as DynamoDB does, for a row that is there.
func holds(c store.Cond, old row) bool {
	if c.Absent || c.Exists {
		return c.Exists
	}
	value, err := decodeValue(old[rowName(c.Attr)])
	return err == nil && value.Equal(c.Value)
}

// reasonCodes are the classes of the codes in a cancelled transaction's reasons
// (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html).
var reasonCodes = map[string]class{
	"TransactionConflict":             conflict,
	"ThrottlingError":                 throttled,
	"ProvisionedThroughputExceeded":   throttled,
	"ItemCollectionSizeLimitExceeded": tooLarge,
	"ValidationError":                 badRequest,
}

// reasonError names why an action cancelled its transaction; nil: it did not.
func reasonError(reason types.CancellationReason) error {
	code := deref(reason.Code)
	switch code {
	case "", "None":
		return nil
	case "ConditionalCheckFailed":
		return errCondition
	}
	c := reasonCodes[code]
	if c == badRequest && aboutSize(deref(reason.Message)) {
		c = tooLarge
	}
	return &Error{Call: "TransactWriteItems", Code: code, Status: 400, cause: sentinels[c]}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
