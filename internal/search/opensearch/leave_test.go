package opensearch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"holdfast/internal/search"
)

// faulty is a node to which something happens at one request.
type faulty struct {
	*node
	at      int
	happens fault
	end     context.CancelFunc
	asked   int
	crashed bool // whoever asked is no more
}

// fault answers a request, and may have the node do what it asks.
type fault func(f *faulty, do func() (int, string)) (int, string)

func (f *faulty) answer(r *http.Request, body []byte) (int, string) {
	if f.crashed {
		return http.StatusServiceUnavailable, ""
	}
	if f.asked++; f.asked == f.at {
		return f.happens(f, func() (int, string) { return f.node.answer(r, body) })
	}
	return f.node.answer(r, body)
}

// status answers in place of the node.
func status(code int) fault {
	return func(*faulty, func() (int, string)) (int, string) { return code, "" }
}

// refusing has the node throttle the items of a bulk request from one on, or each so many.
func refusing(from, each int) fault {
	return func(f *faulty, do func() (int, string)) (int, string) {
		item := -1
		f.fail = func(string, string) int {
			if item++; item >= from && (item-from)%each == 0 {
				return http.StatusTooManyRequests
			}
			return 0
		}
		defer func() { f.fail = nil }()
		return do()
	}
}

// crashing lets nothing come after what another fault does.
func crashing(fault fault) fault {
	return func(f *faulty, do func() (int, string)) (int, string) {
		f.crashed = true
		return fault(f, do)
	}
}

// updatesRefused lets the node take no windows from here on.
func updatesRefused(f *faulty, do func() (int, string)) (int, string) {
	f.fail = func(action, _ string) int {
		if action == "update" {
			return http.StatusTooManyRequests
		}
		return 0
	}
	return do()
}

var faults = map[string]fault{
	"away":        status(http.StatusServiceUnavailable),
	"answer lost": func(_ *faulty, do func() (int, string)) (int, string) { do(); return http.StatusBadGateway, "" },
	"ended before": func(f *faulty, _ func() (int, string)) (int, string) {
		f.end()
		return http.StatusServiceUnavailable, ""
	},
	"ended after":           func(f *faulty, do func() (int, string)) (int, string) { defer f.end(); return do() },
	"all items":             refusing(0, 1),
	"odd items":             refusing(1, 2),
	"updates from now on":   updatesRefused,
	"crash":                 crashing(func(_ *faulty, do func() (int, string)) (int, string) { return do() }),
	"crash after one item":  crashing(refusing(1, 1)),
	"crash after two items": crashing(refusing(2, 1)),
}

// departures are operations on the documents of talk, each with what is there afterwards.
var departures = map[string][]search.Op{
	"a delete":           {removal("03", 20)},
	"deletes":            {removal("01", 20), removal("03", 21), removal("04", 22), removal("06", 23), removal("20", 24), removal("99", 25)},
	"a move":             upserts(turn("03", "t", "Nora", "amber three", 20)),
	"both":               append(upserts(turn("03", "t", "Nora", "three", 20), turn("05", "", "Nora", "five", 22)), removal("04", 21)),
	"an exchange":        upserts(turn("03", "t", "Nora", "three", 20), turn("13", "s", "Emil", "thirteen", 21)),
	"beside what is new": append(upserts(turn("02", "s", "Emil", "oven", 20), turn("035", "s", "Nora", "hinge", 21)), removal("03", 22)),
}

// talk is two sessions and a document in none; each has a word of its own.
func talk() map[string]search.Document {
	docs := map[string]search.Document{}
	for i, id := range []string{"01", "02", "03", "04", "05", "06", "11", "12", "13", "20"} {
		session := map[byte]string{'0': "s", '1': "t"}[id[0]]
		docs[id] = turn(id, session, []string{"Nora", "Emil"}[i%2], "kiln own"+id, int64(i+1))
	}
	return docs
}

// talking is a node with talk, each time another.
func talking(t *testing.T) func() *node {
	t.Helper()
	whole := newNode()
	applied(t, adapter(t, answering(whole.answer)), upserts(slices.Collect(maps.Values(talk()))...)...)
	return whole.copy
}

func (n *node) copy() *node {
	out := &node{docs: map[string]*stored{}, deleted: maps.Clone(n.deleted), seqNo: n.seqNo, requests: []string{"_bulk"}}
	for id, d := range n.docs {
		out.docs[id] = &stored{version: d.version, seqNo: d.seqNo, source: maps.Clone(d.source)}
	}
	return out
}

