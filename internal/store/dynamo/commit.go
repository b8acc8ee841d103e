package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"holdfast/internal/store"
)

// Commit implements store.Store.
func (s *Store) Commit(ctx context.Context, tx store.Tx) error {
	if err := tx.Validate(); err != nil {
		return err
	}
	if len(tx.Actions) == 1 && tx.Actions[0].Verb != store.Check {
		return s.commitOne(ctx, tx.Actions[0])
	}
	in := dynamodb.TransactWriteItemsInput{TransactItems: make([]types.TransactWriteItem, len(tx.Actions))}
	for i, action := range tx.Actions {
		in.TransactItems[i] = s.part(action)
	}
	t := s.begin(ctx, transaction)
	_, err := s.client.TransactWriteItems(ctx, &in, t.use)
	var cancelled *types.TransactionCanceledException
	if !t.unclear && errors.As(err, &cancelled) {
		return judge(tx.Actions, cancelled.CancellationReasons)
	}
	return t.fail(ctx, "TransactWriteItems", err)
}

// part makes an action's part of a transaction.
func (s *Store) part(action store.Action) types.TransactWriteItem {
	w := newWrite(action)
	switch action.Verb {
	case store.Put:
		return types.TransactWriteItem{Put: &types.Put{
			TableName: s.table, Item: encodeItem(action.Item), ConditionExpression: w.condition,
			ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		}}
	case store.Delete:
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName: s.table, Key: keyRow(action.Item.Key), ConditionExpression: w.condition,
			ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		}}
	case store.Check:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: s.table, Key: keyRow(action.Item.Key), ConditionExpression: w.condition,
			ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		}}
	}
	return types.TransactWriteItem{Update: &types.Update{
		TableName: s.table, Key: keyRow(action.Item.Key), UpdateExpression: &w.update, ConditionExpression: w.condition,
		ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}}
}

// judge makes the error of a cancelled transaction from the reasons, of which there is
// one an action. Where some action met another transaction or was throttled, the failed
// conditions may not be all, and the whole is to be tried again.
func judge(actions []store.Action, reasons []types.CancellationReason) error {
	var failed []string
	var other error
	for i, reason := range reasons {
		verdict := reasonError(reason)
		switch {
		case verdict == nil || i >= len(actions):
		case errors.Is(verdict, store.ErrConflict), errors.Is(verdict, store.ErrThrottled):
			return verdict
		case errors.Is(verdict, errCondition) && conditionFailed(actions[i], reason.Item):
			failed = append(failed, actions[i].Label)
		case errors.Is(verdict, errCondition):
			other = errAdd
		case other == nil:
			other = verdict
		}
	}
	if len(failed) > 0 {
		return &store.ConditionError{Labels: failed}
	}
	if other == nil {
		other = &Error{Call: "TransactWriteItems", Code: "cancelled without a reason"}
	}
	return other
}
