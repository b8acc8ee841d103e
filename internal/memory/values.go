package memory

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"holdfast/internal/store"
)

// currentValue is the row of an attribute: its current value, and those that were
// superseded, so that a value which arrives late finds its place between them
// (R0.85). Every change of either writes the row, so two writers never both decide
// on what they read.
type currentValue struct {
	key       store.Key
	unchanged *store.Cond // that the row still says what was read
	id        string      // the current value; empty: there is none
	past      []pastValue // by From; the oldest beyond mostPast are forgotten
}

// pastValue is a superseded value that is not in quarantine, and when it held in the
// world.
type pastValue struct {
	ID   string    `json:"id"`
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// mostPast is how many superseded values of an attribute its row keeps. A value that
// arrives late and belongs before them cuts short none that was forgotten.
const mostPast = 64

// attrStamp is the operation that wrote the row; rows of before have none.
const attrStamp = "op"

func decodeCurrent(key store.Key, item *store.Item) (*currentValue, error) {
	row := &currentValue{key: key, unchanged: store.IfAbsent()}
	if item == nil {
		return row, nil
	}
	row.id = item.Attrs.Text(attrID)
	row.unchanged = store.IfEqual(attrID, store.S(row.id))
	if stamp, stamped := item.Attrs[attrStamp]; stamped {
		row.unchanged = store.IfEqual(attrStamp, stamp)
	}
	if doc := item.Attrs.Bytes(attrDoc); doc != nil {
		if err := json.Unmarshal(doc, &row.past); err != nil {
			return nil, fmt.Errorf("memory: stored values: %w", err)
		}
	}
	return row, nil
}

// save brings the stored row to what v says.
func (c *change) save(v *currentValue) error {
	action, err := v.action("attribute", c.op.ID)
	c.plan.Actions = append(c.plan.Actions, action)
	return err
}

// action brings the stored row to what v says; a row that says nothing goes.
func (v *currentValue) action(label, stamp string) (store.Action, error) {
	if v.id == "" && len(v.past) == 0 {
		return store.DeleteItem(label, v.key, v.unchanged), nil
	}
	attrs := store.Attrs{attrStamp: store.S(stamp)}
	if v.id != "" {
		attrs[attrID] = store.S(v.id)
	}
	if len(v.past) > 0 {
		doc, err := json.Marshal(v.past)
		if err != nil {
			return store.Action{}, fmt.Errorf("memory: values: %w", err)
		}
		attrs[attrDoc] = store.B(doc)
	}
	return store.PutItem(label, store.Item{Key: v.key, Attrs: attrs}, v.unchanged), nil
}

// add lists a superseded memory.
func (v *currentValue) add(m *Memory) {
	t := m.Temporal
	at := slices.IndexFunc(v.past, func(p pastValue) bool { return t.EventTime().Before(p.From) })
	if at < 0 {
		at = len(v.past)
	}
	v.past = slices.Insert(v.past, at, pastValue{ID: m.ID, From: t.EventTime(), To: *t.ReplacedFrom})
	if over := len(v.past) - mostPast; over > 0 {
		v.past = v.past[over:]
	}
}

// drop takes a memory out of the row; false: it is not there.
func (v *currentValue) drop(id string) bool {
	before := len(v.past)
	v.past = slices.DeleteFunc(v.past, func(p pastValue) bool { return p.ID == id })
	if v.id != id {
		return len(v.past) < before
	}
	v.id = ""
	return true
}

// next is the first of the superseded values that began after an instant; nil:
// none did.
func (v *currentValue) next(start time.Time) *pastValue {
	for i := range v.past {
		if start.Before(v.past[i].From) {
			return &v.past[i]
		}
	}
	return nil
}
