package opensearch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/search"
)

// turn is a document of a conversation.
func turn(id, session, speaker, text string, sequence int64) search.Document {
	return search.Document{
		Scope: talkScope, ID: id, Version: sequence, Sequence: sequence, Text: text, Speaker: speaker, Session: session,
	}
}

func upserts(docs ...search.Document) []search.Op {
	ops := make([]search.Op, len(docs))
	for i, d := range docs {
		ops[i].Document = d
	}
	return ops
}

func removal(id string, sequence int64) search.Op {
	return search.Op{Delete: true, Document: search.Document{Scope: talkScope, ID: id, Sequence: sequence}}
}

func applied(t *testing.T, x *Index, ops ...search.Op) {
	t.Helper()
	for i, err := range x.Apply(t.Context(), ops) {
		if err != nil {
			t.Fatalf("operation %d: %v", i, err)
		}
	}
}

// agrees tells whether the node holds exactly these documents, each with the window
// that it has among them.
func agrees(t *testing.T, x *Index, n *node, docs map[string]search.Document) {
	t.Helper()
	if len(n.docs) != len(docs) {
		t.Fatalf("%d documents, want %d", len(n.docs), len(docs))
	}
	sessions := map[string][]*record{}
	for _, d := range docs {
		r, err := x.newRecord(&d)
		if err != nil {
			t.Fatal(err)
		}
		sessions[d.Session] = append(sessions[d.Session], r)
	}
	for name, session := range sessions {
		slices.SortFunc(session, func(a, b *record) int { return strings.Compare(a.ID, b.ID) })
		for i, want := range session {
			w := window{}
			if name != "" {
				w = windowAt(session, i)
			}
			want.derive(w)
			got := n.record(t, documentID(want.Scope, want.ID))
			if !reflect.DeepEqual(got.derived, want.derived) || !reflect.DeepEqual(got.Vectors, want.Vectors) {
				t.Fatalf("%s:\n got %+v\nwant %+v", want.ID, got.derived, want.derived)
			}
		}
	}
}

type randomBatches struct {
	*rand.Rand
	sequence int64
	docs     map[string]search.Document
}

// batch makes operations that may hit one document several times.
func (g *randomBatches) batch(most int) []search.Op {
	ops := make([]search.Op, 1+g.IntN(most))
	for i := range ops {
		g.sequence++
		id := fmt.Sprintf("%03d", g.IntN(60))
		if g.IntN(4) == 0 {
			ops[i] = removal(id, g.sequence)
			delete(g.docs, id)
			continue
		}
		words := []string{"kiln", "oven", "door", "hinge", "smith", ""}
		d := turn(id, []string{"", "s1", "s1", "s2"}[g.IntN(4)], []string{"Nora", "Emil", "Emil", "user"}[g.IntN(4)],
			words[g.IntN(6)]+" "+words[g.IntN(6)], g.sequence)
		if g.IntN(2) == 0 {
			d.Vector, d.Profile = []float32{1, float32(g.sequence), 0, 0}, "p-4"
		}
		ops[i].Document = d
		g.docs[id] = d
	}
	return ops
}

