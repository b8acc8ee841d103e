package lambdawork

import (
	"context"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"holdfast/internal/obs"
	"holdfast/internal/routes"
)

// named gives a worker's name and the id of its run to every line that is logged with
// the context. Where there is no Lambda the message stands for the run; empty: none.
func named(ctx context.Context, w routes.Worker, message string) context.Context {
	f := obs.Fields{Route: w.ID, RequestID: message}
	if of, ok := lambdacontext.FromContext(ctx); ok {
		f.RequestID = of.AwsRequestID
	}
	return obs.With(ctx, f)
}
