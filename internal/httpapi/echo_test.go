package httpapi

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"
)

const canary = "kanarya"

// TestT9NothingThatWasSentComesBack: a canary as the value of everything that can
// be wrong, in the answer, its headers and the log.
func TestT9NothingThatWasSentComesBack(t *testing.T) {
	log := &safeBuffer{}
	g := newGate(t, testDeps(log))
	store, read := g.Handler(echoStore()), g.Handler(echoRead())
	refuse := func(answer got, what string) {
		t.Helper()
		if answer.status < 400 {
			t.Errorf("%s: accepted", what)
		}
		if strings.Contains(answer.raw+fmt.Sprint(answer.header), canary) {
			t.Errorf("%s: echoed: %s", what, answer.raw)
		}
	}
	for _, value := range []string{`"` + canary + `"`, `["` + canary + `"]`, `{"shelf":["` + canary + `"]}`, `"` + canary + `\u0000"`, `"\ud800` + canary + `"`} {
		for _, member := range []string{"tags", "importance", "count", "validFrom", "sources", "level", "hard"} {
			refuse(ask(t, store, "POST", "/v1/things", bodyOf(`"`+member+`":`+value)), member+" "+value)
		}
		refuse(ask(t, store, "POST", "/v1/things", value), value)
		refuse(ask(t, store, "POST", "/v1/things", `{"workspaceId":`+value+`}`), "workspaceId "+value)
		refuse(ask(t, store, "POST", "/v1/things", value+canary), value)
		refuse(ask(t, store, "POST", "/v1/things", bodyOf(`"tags":{"`+canary+`":`+value+`,"`+canary+`":""}`)), "tags twice")
	}
	for _, name := range []string{"limit", "deep", "since", "kind", "score"} {
		refuse(ask(t, read, "GET", readPath+"&"+name+"="+canary, ""), name)
	}
	refuse(ask(t, read, "GET", "/v1/things/"+strings.Repeat(canary, 9)+"?workspaceId="+ours, ""), "path")
	refuse(ask(t, read, "GET", readPath+"&userId="+canary+"%00", ""), "NUL")
	refuse(ask(t, read, "GET", readPath, "", "X-Client", canary+canary), "header")
	refuse(ask(t, read, "GET", readPath, "", "If-Match", canary), "If-Match")
	refuse(ask(t, read, "GET", readPath, "", "Authorization", "Bearer "+canary), "key")
	refuse(ask(t, store, "POST", "/v1/things", bodyOf(""), "Idempotency-Key", canary+"\t"), "Idempotency-Key")
	refuse(ask(t, g.Fallback(nil), "GET", "/v1/"+canary+"?"+canary, ""), "unknown path")
	if strings.Contains(log.String(), canary) {
		t.Errorf("the log repeats what was sent: %s", log)
	}
}

// FuzzQuery: no query breaks the call, and what is accepted is read.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{"", "limit=5", "limit=5&limit=6", "kind=a&kind=b", "since=2026-03-01T00:00:00Z", "deep=true&score=1e3", "userId=%00", "%zz", "a;b", "limit=-0"} {
		f.Add(seed, "x1")
	}
	f.Add("limit=1", "%2F")
	in := echoRead().input
	f.Fuzz(func(t *testing.T, query, id string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		raw := &rawInput{path: []string{"v1", "things", id}, query: values}
		values.Set(workspaceName, ours)
		faults := in.check(raw)
		if len(faults) > 0 {
			return
		}
		var got readInput
		if err := in.fill(reflect.ValueOf(&got).Elem(), raw); err != nil {
			t.Fatalf("accepted, and yet not read: %q: %v", query, err)
		}
		if got.ID != id || got.Limit < 1 || got.Limit > 100 {
			t.Fatalf("%q read as %+v", query, got)
		}
	})
}
