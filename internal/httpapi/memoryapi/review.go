package memoryapi

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
	"holdfast/internal/routes"
)

type reviewInput struct {
	ID   string `path:"id"`
	Body reviewBody
}

type reviewBody struct {
	Decision memory.Verdict `json:"decision" enum:"release,reject"`
	Note     *string        `json:"note,omitempty" required:"false" nullable:"true" maxLength:"1000"`
}

// reviewedBody is the entry that was released, or the rejection (R0.52).
type reviewedBody struct {
	entry    *entryBody
	rejected *rejectedBody
}

type rejectedBody struct {
	ID       string         `json:"id"`
	Decision memory.Verdict `json:"decision" enum:"reject"`
}

// MarshalJSON writes the one that is set.
func (b reviewedBody) MarshalJSON() ([]byte, error) {
	if b.entry != nil {
		return json.Marshal(b.entry)
	}
	return json.Marshal(b.rejected)
}

// Schema shows both forms of the answer.
func (reviewedBody) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		r.Schema(reflect.TypeFor[entryBody](), true, "Entry"),
		r.Schema(reflect.TypeFor[rejectedBody](), true, "Rejected"),
	}}
}

// Review releases or rejects an entry in quarantine.
func Review(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.MemoryReview, func(ctx context.Context, c *httpapi.Call, in *reviewInput) (httpapi.Reply[reviewedBody], error) {
		changed, err := service.Review(ctx, target(c), memory.Ruling{
			ID: in.ID, Verdict: in.Body.Decision, Note: or(in.Body.Note, ""), Allows: c.AllowsVersion,
		})
		if err != nil {
			return httpapi.Reply[reviewedBody]{}, err
		}
		if in.Body.Decision == memory.Reject {
			body := reviewedBody{rejected: &rejectedBody{ID: in.ID, Decision: memory.Reject}}
			return httpapi.OK(body).Wrote(changed.Outcome), nil
		}
		entry := entryOf(changed.Memory)
		return httpapi.OK(reviewedBody{entry: &entry}).ETag(changed.Version).Wrote(changed.Outcome), nil
	})
}
