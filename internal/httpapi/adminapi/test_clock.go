package adminapi

import (
	"context"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
)

type clockInput struct {
	Body struct {
		AdvanceSeconds int64 `json:"advanceSeconds" minimum:"0" maximum:"315360000" doc:"At most ten years"`
	}
}

// Clock is the service's time.
type Clock struct {
	Now httpapi.Time `json:"now"`
}

// TestClock moves the test clock forward; what is then due has run when it
// answers (T.39).
func TestClock(d httpapi.Deps) httpapi.Endpoint {
	return httpapi.Handle(routes.TestClock, func(ctx context.Context, _ *httpapi.Call, in *clockInput) (httpapi.Reply[Clock], error) {
		if d.Advance == nil {
			return httpapi.Reply[Clock]{}, errs.Missing()
		}
		now, err := d.Advance(ctx, time.Duration(in.Body.AdvanceSeconds)*time.Second)
		if err != nil {
			return httpapi.Reply[Clock]{}, err
		}
		return httpapi.OK(Clock{Now: httpapi.At(now)}), nil
	})
}
