package adminapi

import (
	"holdfast/internal/httpapi"
	"holdfast/internal/tenant/directory"
)

// caller is who asks the directory for a change.
func caller(c *httpapi.Call) directory.Caller {
	return directory.Caller{Principal: c.Principal, Scope: c.Scope, Key: c.Key}
}

// pageInput is the input of a list.
type pageInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
	Cursor string `query:"cursor"`
}

// list answers a page of a list: read asks the directory, show puts one thing
// into its form on the wire.
func list[T, O any](
	c *httpapi.Call, in *pageInput, show func(T) O, read func(limit int, position string) ([]T, string, error),
) (shown []O, next *string, err error) {
	position, err := c.Cursors.Open(c.Route.ID, c.Scope, "", in.Cursor)
	if err != nil {
		return nil, nil, err
	}
	found, position, err := read(in.Limit, position)
	if err != nil {
		return nil, nil, err
	}
	shown = make([]O, len(found))
	for i, one := range found {
		shown[i] = show(one)
	}
	return shown, orNull(c.Cursors.Seal(c.Route.ID, c.Scope, "", position)), nil
}

// orNull makes null of the empty text.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
