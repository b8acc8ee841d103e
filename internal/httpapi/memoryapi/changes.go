package memoryapi

import (
	"context"
	"strconv"

	"holdfast/internal/httpapi"
	"holdfast/internal/ledger"
	"holdfast/internal/routes"
)

type changesInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
	Cursor string `query:"cursor" doc:"The last nextCursor; absent: from the start"`
}

// Change is a row of the feed (R0.64).
type Change struct {
	Sequence int64        `json:"sequence"`
	Op       ledger.Op    `json:"op"`
	Family   string       `json:"family"`
	MemoryID *string      `json:"memoryId" nullable:"true" doc:"Null on rows that seal read receipts"`
	Version  *int64       `json:"version" nullable:"true"`
	At       httpapi.Time `json:"at"`
	Actor    string       `json:"actor"`
}

// ChangePage is a page of the feed; an empty one repeats the cursor it was asked with.
type ChangePage struct {
	Changes    []Change `json:"changes"`
	NextCursor string   `json:"nextCursor"`
}

// Changes reads the change feed of the workspace: every row of its log (R0.55, R0.77).
func Changes(d httpapi.Deps) httpapi.Endpoint {
	log := ledger.Log{Store: d.Store}
	return httpapi.Handle(routes.MemoryChanges, func(ctx context.Context, c *httpapi.Call, in *changesInput) (httpapi.Reply[ChangePage], error) {
		after, err := sequenceOf(c, in.Cursor)
		if err != nil {
			return httpapi.Reply[ChangePage]{}, err
		}
		rows, err := log.Rows(ctx, c.Scope, after+1, in.Limit)
		if err != nil {
			return httpapi.Reply[ChangePage]{}, err
		}
		page := ChangePage{Changes: make([]Change, 0, len(rows))}
		for _, row := range rows {
			page.Changes = append(page.Changes, changeOf(row))
			after = row.Sequence
		}
		page.NextCursor = c.Cursors.Seal(c.Route.ID, c.Scope, "", strconv.FormatInt(after, 10))
		return httpapi.OK(page), nil
	})
}

func sequenceOf(c *httpapi.Call, cursor string) (int64, error) {
	position, err := c.Cursors.Open(c.Route.ID, c.Scope, "", cursor)
	if err != nil || position == "" {
		return 0, err
	}
	return strconv.ParseInt(position, 10, 64)
}

func changeOf(row ledger.Row) Change {
	out := Change{Sequence: row.Sequence, Op: row.Entry.Op, Family: row.Entry.Family, At: httpapi.At(row.At), Actor: row.Actor.KeyID}
	if row.Entry.Op != ledger.Seal {
		out.MemoryID, out.Version = &row.Entry.ItemID, &row.Entry.Version
	}
	return out
}