func FuzzWindowsAreThoseOfTheSession(f *testing.F) {
	for seed := range uint64(12) {
		f.Add(seed, byte(4*seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, most byte) {
		n := newNode()
		x := adapter(t, answering(n.answer))
		g := randomBatches{Rand: rand.New(rand.NewPCG(seed, 5)), docs: map[string]search.Document{}}
		for range 12 {
			applied(t, x, g.batch(1+int(most))...)
			agrees(t, x, n, g.docs)
		}
	})
}

func TestAChangeThatComesBetweenIsMended(t *testing.T) {
	n := newNode()
	x, other := adapter(t, answering(n.answer)), adapter(t, answering(n.answer))
	docs := map[string]search.Document{}
	for i, id := range []string{"02", "04", "06", "08", "10"} {
		docs[id] = turn(id, "s", "Nora", "kiln "+id, int64(i+1))
		applied(t, x, search.Op{Document: docs[id]})
	}
	// what another writer does just before ours are written, twice over
	between := []search.Op{
		{Document: turn("05", "s", "Emil", "hinge", 11)}, removal("04", 12),
	}
	n.before = func(path string) {
		if path != "_bulk" || len(between) == 0 {
			return
		}
		op := between[0]
		between = between[1:]
		hook := n.before
		n.before = nil
		applied(t, other, op)
		n.before = hook
		if delete(docs, op.Document.ID); !op.Delete {
			docs[op.Document.ID] = op.Document
		}
	}
	docs["03"], docs["09"] = turn("03", "s", "Emil", "smith", 21), turn("09", "s", "Emil", "oven", 22)
	applied(t, x, search.Op{Document: docs["03"]}, search.Op{Document: docs["09"]})
	if len(between) > 0 {
		t.Fatalf("%d changes never came", len(between))
	}
	agrees(t, x, n, docs)
}

func TestEndlessContentionIsAnError(t *testing.T) {
	n := newNode()
	x := adapter(t, answering(n.answer))
	applied(t, x, upserts(turn("1", "s", "Nora", "kiln", 1))...)
	n.fail = func(action, _ string) int {
		if action == "update" {
			return http.StatusConflict
		}
		return 0
	}
	errs := x.Apply(t.Context(), upserts(turn("2", "s", "Nora", "oven", 2), turn("3", "", "Nora", "door", 3)))
	if !errors.Is(errs[0], search.ErrUnavailable) || errs[1] != nil {
		t.Errorf("errors %v", errs)
	}
}

// A window beside a change that cannot be written fails the change, and doing the
// change again mends the window.
func TestAFailedWindowIsMendedByDoingItAgain(t *testing.T) {
	n := newNode()
	x := adapter(t, answering(n.answer))
	first, second := turn("1", "s", "Nora", "kiln", 1), turn("2", "s", "Nora", "oven", 2)
	applied(t, x, upserts(first)...)
	n.fail = func(action, _ string) int {
		if action == "update" {
			return http.StatusTooManyRequests
		}
		return 0
	}
	if errs := x.Apply(t.Context(), upserts(second)); !errors.Is(errs[0], search.ErrUnavailable) {
		t.Fatalf("errors %v", errs)
	}
	n.fail = nil
	applied(t, x, upserts(second)...)
	agrees(t, x, n, map[string]search.Document{"1": first, "2": second})
}

func TestPartialBulkFailureIsTheOperationsOwn(t *testing.T) {
	n := newNode()
	x := adapter(t, answering(n.answer))
	status := map[string]int{"1": 429, "2": 503, "3": 400, "4": 409, "5": 404, "6": 500}
	n.fail = func(_, id string) int { return status[id[len(id)-1:]] }
	var ops []search.Op
	for _, id := range []string{"0", "1", "2", "3", "4", "5", "6", "7"} {
		d := turn(id, "", "", "canary", 1)
		ops = append(ops, search.Op{Document: d, Delete: id == "5"})
	}
	errs := x.Apply(t.Context(), ops)
	for i, want := range []string{"", "unavailable", "unavailable", "refused", "", "", "unavailable", ""} {
		got := ""
		if errs[i] != nil {
			got = errs[i].Error()
		}
		if !strings.Contains(got, want) || want == "" && got != "" || strings.Contains(got, "canary") {
			t.Errorf("operation %d: %q, want %q", i, got, want)
		}
		if errors.Is(errs[i], search.ErrUnavailable) != (want == "unavailable") {
			t.Errorf("operation %d: %v", i, errs[i])
		}
		if search.Lasting(errs[i]) != (want == "refused") {
			t.Errorf("operation %d: lasting is %v", i, search.Lasting(errs[i]))
		}
	}
}

// A document that the engine will never take costs those beside it nothing: they are
// there, and their windows are those of a session without it.
func TestARefusedDocumentHoldsUpNoneInItsSession(t *testing.T) {
	n := newNode()
	x := adapter(t, answering(n.answer))
	first, poison, last := turn("1", "s", "Nora", "kiln", 1), turn("2", "s", "Nora", "oven", 2), turn("3", "s", "Nora", "door", 3)
	n.fail = func(action, id string) int {
		if action != "update" && strings.HasSuffix(id, ".2") {
			return http.StatusBadRequest
		}
		return 0
	}
	for range 2 {
		errs := x.Apply(t.Context(), upserts(first, poison, last))
		if errs[0] != nil || !search.Lasting(errs[1]) || errs[2] != nil {
			t.Fatalf("errors %v", errs)
		}
		agrees(t, x, n, map[string]search.Document{"1": first, "3": last})
	}
	n.fail = nil
	applied(t, x, upserts(poison)...)
	agrees(t, x, n, map[string]search.Document{"1": first, "2": poison, "3": last})
}

func TestOperationsThatCannotBeAreRefusedAlone(t *testing.T) {
	n := newNode()
	x := adapter(t, answering(n.answer))
	bad := func(change func(*search.Document)) search.Document {
		d := turn("1", "", "", "kiln", 1)
		change(&d)
		return d
	}
	nan := float32(0)
	docs := []search.Document{
		bad(func(d *search.Document) { d.Scope = search.Document{}.Scope }),
		bad(func(d *search.Document) { d.ID = "" }),
		bad(func(d *search.Document) { d.ID = strings.Repeat("x", 600) }),
		bad(func(d *search.Document) { d.Sequence = -1 }),
		bad(func(d *search.Document) { d.Sequence = maxSequence + 1 }),
		bad(func(d *search.Document) { d.Vector, d.Profile = []float32{1}, "p-4" }),
		bad(func(d *search.Document) { d.Vector, d.Profile = []float32{1, 0, 0, 0}, "unknown" }),
		bad(func(d *search.Document) { d.Vector, d.Profile = []float32{1, 0, 0, nan / nan}, "p-4" }),
		bad(func(d *search.Document) { d.Fields = search.Fields{"a=b": {"c"}} }),
		bad(func(d *search.Document) { d.Times = search.Times{"": time.Unix(0, 0)} }),
		bad(func(d *search.Document) { d.Item = strings.Repeat("x", 9000) }),
		bad(func(d *search.Document) { d.Session = strings.Repeat("x", 9000) }),
	}
	errs := x.Apply(t.Context(), append(upserts(docs...), search.Op{Document: turn("2", "", "", "kiln", 1)}))
	for i := range docs {
		if !errors.Is(errs[i], search.ErrBadRequest) {
			t.Errorf("operation %d: %v", i, errs[i])
		}
	}
	if errs[len(docs)] != nil || len(n.docs) != 1 {
		t.Errorf("the good one: %v", errs[len(docs)])
	}
}

// Long words, long labels and many documents stay within the engine's limits.
func TestLimitsOfTheEngineAreKept(t *testing.T) {
	n := newNode()
	x := adapter(t, answering(n.answer))
	word := strings.Repeat("longword", 60)
	d := turn("1", "", "", word+" kiln", 1)
	d.Fields = search.Fields{"tag": {strings.Repeat("v", 40_000)}}
	applied(t, x, search.Op{Document: d})
	r := n.record(t, documentID(scopeKey(talkScope), "1"))
	for _, w := range append(r.Words, r.Labels...) {
		if len(w) > maxLabel {
			t.Errorf("a keyword of %d bytes", len(w))
		}
	}
	for field := range strings.FieldsSeq(r.Passages[0].Plain) {
		if len(field) > 255 {
			t.Errorf("a term of %d bytes", len(field))
		}
	}
	if !slices.Contains(r.Words, indexed(strings.ToLower(word))) {
		t.Errorf("words %q", r.Words)
	}
	n.requests = nil
	docs := make([]search.Document, 40)
	for i := range docs {
		docs[i] = turn(fmt.Sprint("b", i), "", "", strings.Repeat(fmt.Sprintf("word%d ", i), 1)+manyWords(i, 20_000), 1)
	}
	applied(t, x, upserts(docs...)...)
	bulks := 0
	for _, path := range n.requests {
		if path == "_bulk" {
			bulks++
		}
	}
	if bulks < 3 || len(n.docs) != 41 {
		t.Errorf("%d bulk requests, %d documents", bulks, len(n.docs))
	}
}

func manyWords(seed, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "q%dx%d ", seed, i)
	}
	return b.String()
}

