package app_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/app"
	"holdfast/internal/routes"
	"holdfast/internal/store"
	"holdfast/internal/store/boltstore"
)

// nouns have stems of their own.
var nouns = strings.Fields("gull mast kelp crane rope")

// play is a random sequence of calls, made over HTTP and in the model.
type play struct {
	*service
	t      *testing.T
	r      *rand.Rand
	model  *model
	folder string
	table  *boltstore.Store
}

func newPlay(t *testing.T, seed uint64) *play {
	t.Helper()
	p := &play{t: t, r: rand.New(rand.NewPCG(seed, 1)), model: newModel(), folder: t.TempDir()}
	p.service = openOver(t, p.folder, p.keepTable).setUp(t)
	return p
}

func (p *play) keepTable(o *app.Options) {
	o.WrapStore = func(s store.Store) store.Store { p.table = s.(*boltstore.Store); return s }
}

// restart ends the process and begins another over the same folder, where the
// sweep finds the work that was under way (T.40).
func (p *play) restart() {
	p.t.Helper()
	before := p.service
	if err := before.Close(); err != nil {
		p.t.Fatal(err)
	}
	p.service = openOver(p.t, p.folder, func(o *app.Options) { p.keepTable(o); o.Clock = before.clock })
	p.clock, p.key, p.admin, p.ws = before.clock, before.key, before.admin, before.ws
	if err := p.OnSchedule(routes.WorkerSweep)(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// text is one of few, so that twins, rejected values and corrections meet.
func (p *play) text() string {
	if p.r.IntN(8) == 0 {
		return hostilePrefix + ", " + pick(p.r, nouns[:2]) + "."
	}
	form := pick(p.r, []string{"The %s stands by the %s.", "the %s stands BY the %s.", "A %s stands by the %s!", "The %s hides a %s."})
	i := p.r.IntN(len(nouns))
	return fmt.Sprintf(form, nouns[i], nouns[(i+1)%len(nouns)])
}

// step makes one call and holds its answer against the model's.
func (p *play) step() {
	p.t.Helper()
	p.clock.Advance(time.Second)
	if len(p.model.entries) < 3 || p.r.IntN(5) < 2 {
		p.append()
		return
	}
	e := pick(p.r, p.model.entries)
	switch p.r.IntN(4) {
	case 0:
		p.delete(e)
	case 1:
		p.review()
	default:
		p.put(e)
	}
}

func (p *play) append() {
	p.t.Helper()
	e := &entry{texts: []string{p.text()}, user: pick(p.r, []string{"", "", "", "ida", "bo"}),
		attribute: pick(p.r, []string{"", "", "", "place", "owner"}), day: pick(p.r, []string{"", "", "", "", "2020-01-01", "2021-01-01"}),
		at: p.clock.Now().Truncate(time.Millisecond)}
	body := fmt.Sprintf(`{"workspaceId":%q,"layer":"Workspace","type":"fact","content":%q`, p.ws, e.text())
	for name, value := range map[string]string{"userId": e.user, "attribute": e.attribute} {
		if value != "" {
			body += fmt.Sprintf(`,%q:%q`, name, value)
		}
	}
	if e.day != "" {
		body += fmt.Sprintf(`,"validFrom":"%sT12:00:00Z"`, e.day)
	}
	code, into, replaced := p.model.append(e)
	out := p.expect(p.agent(), "POST", "/v1/memory/append", body+"}", http.StatusOK, code)
	if code != "" {
		return
	}
	id := out["id"].(string)
	if into == nil {
		p.model.create(e, id)
	}
	if merged := into != nil; out["merged"] != merged || out["contentReplaced"] != replaced || merged && into.id != id {
		p.t.Fatalf("append of %q: %v, want merged %v, replaced %v", e.text(), out, merged, replaced)
	}
}

// expect makes a call that answers a code, or succeeds when that is empty.
func (p *play) expect(c caller, method, path, body string, status int, code string) map[string]any {
	p.t.Helper()
	got, _, out := c.call(p.t, method, path, body)
	want := map[string]int{"": status, "NOT_FOUND": 404, "REJECTED_VALUE": 409, "ALREADY_DECIDED": 409}[code]
	if got != want || code != "" && out["code"] != code {
		p.t.Fatalf("%s %s %s: %d %v, want %d %s", method, path, body, got, out, want, code)
	}
	return out
}

func (p *play) put(e *entry) {
	p.t.Helper()
	text := p.text()
	body := fmt.Sprintf(`{"workspaceId":%q,"content":%q`, p.ws, text)
	if e.user != "" {
		body += fmt.Sprintf(`,"userId":%q`, e.user)
	}
	out := p.expect(p.agent(), "PUT", "/v1/memory/"+e.id, body+"}", http.StatusOK, p.model.put(e, text))
	if e.status != "deleted" && out["code"] == nil {
		p.same(e, out)
	}
}

func (p *play) delete(e *entry) {
	p.t.Helper()
	p.expect(p.agent(), "DELETE", "/v1/memory/"+e.id+p.query(e.user), "", http.StatusNoContent, p.model.delete(e))
}

// review decides on a memory in quarantine, or on one that is not.
func (p *play) review() {
	p.t.Helper()
	e := pick(p.r, p.model.entries)
	held := slices.DeleteFunc(slices.Clone(p.model.entries), func(e *entry) bool { return e.status != "quarantined" })
	if len(held) > 0 && p.r.IntN(4) > 0 {
		e = pick(p.r, held)
	}
	verdict := pick(p.r, []string{"release", "reject"})
	body := fmt.Sprintf(`{"workspaceId":%q,"decision":%q}`, p.ws, verdict)
	code := p.model.review(e, verdict, p.clock.Now().Truncate(time.Millisecond))
	p.expect(p.as(p.admin), "POST", "/v1/memory/"+e.id+"/quarantine/review", body, http.StatusOK, code)
}

func (p *play) query(user string) string {
	if user == "" {
		return "?workspaceId=" + p.ws
	}
	return "?workspaceId=" + p.ws + "&userId=" + user
}

// same holds an entry as the service shows it against the model's.
func (p *play) same(e *entry, got map[string]any) {
	p.t.Helper()
	if got["id"] != e.id || got["content"] != e.text() || got["status"] != e.status || got["version"] != float64(len(e.texts)) {
		p.t.Fatalf("got %v, want %+v", got, e)
	}
}

// agree reads everything and holds it against the model.
func (p *play) agree() {
	p.t.Helper()
	var listed []any
	for cursor := any(""); cursor != nil; {
		page := p.as(p.admin).do(p.t, "GET", "/v1/memory"+p.query("")+"&limit=30&cursor="+fmt.Sprint(cursor), "", 200)
		listed = append(listed, page["entries"].([]any)...)
		cursor = page["nextCursor"]
	}
	live := p.model.live()
	if len(listed) != len(live) {
		p.t.Fatalf("%d entries listed, want %d", len(listed), len(live))
	}
	for i, e := range live {
		p.same(e, listed[i].(map[string]any))
	}
	for _, e := range p.model.entries {
		p.entry(e)
	}
}

func (p *play) entry(e *entry) {
	p.t.Helper()
	admin, path := p.as(p.admin), "/v1/memory/"+e.id
	if e.status == "deleted" {
		p.expect(admin, "GET", path+p.query(e.user), "", 0, "NOT_FOUND")
		return
	}
	p.same(e, admin.do(p.t, "GET", path+p.query(e.user), "", 200))
	if e.user != "" {
		p.expect(admin, "GET", path+p.query(""), "", 0, "NOT_FOUND")
	}
	versions := admin.do(p.t, "GET", path+"/versions"+p.query(e.user), "", 200)["versions"].([]any)
	var texts []string
	for _, v := range slices.Backward(versions) {
		texts = append(texts, v.(map[string]any)["content"].(string))
	}
	if !slices.Equal(texts, e.texts) {
		p.t.Fatalf("versions of %s: %q, want %q", e.id, texts, e.texts)
	}
}

// recall holds lexical recall of every word, as nobody and as a user, against
// the model, whether the index has run or not.
func (p *play) recall() {
	p.t.Helper()
	for _, word := range nouns {
		user := pick(p.r, []string{"", "ida", "bo"})
		body := fmt.Sprintf(`{"workspaceId":%q,"semanticQuery":%q,"mode":"lexical","raw":true,"topN":200`, p.ws, word)
		if user != "" {
			body += fmt.Sprintf(`,"userId":%q`, user)
		}
		out := p.agent().post(p.t, "/v1/memory/retrieve", body+"}", 200)
		var got []string
		for _, e := range out["workspaceEntries"].([]any) {
			got = append(got, e.(map[string]any)["id"].(string))
		}
		want, hidden := p.model.recalled(word, user)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || out["supersededHiddenCount"] != float64(hidden) {
			p.t.Fatalf("%q as %q: %v and %v hidden, want %v and %d", word, user, got, out["supersededHiddenCount"], want, hidden)
		}
	}
}

func TestRandomCallsAgreeWithTheModel(t *testing.T) {
	for _, seed := range []uint64{1, 2, 3, 4, 5} {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			p := newPlay(t, seed)
			for n := range 150 {
				p.step()
				if n%10 == 9 {
					p.recall() // the index has not heard of the last calls
				}
				if n == 77 {
					p.restart()
					p.recall()
				}
				if n%30 == 29 {
					p.settle(t)
					p.agree()
					p.recall()
				}
			}
			verdict := p.as(p.admin).do(t, "GET", "/v1/receipts/verify"+p.query(""), "", 200)
			if verdict["valid"] != true || verdict["checked"].(float64) < 100 {
				t.Errorf("chain: %v", verdict)
			}
			audited(t, p.table)
		})
	}
}
