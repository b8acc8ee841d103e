package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"holdfast/internal/tenant"
)

var talkScope = tenant.Grant("tenant-1", "workspace-talk")

// answering answers requests in place of a domain.
type answering func(r *http.Request, body []byte) (status int, answer string)

// RoundTrip lets the function answer.
func (f answering) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	status, answer := f(r, body)
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(answer)), Request: r, ContentLength: int64(len(answer)),
	}, nil
}

// inTurn lets a domain answer one request at a time, as the arms of a search ask at once
// and what a test counts or keeps has no lock of its own.
type inTurn struct {
	mu     sync.Mutex
	domain answering
}

// RoundTrip waits for its turn.
func (d *inTurn) RoundTrip(r *http.Request) (*http.Response, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.domain.RoundTrip(r)
}

// adapter makes one over a transport.
func adapter(t testing.TB, transport http.RoundTripper, change ...func(*Config)) *Index {
	t.Helper()
	if domain, ok := transport.(answering); ok {
		transport = &inTurn{domain: domain}
	}
	c := Config{URL: "http://domain.example", Profiles: []Profile{{"p-4", 4}}, Transport: transport}
	for _, f := range change {
		f(&c)
	}
	x, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	x.wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

// node is the part of an engine that Apply needs: documents with versions, reads by
// item and by session, and bulk writes.
type node struct {
	mu      sync.Mutex
	docs    map[string]*stored
	deleted map[string]int64 // versions
	seqNo   int64

	requests []string
	before   func(path string) // runs ahead of a request, without the lock
	fail     func(action, id string) int
}

type stored struct {
	version, seqNo int64
	source         map[string]json.RawMessage
}

func newNode() *node {
	return &node{docs: map[string]*stored{}, deleted: map[string]int64{}}
}

func (n *node) answer(r *http.Request, body []byte) (int, string) {
	path := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	if n.before != nil {
		n.before(path)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.requests = append(n.requests, path)
	lines := bytes.Split(bytes.TrimSpace(body), []byte("\n"))
	switch path {
	case "_msearch":
		return http.StatusOK, n.search(lines)
	case "_bulk":
		return http.StatusOK, n.bulk(lines)
	}
	return http.StatusOK, "{}"
}

// reads is a query of the forms that Apply uses.
type reads struct {
	Size  int
	Query struct {
		Bool struct {
			Filter []struct {
				Terms map[string][]string
				Term  map[string]string
				Range map[string]map[string]string
			}
		}
	}
	Sort []map[string]string
}

func (q *reads) holds(source map[string]json.RawMessage) bool {
	value := func(name string) (out string) {
		decode(source[name], &out)
		return out
	}
	for _, f := range q.Query.Bool.Filter {
		for name, values := range f.Terms {
			if !slices.Contains(values, value(name)) {
				return false
			}
		}
		for name, want := range f.Term {
			if value(name) != want {
				return false
			}
		}
		for name, bounds := range f.Range {
			lt, hasLt := bounds["lt"]
			if v := value(name); hasLt && v >= lt || v < bounds["gte"] {
				return false
			}
		}
	}
	return true
}

func decode(data []byte, out any) {
	if len(data) == 0 {
		return
	}
	if err := json.Unmarshal(data, out); err != nil {
		panic(err)
	}
}

func (n *node) search(lines [][]byte) string {
	var responses []object
	for i := 1; i < len(lines); i += 2 {
		var q reads
		decode(lines[i], &q)
		var found []object
		for _, id := range n.sorted() {
			if d := n.docs[id]; q.holds(d.source) {
				found = append(found, object{"_source": without(d.source, fieldVectors), "_seq_no": d.seqNo, "_primary_term": 1})
			}
		}
		if len(q.Sort) > 0 && q.Sort[0][fieldID] == "desc" {
			slices.Reverse(found)
		}
		found = found[:min(len(found), q.Size)]
		responses = append(responses, object{"status": 200, "hits": object{"hits": found}})
	}
	return string(encode(object{"responses": responses}))
}

func (n *node) sorted() []string {
	var ids []string
	for id := range n.docs {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func without(source map[string]json.RawMessage, name string) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for key, value := range source {
		if key != name && key != fieldPassages && key != fieldWords {
			out[key] = value
		}
	}
	return out
}

type action struct {
	ID      string `json:"_id"`
	Version int64  `json:"version"`
	IfSeqNo int64  `json:"if_seq_no"`
}

func (n *node) bulk(lines [][]byte) string {
	var items []object
	for len(lines) > 0 {
		var entry map[string]action
		decode(lines[0], &entry)
		lines = lines[1:]
		for name, a := range entry {
			var document []byte
			if name != "delete" {
				document, lines = lines[0], lines[1:]
			}
			status := 0
			if n.fail != nil {
				status = n.fail(name, a.ID)
			}
			if status == 0 {
				status = n.apply(name, a, document)
			}
			item := object{"status": status}
			if status >= 400 {
				item["error"] = object{"type": "some_exception", "reason": string(document)}
			}
			items = append(items, object{name: item})
		}
	}
	return string(encode(object{"items": items}))
}

func (n *node) apply(name string, a action, document []byte) int {
	d := n.docs[a.ID]
	if name == "update" {
		switch {
		case d == nil:
			return http.StatusNotFound
		case d.seqNo != a.IfSeqNo:
			return http.StatusConflict
		}
		var update struct{ Doc map[string]json.RawMessage }
		decode(document, &update)
		for key, value := range update.Doc {
			d.source[key] = value
		}
		d.version++
		n.stamp(d)
		return http.StatusOK
	}
	if version, gone := n.deleted[a.ID]; gone && version >= a.Version || d != nil && d.version >= a.Version {
		return http.StatusConflict
	}
	delete(n.docs, a.ID)
	if name == "delete" {
		n.deleted[a.ID] = a.Version
		if d == nil {
			return http.StatusNotFound
		}
		return http.StatusOK
	}
	d = &stored{version: a.Version}
	decode(document, &d.source)
	n.stamp(d)
	n.docs[a.ID] = d
	return http.StatusCreated
}

func (n *node) stamp(d *stored) {
	n.seqNo++
	d.seqNo = n.seqNo
}

// derivedOf reads what is written of a document.
func (n *node) record(t *testing.T, id string) *record {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	var out record
	if d := n.docs[id]; d == nil {
		t.Fatalf("no document %s", id)
	} else {
		decode(encode(d.source), &out)
	}
	return &out
}
