package opensearch

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"

	"holdfast/internal/search/words"
)

// wordsChange is what a batch does to one document: the newest of its operations.
type wordsChange struct {
	op  *words.Op
	ops []int // places in the batch, of older operations as well
}

// Apply writes the newest operation of each document: of two with one sequence the
// first.
func (x *Words) Apply(ctx context.Context, ops []words.Op) []error {
	errs := make([]error, len(ops))
	var changes []*wordsChange
	byID := map[string]*wordsChange{}
	for i := range ops {
		if errs[i] = checkWords(&ops[i]); errs[i] != nil {
			continue
		}
		id := wordsID(&ops[i])
		c := byID[id]
		if c == nil {
			c = &wordsChange{op: &ops[i]}
			byID[id] = c
			changes = append(changes, c)
		} else if ops[i].Document.Sequence > c.op.Document.Sequence {
			c.op = &ops[i]
		}
		c.ops = append(c.ops, i)
	}
	x.writeWords(ctx, changes, errs)
	return errs
}

func checkWords(op *words.Op) error {
	d := &op.Document
	if err := op.Check(); err != nil {
		return err
	}
	if len(wordsID(op)) > maxID || len(d.Space) > maxLabel || len(d.Path) > maxLabel {
		return words.ErrBadRequest
	}
	for _, tag := range d.Tags {
		if len(tag) > maxLabel {
			return words.ErrBadRequest
		}
	}
	return nil
}

func wordsID(op *words.Op) string {
	return documentID(scopeKey(op.Document.Scope), op.Document.ID)
}

// writeWords sends the changes in bulks and notes their errors.
func (x *Words) writeWords(ctx context.Context, changes []*wordsChange, errs []error) {
	var body bytes.Buffer
	start, conflict := 0, false
	for i, c := range changes {
		lines := c.lines()
		if body.Len() > 0 && body.Len()+len(lines) > maxBulk {
			conflict = x.sendWords(ctx, changes[start:i], body.Bytes(), errs) || conflict
			start = i
			body.Reset()
		}
		body.Write(lines)
	}
	if body.Len() > 0 {
		conflict = x.sendWords(ctx, changes[start:], body.Bytes(), errs) || conflict
	}
	if !conflict {
		return
	}
	// what another has written in place of an older operation may not be searchable yet
	if err := x.refreshNow(ctx); err != nil {
		for _, c := range changes {
			c.fail(err, errs)
		}
	}
}

// lines is the change's action and, unless it is a delete, its document.
func (c *wordsChange) lines() []byte {
	var out bytes.Buffer
	d := &c.op.Document
	at := object{"_id": wordsID(c.op), "routing": scopeKey(d.Scope), "version": d.Sequence, "version_type": "external"}
	if c.op.Delete {
		out.Write(encode(object{"delete": at}))
	} else {
		out.Write(encode(object{"index": at}))
		out.WriteByte('\n')
		out.Write(encode(newFact(d)))
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// sendWords does one request and waits until what it wrote is searchable. It answers
// whether a document was there in a newer version.
func (x *Words) sendWords(ctx context.Context, changes []*wordsChange, body []byte, errs []error) (conflict bool) {
	var answer struct {
		Items []map[string]bulkItem `json:"items"` // one entry each, by the action
	}
	err := do(ctx, &x.engine, request{
		method: http.MethodPost, path: "/" + x.index + "/_bulk", lines: true, body: body,
		query: url.Values{"refresh": {"wait_for"}, "filter_path": {"items.*.status,items.*.error.type"}},
	}, &answer)
	if err == nil && len(answer.Items) != len(changes) {
		err = fmt.Errorf("%w: the answer cannot be read", words.ErrUnavailable)
	}
	for i, c := range changes {
		if err != nil {
			c.fail(err, errs)
			continue
		}
		for _, item := range answer.Items[i] {
			conflict = c.note(item, errs) || conflict
		}
	}
	return conflict
}

// note reads an item's result. A change that is older than what is there counts as
// done, as does a delete of nothing.
func (c *wordsChange) note(item bulkItem, errs []error) (conflict bool) {
	switch {
	case item.Status >= http.StatusOK && item.Status < http.StatusMultipleChoices:
		return false
	case item.Status == http.StatusConflict:
		return true
	case item.Status == http.StatusNotFound && item.Error.Type != "index_not_found_exception":
		return false
	}
	c.fail(failure(item.Status, item.Error), errs)
	return false
}

func (c *wordsChange) fail(err error, errs []error) {
	for _, i := range c.ops {
		errs[i] = err
	}
}
