package memoryapi

import (
	"context"
	"strconv"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/httpapi"
	"holdfast/internal/memory"
	"holdfast/internal/routes"
)

type appendBatchInput struct {
	Body appendBatchBody
}

type appendBatchBody struct {
	Items []httpapi.Separate[appendBody] `json:"items" minItems:"1" maxItems:"100"`
}

type appendBatchAnswer struct {
	Results []batchResult `json:"results" doc:"One an item, in order"`
}

// batchResult is either what an append answers or an error (R0.58, R0.87).
type batchResult struct {
	Index           int         `json:"index"`
	ID              *string     `json:"id,omitempty"`
	Merged          *bool       `json:"merged,omitempty"`
	ContentReplaced *bool       `json:"contentReplaced,omitempty"`
	OperationID     *string     `json:"operationId,omitempty"`
	Error           *batchError `json:"error,omitempty"`
}

type batchError struct {
	Code   string       `json:"code"`
	Errors []errs.Field `json:"errors,omitempty"`
}

// AppendBatch stores up to a hundred memories, each on its own.
func AppendBatch(d httpapi.Deps) httpapi.Endpoint {
	service := serviceOf(d)
	return httpapi.Handle(routes.MemoryAppendBatch, func(ctx context.Context, c *httpapi.Call, in *appendBatchInput) (httpapi.Reply[appendBatchAnswer], error) {
		results, faults := service.AppendMany(ctx, items(c, in.Body.Items))
		if err := downFor(faults); err != nil {
			return httpapi.Reply[appendBatchAnswer]{}, err
		}
		body := appendBatchAnswer{Results: make([]batchResult, len(results))}
		for i, a := range results {
			body.Results[i] = resultOf(i, a, faults[i])
		}
		return httpapi.OK(body).Wrote(last(results, faults)), nil
	})
}

// items reads each item on its own: a fault in one is that item's error (R0.72).
func items(c *httpapi.Call, parts []httpapi.Separate[appendBody]) []memory.Item {
	out := make([]memory.Item, len(parts))
	for i, part := range parts {
		item := memory.Item{Target: target(c), Base: "/items/" + strconv.Itoa(i)}
		if c.Key != nil {
			key := c.Key.Part(i, part)
			item.Key = &key
		}
		body, fault := part.Decode(item.Base)
		if fault != nil {
			item.Fault = fault
		}
		item.Draft = body.draft()
		out[i] = item
	}
	return out
}

func resultOf(index int, a memory.Appended, fault error) batchResult {
	if fault != nil {
		e := errs.As(fault)
		if e == nil || e.Kind == errs.Internal {
			e = errs.New(errs.Internal, "INTERNAL", "")
		}
		return batchResult{Index: index, Error: &batchError{Code: e.Code, Errors: e.Fields}}
	}
	return batchResult{Index: index, ID: &a.ID, Merged: &a.Merged, ContentReplaced: &a.ContentReplaced,
		OperationID: &a.OperationID}
}

// downFor is the call's own error where not one item could be tried: the service
// is at fault, and the whole call may be sent again.
func downFor(faults []error) error {
	for _, fault := range faults {
		if fault == nil {
			return nil
		}
		if k := errs.KindOf(fault); k != errs.Unavailable && k != errs.Internal {
			return nil
		}
	}
	return faults[0]
}

// last is what the headers tell of a batch: the highest sequence, and a replay
// when nothing was done anew.
func last(results []memory.Appended, faults []error) commit.Outcome {
	var out commit.Outcome
	fresh := false
	for i, a := range results {
		if faults[i] == nil {
			out.Sequence = max(out.Sequence, a.Sequence)
			out.Replayed = out.Replayed || a.Replayed
			fresh = fresh || !a.Replayed
		}
	}
	out.Replayed = out.Replayed && !fresh
	return out
}