func TestAChangeWithoutASessionReadsNothingAround(t *testing.T) {
	n := newNode()
	x := adapter(t, answering(n.answer))
	applied(t, x, upserts(turn("1", "", "", "kiln", 1))...)
	if !slices.Equal(n.requests, []string{"_msearch", "_bulk"}) {
		t.Errorf("requests %q", n.requests)
	}
}

func TestALateVectorRewritesNoWindow(t *testing.T) {
	n := newNode()
	x := adapter(t, answering(n.answer))
	a, b := turn("1", "s", "Nora", "kiln", 1), turn("2", "s", "Emil", "oven", 2)
	applied(t, x, upserts(a, b)...)
	before := n.docs[documentID(scopeKey(talkScope), "1")].version
	b.Sequence, b.Vector, b.Profile = 3, []float32{1, 0, 0, 0}, "p-4"
	applied(t, x, upserts(b)...)
	if after := n.docs[documentID(scopeKey(talkScope), "1")].version; after != before {
		t.Errorf("version %d became %d", before, after)
	}
	agrees(t, x, n, map[string]search.Document{"1": a, "2": b})
}

// TestWhatAnotherWriterWroteIsRefreshed: the engine answers a late write at once,
// since there is nothing to wait for, although the document that was faster may not
// be searchable yet. Apply's answer says that it is (A0.3).
func TestWhatAnotherWriterWroteIsRefreshed(t *testing.T) {
	for name, sequence := range map[string]int64{"the same": 5, "an older one": 4, "a newer one": 6} {
		n := newNode()
		x := adapter(t, answering(n.answer))
		op := func(seq int64) []search.Op {
			return []search.Op{{Document: turn("a", "", "", "The mast is oak.", seq)}}
		}
		if err := x.Apply(t.Context(), op(5))[0]; err != nil {
			t.Fatal(err)
		}
		n.requests = nil
		if err := x.Apply(t.Context(), op(sequence))[0]; err != nil {
			t.Fatal(err)
		}
		if refreshed := slices.Contains(n.requests, "_refresh"); refreshed != (sequence <= 5) {
			t.Errorf("%s: refreshed %v in %v", name, refreshed, n.requests)
		}
	}
}
