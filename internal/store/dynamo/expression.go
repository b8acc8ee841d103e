package dynamo

import (
	"math"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"holdfast/internal/store"
)

// expression collects the names and values that the texts of a request refer to.
// Names are always referred to, since DynamoDB reserves hundreds of words.
type expression struct {
	names  map[string]string
	values row
}

// name answers the reference to a row's attribute.
func (e *expression) name(of string) string {
	if e.names == nil {
		e.names = make(map[string]string, 2)
	}
	for reference, known := range e.names {
		if known == of {
			return reference
		}
	}
	reference := "#n" + strconv.Itoa(len(e.names))
	e.names[reference] = of
	return reference
}

// value answers the reference to a value.
func (e *expression) value(v types.AttributeValue) string {
	if e.values == nil {
		e.values = make(row, 2)
	}
	reference := ":v" + strconv.Itoa(len(e.values))
	e.values[reference] = v
	return reference
}

func (e *expression) compare(name, operator string, v types.AttributeValue) string {
	return e.name(name) + " " + operator + " " + e.value(v)
}

func (e *expression) equal(name string, v types.AttributeValue) string {
	return e.compare(name, "=", v)
}

func (e *expression) between(name string, low, high types.AttributeValue) string {
	return e.name(name) + " BETWEEN " + e.value(low) + " AND " + e.value(high)
}

func (e *expression) absent(name string) string { return "attribute_not_exists(" + e.name(name) + ")" }

// condition answers the text of a condition of the port; empty for none.
func (e *expression) condition(c *store.Cond) string {
	switch {
	case c == nil:
		return ""
	case c.Absent:
		return e.absent(attrPK)
	case c.Exists:
		return "attribute_exists(" + e.name(attrPK) + ")"
	}
	value, _ := encodeValue(c.Value)
	return e.equal(rowName(c.Attr), value)
}

// adding answers the texts of an Add to the named attributes: the update, and the
// condition that each is a whole number and stays within 64 bits. DynamoDB's 4 KB of
// an expression's text are enough for 40 attributes.
func (e *expression) adding(names []string, add map[string]int64) (update, guard string) {
	var updates, guards []string
	for _, name := range names {
		n := add[name]
		updates = append(updates, e.name(rowName(name))+" "+e.value(number(n)))
		guards = append(guards, e.guard(name, n))
	}
	return "ADD " + strings.Join(updates, ", "), strings.Join(guards, " AND ")
}

func (e *expression) guard(name string, n int64) string {
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	if n < 0 {
		low -= n
	} else {
		high -= n
	}
	column := rowName(name)
	return "(" + e.absent(column) + " OR " + e.between(column, number(low), number(high)) + ")" +
		" AND NOT contains(" + e.name(attrNonwhole) + ", " + e.value(text(name)) + ")"
}
