package receiptsapi

import (
	"context"

	"holdfast/internal/errs"
	"holdfast/internal/httpapi"
	"holdfast/internal/ledger"
	"holdfast/internal/routes"
)

type verifyInput struct {
	From *int64 `query:"from" minimum:"1" doc:"First sequence, inclusive"`
	To   *int64 `query:"to" minimum:"1" doc:"Last sequence, inclusive"`
}

// Verdict says whether the chain holds.
type Verdict struct {
	Valid      bool          `json:"valid"`
	Checked    int64         `json:"checked" doc:"Rows that were checked"`
	FirstBreak *ledger.Break `json:"firstBreak" nullable:"true"`
}

// Verify checks the chain between two sequences.
func Verify(d httpapi.Deps) httpapi.Endpoint {
	log := ledger.Log{Store: d.Store}
	return httpapi.Handle(routes.ReceiptsVerify, func(ctx context.Context, c *httpapi.Call, in *verifyInput) (httpapi.Reply[Verdict], error) {
		from, to := int64(1), int64(0)
		if in.From != nil {
			from = *in.From
		}
		if in.To != nil {
			to = *in.To
		}
		if to > 0 && from > to {
			return httpapi.Reply[Verdict]{}, errs.Validation(errs.Field{Pointer: "from", Rule: "must not be after to"})
		}
		v, err := log.Verify(ctx, c.Scope, from, to)
		if err != nil {
			return httpapi.Reply[Verdict]{}, err
		}
		return httpapi.OK(Verdict{Valid: v.Break == nil, Checked: v.Checked, FirstBreak: v.Break}), nil
	})
}
