//go:build integration

package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"holdfast/internal/e2e/client"
)

// relaySource is the deployment's event source mapping of the table's stream.
type relaySource struct {
	t    *testing.T
	base string // of the emulator
	id   string
}

func findRelaySource(t *testing.T, base string) relaySource {
	t.Helper()
	r := relaySource{t: t, base: base}
	var list struct {
		EventSourceMappings []struct{ UUID, EventSourceArn string }
	}
	r.call(http.MethodGet, "", nil, &list)
	for _, m := range list.EventSourceMappings {
		if strings.Contains(m.EventSourceArn, ":dynamodb:") && strings.Contains(m.EventSourceArn, "/stream/") {
			if r.id != "" {
				t.Fatal("the stream has more than one reader")
			}
			r.id = m.UUID
		}
	}
	if r.id == "" {
		t.Fatal("nothing reads the table's stream")
	}
	return r
}

func (r relaySource) enable(on bool) {
	r.t.Helper()
	r.call(http.MethodPut, r.id, map[string]any{"Enabled": on}, nil)
	eventually(r.t, "the relay's source is set", func() bool {
		var got struct{ State string }
		r.call(http.MethodGet, r.id, nil, &got)
		return got.State == map[bool]string{true: "Enabled", false: "Disabled"}[on]
	})
}

func (r relaySource) call(method, id string, in, out any) {
	r.t.Helper()
	var body bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&body).Encode(in); err != nil {
			r.t.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.base+"/2015-03-31/event-source-mappings/"+id, &body)
	if err != nil {
		r.t.Fatal(err)
	}
	// the emulator takes the Region from here and does not look at the signature
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/lambda/aws4_request, SignedHeaders=host, Signature=00")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }() // read below
	if res.StatusCode > 299 {
		r.t.Fatalf("%s %s: status %d", method, id, res.StatusCode)
	}
	if out == nil {
		return
	}
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		r.t.Fatal(err)
	}
}

// TestT20TheRelayIsAwayForAWhileOnTheDeployedAPI: nobody reads the table's stream
// while memories are appended. When the relay is back everything is indexed.
func TestT20TheRelayIsAwayForAWhileOnTheDeployedAPI(t *testing.T) {
	root := client.Client{Base: os.Getenv("DEPLOYED_BASE"), Host: os.Getenv("DEPLOYED_HOST"), Key: os.Getenv("DEPLOYED_KEY")}
	p := (&server{root: root}).place(t)
	relay := findRelaySource(t, root.Base)
	first := note{p.remember(t, "The gate's code changed on Tuesday."), "gate code changed"}
	eventually(t, "the relay works", func() bool { return p.lag(t) == 0 })

	relay.enable(false)
	t.Cleanup(func() {
		if t.Failed() { // for the tests that come after
			relay.enable(true)
		}
	})
	const n = 8
	all := append(p.notes(t, 0, n, func(int) {}), first)
	if lag := p.lag(t); lag != n { // the sweep comes later than the relay is away
		t.Errorf("the index is %d rows behind, want %d: the relay was away", lag, n)
	}
	relay.enable(true)
	eventually(t, "the index has reached the log", func() bool { return p.lag(t) == 0 })
	for _, one := range all {
		p.recalled(t, "in the end", one)
	}
	p.chain(t)
}
