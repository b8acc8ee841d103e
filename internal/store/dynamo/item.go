package dynamo

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"holdfast/internal/store"
)

// The table's own attributes and its index; see the package comment.
const (
	attrPK       = "pk"
	attrSK       = "sk"
	attrDuePK    = "due_pk"
	attrDueSK    = "due_sk"
	attrTTL      = "ttl"
	attrNonwhole = "nonwhole"
	indexDue     = "due"
)

// row is an item as the engine knows it.
type row = map[string]types.AttributeValue

// errDamaged: a row is not what this package writes.
var errDamaged = errors.New("dynamo: a row that this package did not write")

// rowName answers the name in the row of an item's attribute.
func rowName(name string) string {
	switch name {
	case attrPK, attrSK, attrDuePK, attrDueSK, attrTTL, attrNonwhole:
		return "_" + name
	}
	if strings.HasPrefix(name, "_") {
		return "_" + name
	}
	return name
}

// itemName is the way back; it is not for the table's own names.
func itemName(name string) string { return strings.TrimPrefix(name, "_") }

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

func keyRow(key store.Key) row { return row{attrPK: text(key.PK), attrSK: text(key.SK)} }

// encodeItem makes a row. The item has been validated.
func encodeItem(item store.Item) row {
	r := make(row, len(item.Attrs)+6)
	r[attrPK], r[attrSK] = text(item.Key.PK), text(item.Key.SK)
	var nonwhole []string
	for name, value := range item.Attrs {
		encoded, whole := encodeValue(value)
		r[rowName(name)] = encoded
		if !whole {
			nonwhole = append(nonwhole, name)
		}
	}
	if len(nonwhole) > 0 {
		slices.Sort(nonwhole)
		r[attrNonwhole] = &types.AttributeValueMemberSS{Value: nonwhole}
	}
	if item.Due != nil {
		r[attrDuePK] = text(duePartition(item.Due.Shard))
		r[attrDueSK] = text(dueSort(item.Due.At.UnixMilli(), item.Key))
	}
	if !item.Expires.IsZero() {
		r[attrTTL] = number(item.Expires.Unix())
	}
	return r
}

// encodeValue also tells a number that is not a whole number of 64 bits. Whole ones
// are written in one form, since "0e200" is a number to the port, but not to DynamoDB.
func encodeValue(v store.Value) (encoded types.AttributeValue, whole bool) {
	switch v.Type {
	case store.Number:
		if sum, ok := store.AddWhole(v.S, 0); ok {
			return &types.AttributeValueMemberN{Value: sum}, true
		}
		return &types.AttributeValueMemberN{Value: v.S}, false
	case store.Bytes:
		return &types.AttributeValueMemberB{Value: append([]byte{}, v.B...)}, true // nil would be sent as null
	case store.Bool:
		return &types.AttributeValueMemberBOOL{Value: v.On}, true
	}
	return text(v.S), true
}

// decodeItem reads a row.
func decodeItem(r row) (store.Item, error) {
	key, err := decodeKey(r)
	if err != nil {
		return store.Item{}, err
	}
	item := store.Item{Key: key, Attrs: make(store.Attrs, len(r)-2)}
	for name, value := range r {
		switch name {
		case attrPK, attrSK, attrDuePK, attrDueSK, attrTTL, attrNonwhole:
			continue
		}
		if item.Attrs[itemName(name)], err = decodeValue(value); err != nil {
			return store.Item{}, err
		}
	}
	if item.Due, err = decodeDue(r); err != nil {
		return store.Item{}, err
	}
	item.Expires, err = decodeExpires(r)
	return item, err
}

func decodeKey(r row) (store.Key, error) {
	pk, hasPK := r[attrPK].(*types.AttributeValueMemberS)
	sk, hasSK := r[attrSK].(*types.AttributeValueMemberS)
	if !hasPK || !hasSK {
		return store.Key{}, errDamaged
	}
	return store.Key{PK: pk.Value, SK: sk.Value}, nil
}

func decodeValue(value types.AttributeValue) (store.Value, error) {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return store.S(v.Value), nil
	case *types.AttributeValueMemberN:
		return store.Decimal(v.Value), nil
	case *types.AttributeValueMemberB:
		return store.B(append([]byte{}, v.Value...)), nil
	case *types.AttributeValueMemberBOOL:
		return store.T(v.Value), nil
	}
	return store.Value{}, errDamaged
}

func decodeExpires(r row) (time.Time, error) {
	value, has := r[attrTTL]
	if !has {
		return time.Time{}, nil
	}
	n, ok := value.(*types.AttributeValueMemberN)
	if !ok {
		return time.Time{}, errDamaged
	}
	seconds, err := strconv.ParseInt(n.Value, 10, 64)
	if err != nil {
		return time.Time{}, errDamaged
	}
	return time.Unix(seconds, 0).UTC(), nil
}