// after answers the documents that are there after operations.
func after(docs map[string]search.Document, ops []search.Op) map[string]search.Document {
	docs = maps.Clone(docs)
	for _, op := range ops {
		if delete(docs, op.Document.ID); !op.Delete {
			docs[op.Document.ID] = op.Document
		}
	}
	return docs
}

// noneHoldsWordsOfOthers tells whether each word that is in one document alone stands only
// there and in windows of the session that this document tells.
func noneHoldsWordsOfOthers(t *testing.T, n *node, when string) {
	t.Helper()
	docs := map[string]*record{}
	for at := range n.docs {
		docs[at] = n.record(t, at)
	}
	for at, d := range docs {
		for _, own := range ownWords.FindAllString(fmt.Sprint(d.Passages), -1) {
			id := documentID(scopeKey(talkScope), own[3:])
			switch owner := docs[id]; {
			case id == at:
			case owner == nil:
				t.Fatalf("%s: %s holds a word of %s, which is not there", when, at, id)
			case d.Session == "" || d.Session != owner.lastSession():
				t.Fatalf("%s: %s holds a word of %s, which does not tell session %q", when, at, id, d.Session)
			}
		}
	}
}

var ownWords = regexp.MustCompile("own[0-9]+")

// Whatever fails and whenever: no document holds a word of one that is not there or does
// not tell where it was, and after a repeat all windows are right. So they are when
// another change of the same documents comes in place of the repeat.
func TestWhatFailsLeavesNoWordsBehind(t *testing.T) {
	fresh := talking(t)
	for name, ops := range departures {
		var gone []search.Op
		for i, op := range ops {
			gone = append(gone, removal(op.Document.ID, int64(50+i)))
		}
		for kind, happens := range faults {
			for at := 1; ; at++ {
				when := fmt.Sprintf("%s, %s at request %d", name, kind, at)
				n := fresh()
				if asked := failing(t, n, ops, at, happens, when); asked < at {
					break
				}
				other := n.copy()
				repeated(t, n, ops, after(talk(), ops), when)
				if at%2 == 1 { // what comes next may be deletes in their place
					repeated(t, other, gone, after(talk(), gone), when)
				}
			}
		}
	}
}

func repeated(t *testing.T, n *node, ops []search.Op, want map[string]search.Document, when string) {
	t.Helper()
	x := adapter(t, answering(n.answer))
	applied(t, x, ops...)
	noneHoldsWordsOfOthers(t, n, when)
	agrees(t, x, n, want)
}

// failing applies operations while something happens, and answers how many requests it
// took. Where no operation failed all is as it should be.
func failing(t *testing.T, n *node, ops []search.Op, at int, happens fault, when string) int {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f := &faulty{node: n, at: at, happens: happens, end: cancel}
	x := adapter(t, answering(f.answer))
	n.before = func(string) {
		if n.requests[len(n.requests)-1] == "_bulk" {
			noneHoldsWordsOfOthers(t, n, when)
		}
	}
	errs := x.Apply(ctx, ops)
	n.before, n.fail = nil, nil
	noneHoldsWordsOfOthers(t, n, when)
	if errors.Join(errs...) == nil {
		agrees(t, x, n, after(talk(), ops))
	}
	return f.asked
}

// A writer that comes in between, whole, sees to the windows with what is there then, and
// a crash at any request after it leaves nothing that a repeat does not mend.
func TestAnotherWriterBeforeACrashLeavesNoWordsBehind(t *testing.T) {
	others := map[string][]search.Op{
		"new beside it": upserts(turn("025", "s", "Emil", "hinge", 31), turn("035", "s", "Nora", "door", 32)),
		"a neighbour":   upserts(turn("04", "s", "Emil", "hinge", 31)),
		"gone":          {removal("02", 31), removal("05", 32)},
		"moved":         upserts(turn("02", "t", "Emil", "hinge", 31), turn("12", "s", "Emil", "oven", 32)),
	}
	fresh := talking(t)
	for _, name := range []string{"a delete", "a move", "both", "an exchange"} {
		for kind, other := range others {
			for between := 1; ; between++ {
				crash, asked := between, 0
				for ; crash <= max(asked, between); crash++ {
					asked = crossed(t, fresh(), departures[name], other, between, crash, fmt.Sprintf("%s, %s before request %d, crash at %d", name, kind, between, crash))
				}
				if asked < between {
					break
				}
			}
		}
	}
}

