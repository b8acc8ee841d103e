package store

import (
	"errors"
	"strings"
)

// ErrConflict: another transaction was touching an item; nothing happened.
var ErrConflict = errors.New("store: transaction conflict")

// ErrTooLarge: an item, commit or batch is over a limit of the port.
var ErrTooLarge = errors.New("store: over a size limit")

// ErrBadRequest: the call breaks a rule of the port other than size.
var ErrBadRequest = errors.New("store: bad request")

// ErrBadCursor: the cursor was not made by this query.
var ErrBadCursor = errors.New("store: bad cursor")

// ErrThrottled: the engine asks to slow down; nothing happened.
var ErrThrottled = errors.New("store: throttled")

// ErrDamaged: a stored item is no longer what was written, or cannot be read any
// more. It stays so until the store is mended.
var ErrDamaged = errors.New("store: damaged")

// ErrClosed: the store was closed.
var ErrClosed = errors.New("store: closed")

// ConditionError says which conditions of a Tx did not hold; nothing happened.
type ConditionError struct {
	Labels []string // in the order of the actions
}

// Error lists the labels, which hold no user content.
func (e *ConditionError) Error() string {
	return "store: condition failed: " + strings.Join(e.Labels, ", ")
}

// Failed tells whether err is a ConditionError that names the label.
func Failed(err error, label string) bool {
	var c *ConditionError
	if !errors.As(err, &c) {
		return false
	}
	for _, l := range c.Labels {
		if l == label {
			return true
		}
	}
	return false
}
