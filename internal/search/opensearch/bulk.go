package opensearch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"holdfast/internal/search"
)

// maxBulk is the most bytes of one bulk request, but for a single document: small
// domains on AWS take 10 MB.
const maxBulk = 4 << 20

// write is one item of a bulk request: a change, or the new window of a document
// beside one or of one that leaves its session.
type write struct {
	change *change

	rewrite *record
	session sessionKey
	batch   *batch
}

// write sends the items and notes their errors. It answers whether a document was
// changed by another writer meanwhile.
func (x *Index) write(ctx context.Context, writes []write) (conflict bool) {
	var body bytes.Buffer
	start := 0
	for i := range writes {
		lines := writes[i].lines()
		if body.Len() > 0 && body.Len()+len(lines) > maxBulk {
			conflict = x.send(ctx, writes[start:i], body.Bytes()) || conflict
			start = i
			body.Reset()
		}
		body.Write(lines)
	}
	return x.send(ctx, writes[start:], body.Bytes()) || conflict
}

// lines is the item's action and, unless it is a delete, its document.
func (w *write) lines() []byte {
	var out bytes.Buffer
	action, document := w.action()
	out.Write(encode(action))
	out.WriteByte('\n')
	if document != nil {
		out.Write(encode(document))
		out.WriteByte('\n')
	}
	return out.Bytes()
}

func (w *write) action() (action, document any) {
	if r := w.rewrite; r != nil {
		return object{"update": object{
			"_id": documentID(r.Scope, r.ID), "routing": r.Scope,
			"if_seq_no": r.seqNo, "if_primary_term": r.primaryTerm,
		}}, object{"doc": r.rewritten()}
	}
	at := object{
		"_id": w.change.id, "routing": w.change.key,
		"version": w.change.sequence << versionBits, "version_type": "external",
	}
	if w.change.record == nil {
		return object{"delete": at}, nil
	}
	return object{"index": at}, w.change.record
}

// rewritten are the fields that a rewrite changes: of a record that leaves its session
// that one as well.
func (r *record) rewritten() any {
	if r.Kept.Left == "" {
		return r.derived
	}
	return struct {
		Session *string `json:"session"`
		derived
	}{derived: r.derived}
}

// bulkItem is what the engine says of one item.
type bulkItem struct {
	Status int     `json:"status"`
	Error  problem `json:"error"`
}

// send does one request and waits until what it wrote is searchable.
func (x *Index) send(ctx context.Context, writes []write, body []byte) (conflict bool) {
	var answer struct {
		Items []map[string]bulkItem `json:"items"` // one entry each, by the action
	}
	err := do(ctx, &x.engine, request{
		method: http.MethodPost, path: "/" + x.index + "/_bulk", lines: true, body: body,
		query: url.Values{"refresh": {"wait_for"}, "filter_path": {"items.*.status,items.*.error.type"}},
	}, &answer)
	if err == nil && len(answer.Items) != len(writes) {
		err = fmt.Errorf("%w: the answer cannot be read", search.ErrUnavailable)
	}
	for i := range writes {
		if err != nil {
			writes[i].fail(err)
			continue
		}
		for _, item := range answer.Items[i] {
			conflict = writes[i].note(item) || conflict
		}
	}
	return conflict
}

// note reads an item's result. A change that is older than what is there counts as
// done, as does a delete of nothing. A window that was changed meanwhile is looked
// at again.
func (w *write) note(item bulkItem) (conflict bool) {
	switch {
	case item.Status >= http.StatusOK && item.Status < http.StatusMultipleChoices:
		return false
	case item.Status == http.StatusConflict:
		return true
	case item.Status == http.StatusNotFound && item.Error.Type != "index_not_found_exception":
		return w.rewrite != nil
	}
	w.fail(failure(item.Status, item.Error))
	return false
}

// fail notes an error with the change, or with those whose window it is until they are
// looked at again.
func (w *write) fail(err error) {
	if w.change != nil {
		w.change.err = errors.Join(w.change.err, err)
		return
	}
	for _, c := range w.batch.changes {
		if c.sessions[w.session] {
			c.stale = cmp.Or(c.stale, err)
		}
	}
}

// refreshNow makes everything written so far searchable.
func (x *engine) refreshNow(ctx context.Context) error {
	return do(ctx, x, request{method: http.MethodPost, path: "/" + x.index + "/_refresh"}, nothing)
}
