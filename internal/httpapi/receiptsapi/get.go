package receiptsapi

import (
	"context"

	"holdfast/internal/errs"
	"holdfast/internal/httpapi"
	"holdfast/internal/ledger"
	"holdfast/internal/routes"
)

type getInput struct {
	ReceiptID string `path:"receiptId"`
}

// Get reads one receipt.
func Get(d httpapi.Deps) httpapi.Endpoint { return Reader(routes.ReceiptsGet, d) }

// Reader reads one receipt under any route that names it by receiptId.
func Reader(route routes.Route, d httpapi.Deps) httpapi.Endpoint {
	receipts := ledger.Receipts{Store: d.Store, Journal: d.Journal}
	return httpapi.Handle(route, func(ctx context.Context, c *httpapi.Call, in *getInput) (httpapi.Reply[Receipt], error) {
		receipt, found, err := receipts.Get(ctx, c.Scope, in.ReceiptID)
		if err != nil {
			return httpapi.Reply[Receipt]{}, err
		}
		if !found {
			return httpapi.Reply[Receipt]{}, errs.Missing()
		}
		return httpapi.OK(Of(receipt)), nil
	})
}
