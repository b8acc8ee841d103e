package memoryapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
	"holdfast/internal/routes"
)

// versionBody is one text of an entry (R0.61).
type versionBody struct {
	Version int64         `json:"version"`
	Content string        `json:"content"`
	At      httpapi.Time  `json:"at"`
	Actor   string        `json:"actor" doc:"Id of the key that wrote it"`
	Reason  memory.Reason `json:"reason" enum:"append,merge,update"`
}

type versionList struct {
	Versions []versionBody `json:"versions"`
}

// Versions lists an entry's texts, newest first.
func Versions(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.MemoryVersions, func(ctx context.Context, c *httpapi.Call, in *entryInput) (httpapi.Reply[versionList], error) {
		list, err := service.Versions(ctx, target(c), in.ID, in.subject())
		if err != nil {
			return httpapi.Reply[versionList]{}, err
		}
		return httpapi.OK(versionList{versionsOf(list)}), nil
	})
}

func versionsOf(list []memory.Version) []versionBody {
	out := make([]versionBody, len(list))
	for i, v := range list {
		out[i] = versionBody{Version: v.Version, Content: v.Content, At: httpapi.At(v.Edition.At),
			Actor: v.Edition.Actor, Reason: v.Edition.Reason}
	}
	return out
}
