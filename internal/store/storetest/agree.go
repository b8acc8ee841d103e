package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"holdfast/internal/store"
)

// Agree performs the operations that a program of bytes spells on two stores and
// answers their first difference: an answer, the class of an error, or at the end
// the whole content. Both must be empty at the start. Pages are compared as what
// they hold together, since where a page ends may differ.
func Agree(ctx context.Context, left, right store.Store, program []byte) error {
	p := &script{rest: program}
	for n := 0; len(p.rest) > 0; n++ {
		name, run := p.operation()
		l, r := run(ctx, left), run(ctx, right)
		if !reflect.DeepEqual(l, r) {
			return fmt.Errorf("operation %d, %s: %+v against %+v", n, name, l, r)
		}
	}
	l, r := content(ctx, left), content(ctx, right)
	if !reflect.DeepEqual(l, r) {
		return fmt.Errorf("in the end: %+v against %+v", l, r)
	}
	return nil
}

// outcome is what an operation answers, in a form that can be compared.
type outcome struct {
	Failed string
	Items  []store.Item
}

func failure(err error) outcome {
	var condition *store.ConditionError
	if errors.As(err, &condition) {
		return outcome{Failed: "condition " + strings.Join(condition.Labels, ",")}
	}
	for _, class := range []error{store.ErrBadRequest, store.ErrTooLarge, store.ErrBadCursor} {
		if errors.Is(err, class) {
			return outcome{Failed: class.Error()}
		}
	}
	return outcome{Failed: "other: " + err.Error()}
}

func items(all []store.Item, err error) outcome {
	if err != nil {
		return failure(err)
	}
	for i := range all {
		for name, v := range all[i].Attrs {
			all[i].Attrs[name] = plain(v)
		}
	}
	return outcome{Items: all}
}

// plain writes a number in one form, since only its value must come back.
func plain(v store.Value) store.Value {
	for _, text := range []string{"5", "-1", "0", "150", "0.5"} {
		if v.Equal(store.Decimal(text)) {
			return store.Decimal(text)
		}
	}
	return v
}

// content is everything that queries and the due index show.
func content(ctx context.Context, s store.Store) outcome {
	var all []store.Item
	for _, pk := range pks {
		found, err := allPages(ctx, "", func(ctx context.Context, cursor string) (store.Page, error) {
			return s.Query(ctx, store.Query{PK: pk, Cursor: cursor})
		})
		if err != nil {
			return failure(err)
		}
		all = append(all, found...)
	}
	for shard := range 3 {
		found, err := allPages(ctx, "", func(ctx context.Context, cursor string) (store.Page, error) {
			return s.Due(ctx, store.DueQuery{Shard: shard, Until: time.UnixMilli(100), Cursor: cursor})
		})
		if err != nil {
			return failure(err)
		}
		all = append(all, found...)
	}
	return items(all, nil)
}
