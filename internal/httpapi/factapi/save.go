package factapi

import (
	"context"
	"encoding/json"
	"net/http"

	"holdfast/internal/fact"
	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
)

type saveInput struct {
	Body httpapi.Separate[saveBody]
}

// saveBody is a fact to save. It is checked on its own: a key that the run has used is
// answered before the rest is looked at (R3.28).
type saveBody struct {
	Path       *string         `json:"path" doc:"Folders with slashes between; the root is empty. users/{user}/ is the run's end user's"`
	Text       *string         `json:"text" doc:"1 to 4,000 characters, kept as sent"`
	Tags       given[[]string] `json:"tags,omitzero" doc:"At most 20; null clears them in a replacement"`
	Confidence given[float64]  `json:"confidence,omitzero" doc:"0 to 1; null clears it in a replacement"`
	Replaces   *string         `json:"replaces,omitempty" required:"false" nullable:"true" doc:"The fact that this becomes the next version of"`
	Key        *string         `json:"key,omitempty" required:"false" nullable:"true" doc:"The same key in the same run answers what was written first"`
	WrittenBy  *string         `json:"written_by,omitempty" required:"false" nullable:"true" doc:"code (when left out) or model"`
}

func (b saveBody) draft() fact.Draft {
	return fact.Draft{Path: b.Path, Text: b.Text, Tags: b.Tags.Optional, Confidence: b.Confidence.Optional,
		Replaces: b.Replaces, Key: b.Key, WrittenBy: b.WrittenBy}
}

// Save stores a fact, or another version of one.
func Save(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.FactsSave, func(ctx context.Context, c *httpapi.Call, in *saveInput) (httpapi.Reply[factBody], error) {
		body, fault := in.Body.Decode("")
		draft := body.draft()
		if fault != nil {
			draft = fact.Draft{Key: keyOf(in.Body)}
		}
		saved, err := service.Save(ctx, runs(c), draft)
		if err != nil && fault != nil {
			err = fault // the draft had no more than the key
		}
		if err != nil {
			return httpapi.Reply[factBody]{}, err
		}
		reply := httpapi.OK(factOf(saved.Fact)).ETag(saved.Version).Wrote(saved.Outcome)
		if saved.Repeated {
			reply.Status = http.StatusOK
		}
		return reply, nil
	})
}

// keyOf reads the key alone out of a body that is wrong elsewhere.
func keyOf(raw []byte) *string {
	var body struct{ Key json.RawMessage }
	var key string
	if json.Unmarshal(raw, &body) != nil || json.Unmarshal(body.Key, &key) != nil {
		return nil
	}
	return &key
}
