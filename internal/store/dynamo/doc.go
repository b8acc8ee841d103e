// Package dynamo is the store port on one DynamoDB table.
//
// The table's key is pk and sk, both text. An attribute of an item is an attribute of
// the row by the same name; a name that the table needs for itself, or that begins
// with an underscore, gets one underscore more. The table's own are:
//
//	pk, sk          the item's key
//	due_pk, due_sk  DUE#{shard} and {time in milliseconds}{pk}NUL{sk}: the key of the
//	                index named due, which holds the items that have Due set
//	ttl             Expires in seconds since 1970
//	nonwhole        the names of the number attributes that are not whole numbers of
//	                64 bits, where there are any: what an Add must not touch. Conditions
//	                cannot ask a number whether it is whole, but whether a set has a name
//
// A commit of one action is one plain write; of several, one TransactWriteItems, which
// costs twice the write units. Conditions are expressions, so nothing is read before a
// write. An Add has one more, that keeps its sum within 64 bits.
//
// Tries. Reads and transactions are tried again after throttling, server errors, lost
// connections and cut answers, with full jitter, until the context's deadline is too
// near. A transaction carries a token by which DynamoDB knows its repetition. A plain
// write has none, so it is tried again only when it was throttled or never sent. An
// error that promises that nothing happened (a failed condition, ErrConflict,
// ErrThrottled) is answered only when that holds for every try; otherwise the outcome
// is unknown. Conflicts are not tried again here: internal/commit does, with a new plan.
//
// What DynamoDB does not promise: Query, GetMany and Scan see each item as committed,
// but may see one item of a commit that happens meanwhile before and another after it
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html).
// Who needs two rows of one moment puts a condition on them in a commit.
//
// It may import store, clock and the AWS SDK.
package dynamo
