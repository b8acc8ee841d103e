package receiptsapi

import (
	"context"
	"fmt"

	"holdfast/internal/httpapi"
	"holdfast/internal/ledger"
	"holdfast/internal/routes"
)

type listInput struct {
	Kind   string `query:"kind" enum:"retrieve,search,agent_memory,admin,write,erasure" doc:"Only receipts of this kind"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
	Cursor string `query:"cursor"`
}

// Page is a page of receipts, newest log row first.
type Page struct {
	Receipts   []Receipt `json:"receipts"`
	NextCursor *string   `json:"nextCursor" nullable:"true"`
}

// List lists the receipts that are in the chain.
func List(d httpapi.Deps) httpapi.Endpoint {
	receipts := ledger.Receipts{Store: d.Store, Journal: d.Journal}
	return httpapi.Handle(routes.ReceiptsList, func(ctx context.Context, c *httpapi.Call, in *listInput) (httpapi.Reply[Page], error) {
		at, err := open(c, in)
		if err != nil {
			return httpapi.Reply[Page]{}, err
		}
		found, next, err := receipts.List(ctx, c.Scope, ledger.Kind(in.Kind), in.Limit, at)
		if err != nil {
			return httpapi.Reply[Page]{}, err
		}
		page := Page{Receipts: make([]Receipt, 0, len(found))}
		for _, r := range found {
			page.Receipts = append(page.Receipts, Of(r))
		}
		if next != nil {
			cursor := c.Cursors.Seal(c.Route.ID, c.Scope, in.Kind, fmt.Sprintf("%d.%d", next.Sequence, next.Skip))
			page.NextCursor = &cursor
		}
		return httpapi.OK(page), nil
	})
}

func open(c *httpapi.Call, in *listInput) (ledger.Position, error) {
	position, err := c.Cursors.Open(c.Route.ID, c.Scope, in.Kind, in.Cursor)
	if err != nil || position == "" {
		return ledger.Position{}, err
	}
	var at ledger.Position
	if _, err := fmt.Sscanf(position, "%d.%d", &at.Sequence, &at.Skip); err != nil {
		return ledger.Position{}, fmt.Errorf("receipts: cursor of ours: %w", err)
	}
	return at, nil
}
