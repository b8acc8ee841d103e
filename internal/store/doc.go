// Package store is the port to the one table: an ordered key-value store with
// atomic commits of several items. It is shaped by DynamoDB, so that the
// embedded engine and AWS behave alike; every sentence below is a contract that
// storetest shows for each adapter, in a subtest of that name.
//
// Items. An item has a partition key and a sort key (1 to 2,048 and 1 to 1,024
// bytes of UTF-8 without NUL) and attributes of type text, number, bytes and
// bool. Empty text and empty bytes are kept and differ from an absent attribute.
// Numbers are whole or decimal text of at most 38 significant digits and come
// back numerically equal. An item is at most 400 KB: the bytes of names, values and
// keys together. The store keeps no part of what it is given and shares none of
// what it answers.
//
// Reads. Get, GetMany and Query are strongly consistent: they see every commit
// that was acknowledged before they began. GetMany takes at most 100 distinct
// keys and answers in the order asked, with absent items marked. Query answers
// one partition in byte order of the sort key, ascending or descending, between
// two inclusive bounds or below a prefix. Bounds that leave nothing answer an
// empty page. A page holds at most 1 MB and at most Limit items; its cursor goes on
// after the last item, also when that was deleted meanwhile. The last page has no
// cursor. A cursor that was not made by this partition's query in this direction
// and these bounds is ErrBadCursor.
//
// Commits. A Tx holds 1 to 100 actions on distinct keys and at most 4 MB. All of
// them happen or none, and no reader sees a part. Each action may have a condition
// and a label. A condition sees the item as it was before the commit. When
// conditions fail the error is a *ConditionError that names the labels of all that
// failed in the order of the actions. One caller's failure does not touch the
// commits of others. Put replaces the whole item. Removing what is absent succeeds. Add
// creates item and attribute at 0 and leaves all else of the item as it was. Add
// to anything but a whole number, or beyond 64 bits, is ErrBadRequest. ErrConflict
// means that another transaction was touching an item: nothing happened, try
// again. ErrTooLarge and ErrBadRequest never succeed when tried again. Any other
// error leaves the outcome unknown: the caller must find out by reading (an
// idempotency record).
//
// Due index. An item with Due set appears in Due(shard) in the order of its time
// and key until it is deleted or written without Due. The index may lag behind
// commits (it is a GSI on AWS); the item that it answers may be stale, so
// consumers read the item again. Its pages are like those of Query, and a cursor
// of another shard is ErrBadCursor.
//
// Expiry. Expires only tidies: an expired item may still be answered, code
// compares times itself.
//
// Damage. An item that is no longer what was written is never answered: every read
// that meets it and every commit that looks at it is ErrDamaged, and all else goes on.
//
// Scans. A scan visits an item that is there throughout exactly once. The visitor
// may use the store, and its error ends the scan. What is not wanted is not visited.
package store
