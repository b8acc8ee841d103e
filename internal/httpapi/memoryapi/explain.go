package memoryapi

import (
	"context"

	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
	"holdfast/internal/routes"
)

// explainBody explains an entry (R0.54, R0.80).
type explainBody struct {
	ID           string         `json:"id"`
	Provenance   provenanceBody `json:"provenance"`
	Versions     []versionBody  `json:"versions" doc:"Newest first"`
	Merges       []mergeBody    `json:"merges" doc:"Appends that joined it, the last hundred, oldest first"`
	DerivedFrom  []string       `json:"derivedFrom" doc:"Entries that it cites"`
	DerivedTo    []string       `json:"derivedTo" doc:"Entries that cite it"`
	Supersedes   []string       `json:"supersedes" doc:"Entries whose place it took"`
	SupersededBy *string        `json:"supersededBy" nullable:"true"`
	Recalls      []recallBody   `json:"recalls" doc:"Retrieves that handed it out, newest first, once their receipts are sealed"`
	RecallsFrom  httpapi.Time   `json:"recallsFrom" doc:"How far back receipts were looked through"`

	Suggestions []suggestionBody `json:"suggestions" doc:"Of an episode: pairs that look the same and were not safe to merge, for somebody to review"`
}

type suggestionBody struct {
	IDs    []string `json:"ids" doc:"The entry that was made with the episode, and the one it looks like"`
	Cosine float64  `json:"cosine"`
}

type mergeBody struct {
	At              httpapi.Time `json:"at"`
	OperationID     string       `json:"operationId"`
	ContentReplaced bool         `json:"contentReplaced"`
}

type recallBody struct {
	ReceiptID string       `json:"receiptId"`
	At        httpapi.Time `json:"at"`
	Rank      int          `json:"rank" doc:"Place in the answer, from 1"`
	Score     *float64     `json:"score" nullable:"true"`
}

// Explain tells where an entry comes from, what came of it and who was handed it.
func Explain(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.MemoryExplain, func(ctx context.Context, c *httpapi.Call, in *entryInput) (httpapi.Reply[explainBody], error) {
		e, err := service.Explain(ctx, target(c), in.ID, in.subject())
		if err != nil {
			return httpapi.Reply[explainBody]{}, err
		}
		return httpapi.OK(explainOf(e)), nil
	})
}

func explainOf(e memory.Explanation) explainBody {
	out := explainBody{
		ID: e.ID, Provenance: provenanceOf(e.Provenance), Versions: versionsOf(e.Versions),
		Merges: make([]mergeBody, len(e.Merges)), Recalls: make([]recallBody, len(e.Recalls)),
		DerivedFrom: orEmpty(e.DerivedFrom), DerivedTo: orEmpty(e.DerivedTo), Supersedes: orEmpty(e.Supersedes),
		SupersededBy: orNull(e.Temporal.SupersededBy), RecallsFrom: httpapi.At(e.RecallsFrom),
	}
	out.Suggestions = make([]suggestionBody, len(e.Suggestions))
	for i, p := range e.Suggestions {
		out.Suggestions[i] = suggestionBody{IDs: []string{p.ID, p.Other}, Cosine: p.Cosine}
	}
	for i, m := range e.Merges {
		out.Merges[i] = mergeBody{At: httpapi.At(m.At), OperationID: m.OperationID, ContentReplaced: m.Replaced}
	}
	for i, r := range e.Recalls {
		out.Recalls[i] = recallBody{ReceiptID: r.ReceiptID, At: httpapi.At(r.At), Rank: r.Rank, Score: r.Score}
	}
	return out
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