// crossed applies operations with others in between and answers how many requests it took.
func crossed(t *testing.T, n *node, ops, others []search.Op, between, crash int, when string) int {
	t.Helper()
	f := &faulty{node: n, at: crash, happens: faults["crash"], end: func() {}}
	requests := 0
	x := adapter(t, answering(func(r *http.Request, body []byte) (int, string) {
		if requests++; requests == between {
			applied(t, adapter(t, answering(n.answer)), others...)
		}
		return f.answer(r, body)
	}))
	x.Apply(t.Context(), ops)
	if requests >= between {
		repeated(t, n, ops, after(after(talk(), ops), others), when)
	}
	return f.asked
}

// An older operation of the same document that comes just before its delete has put its
// words into windows anew.
func TestAnOlderWriteBeforeTheDeleteLeavesNoWordsBehind(t *testing.T) {
	late := turn("03", "s", "Nora", "kiln own03", 15) // with the text it had
	for between := 1; between < 12; between++ {
		n, requests := talking(t)(), 0
		x := adapter(t, answering(func(r *http.Request, body []byte) (int, string) {
			if requests++; requests == between {
				applied(t, adapter(t, answering(n.answer)), upserts(late)...)
			}
			return n.answer(r, body)
		}))
		applied(t, x, removal("03", 20))
		noneHoldsWordsOfOthers(t, n, fmt.Sprint("before request ", between))
		agrees(t, x, n, after(talk(), []search.Op{removal("03", 20)}))
	}
}

// Writers that delete, move and write in the same sessions at once, and repeat what
// failed, leave the windows of what is there.
func TestWritersAtOnceLeaveTheWindowsOfWhatIsThere(t *testing.T) {
	n := talking(t)()
	docs := talk()
	var group sync.WaitGroup
	for writer := range 3 {
		g := randomBatches{Rand: rand.New(rand.NewPCG(7, uint64(writer))), sequence: 100}
		own := slices.Sorted(maps.Keys(talk()))[3*writer : 3*writer+3] // no other writes these
		var ops []search.Op
		for range 18 {
			g.sequence++
			d := turn(own[g.IntN(3)], []string{"s", "t", ""}[g.IntN(3)], "Nora", fmt.Sprint("kiln word", g.IntN(9)), g.sequence)
			ops = append(ops, search.Op{Delete: g.IntN(3) == 0, Document: d})
		}
		docs = after(docs, ops)
		x := adapter(t, answering(n.answer))
		group.Go(func() {
			for part := range slices.Chunk(ops, 2) {
				for tries := 0; errors.Join(x.Apply(t.Context(), part)...) != nil && tries < 100; tries++ {
				}
			}
		})
	}
	group.Wait()
	agrees(t, adapter(t, answering(n.answer)), n, docs)
}

// An engine that refuses windows for now is left alone longer and longer; one that only
// has other writers is not.
func TestARefusedWindowIsTriedAgainAfterAPause(t *testing.T) {
	for name, c := range map[string]struct {
		status, times int
		waits         []time.Duration
		fails         bool
	}{
		"once":          {429, 2, []time.Duration{50}, false},
		"thrice":        {429, 5, []time.Duration{50, 100, 200}, false},
		"always":        {429, 99, []time.Duration{50, 100, 200, 400, 800, 1000, 1000, 1000, 1000}, true},
		"other writers": {409, 3, nil, false},
	} {
		n := talking(t)()
		n.fail = func(action, _ string) int {
			if action != "update" || c.times == 0 {
				return 0
			}
			c.times--
			return c.status
		}
		x := adapter(t, answering(n.answer))
		var waits []time.Duration
		x.wait = func(_ context.Context, d time.Duration) error {
			waits = append(waits, d/time.Millisecond)
			return nil
		}
		err := x.Apply(t.Context(), []search.Op{removal("06", 20)})[0]
		if !slices.Equal(waits, c.waits) || errors.Is(err, search.ErrUnavailable) != c.fails {
			t.Errorf("%s: waited %v, %v", name, waits, err)
		}
	}
}

// A context that ends in a pause fails what is in sessions, and nothing has gone.
func TestAPauseEndsWithItsContext(t *testing.T) {
	n := talking(t)()
	n.fail = func(action, _ string) int { return map[string]int{"update": http.StatusTooManyRequests}[action] }
	x := adapter(t, answering(n.answer))
	x.wait = func(context.Context, time.Duration) error { return context.Canceled }
	errs := x.Apply(t.Context(), append([]search.Op{removal("03", 20)}, upserts(turn("30", "", "Nora", "door", 21))...))
	if errs[0] == nil || errs[1] != nil || n.docs[documentID(scopeKey(talkScope), "03")] == nil {
		t.Errorf("errors %v", errs)
	}
}
