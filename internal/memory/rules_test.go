package memory

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"holdfast/internal/errs"
)

func TestR059LayersAndTypesAreClosedSets(t *testing.T) {
	for _, c := range []struct {
		caller Caller
		change func(*Draft)
		code   string
	}{
		{agent, func(d *Draft) { d.Layer = "workspace" }, "UNKNOWN_LAYER"},
		{agent, func(d *Draft) { d.Layer = "" }, "UNKNOWN_LAYER"},
		{admin, func(d *Draft) { d.Layer = "Platform" }, "LAYER_READ_ONLY"},
		{agent, func(d *Draft) { d.Layer = "Tenant" }, "CAPABILITY_MISSING"},
		{agent, func(d *Draft) { d.Layer = "Session" }, "RUN_ID_REQUIRED"},
		{agent, func(d *Draft) { d.Layer, d.RunID = "Session", ptr("") }, "RUN_ID_REQUIRED"},
		{agent, ofType("Fact"), "UNKNOWN_TYPE"},
		{agent, ofType("episode"), "TYPE_RESERVED"},
		{admin, ofType("summary"), "TYPE_RESERVED"},
	} {
		_, err := fact("x", c.change).Check(c.caller, "")
		wantCode(t, err, c.code)
	}
	_, err := fact("x", func(d *Draft) { d.Layer = "Tenant" }).Check(agent, "")
	if e := errs.As(err); e.Kind != errs.Forbidden || e.Extra["capability"] != "memory:tenant" {
		t.Errorf("error %+v", e)
	}
	for _, kind := range []string{"fact", "decision", "preference", "policy", "procedure", "file_doc"} {
		if _, err := fact("x", ofType(kind)).Check(agent, ""); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestR058BoundsOfAnAppend(t *testing.T) {
	long := func(n int) *string { return ptr(strings.Repeat("é", n)) }
	tags := func(n int) map[string]string {
		out := map[string]string{}
		for i := range n {
			out["k"+strconv.Itoa(i)] = ""
		}
		return out
	}
	sources := func(n int) []Source {
		out := make([]Source, n)
		for i := range out {
			out[i] = Source{Kind: MessageSource, ID: "m"}
		}
		return out
	}
	id := "0192f0c1-0000-7000-8000-000000000001"
	for _, c := range []struct {
		field  string // empty: good
		change func(*Draft)
	}{
		{"content", func(d *Draft) { d.Content = " \u00a0\n" }},
		{"content", func(d *Draft) { d.Content = *long(16_001) }},
		{"content", func(d *Draft) { d.Content = "a\x00b" }},
		{"content", func(d *Draft) { d.Content = "a\xff" }},
		{"", func(d *Draft) { d.Content = "  " + *long(16_000) + " \n" }},
		{"speaker", saidBy("")}, {"speaker", saidBy(*long(101))}, {"", saidBy(*long(100))},
		{"runId", func(d *Draft) { d.RunID = ptr("") }}, {"runId", func(d *Draft) { d.RunID = long(257) }},
		{"", func(d *Draft) { d.RunID = long(256) }},
		{"userId", ofUser("")}, {"userId", ofUser("a\x00")}, {"agentId", func(d *Draft) { d.AgentID = ptr("") }},
		{"applicationId", func(d *Draft) { d.ApplicationID = long(257) }},
		{"attribute", ofAttribute("")}, {"", ofAttribute("a")},
		{"tags", tagged(tags(33))}, {"", tagged(tags(32))}, {"tags", tagged(map[string]string{"": "x"})},
		{"tags", tagged(map[string]string{*long(65): "x"})}, {"", tagged(map[string]string{*long(64): *long(256)})},
		{"tags", tagged(map[string]string{"k": *long(257)})}, {"tags", tagged(map[string]string{"k": "\x00"})},
		{"importance", func(d *Draft) { d.Importance = ptr(-0.01) }}, {"importance", func(d *Draft) { d.Importance = ptr(1.01) }},
		{"importance", func(d *Draft) { d.Importance = ptr(math.NaN()) }}, {"", func(d *Draft) { d.Importance = ptr(1.0) }},
		{"validTo", func(d *Draft) { from("2024-01-01T00:00:00Z")(d); d.ValidTo = d.ValidFrom }},
		{"", func(d *Draft) { d.ValidTo = ptr(instant("2024-01-01T00:00:00Z")) }},
		{"origin", func(d *Draft) { d.Origin = ptr("robot") }}, {"origin", func(d *Draft) { d.Origin = ptr("service") }},
		{"nonNegotiable", func(d *Draft) { d.NonNegotiable = true }},
		{"", func(d *Draft) { d.Type, d.NonNegotiable = "policy", true }},
		{"artifactUri", ofType("artifact_ref")}, {"artifactUri", func(d *Draft) { d.ArtifactURI = ptr("s3://x") }},
		{"artifactUri", func(d *Draft) { d.Type, d.ArtifactURI = "artifact_ref", long(2049) }},
		{"sources", citing(sources(65)...)}, {"", citing(sources(64)...)},
		{"sources/0/kind", citing(Source{Kind: "book", ID: "x"})}, {"sources/0/id", citing(Source{Kind: MessageSource})},
		{"sources/1/id", citing(Source{Kind: MessageSource, ID: "x"}, Source{Kind: MemorySource, ID: "x"})},
		{"", citing(Source{Kind: EpisodeSource, ID: id, Start: ptr(3), End: ptr(3)}, Source{Kind: URLSource, ID: *long(2048)})},
		{"sources/0/id", citing(Source{Kind: MessageSource, ID: *long(257)})},
		{"sources/0/start", citing(Source{Kind: MessageSource, ID: "x", Start: ptr(-1)})},
		{"sources/0/end", citing(Source{Kind: MessageSource, ID: "x", Start: ptr(2), End: ptr(1)})},
	} {
		_, err := fact("The lamp is lit.", c.change).Check(agent, "/items/7")
		if c.field == "" {
			if err != nil {
				t.Errorf("good draft: %v", err)
			}
			continue
		}
		wantField(t, err, "/items/7/"+c.field)
	}
}

func TestT09ErrorsNeverHoldWhatWasSent(t *testing.T) {
	const canary = "canary-71c3"
	d := Draft{Layer: canary, Type: canary, Content: canary}
	for range 3 {
		_, err := d.Check(agent, "")
		if e := errs.As(err); strings.Contains(err.Error(), canary) || strings.Contains(e.Public, canary) {
			t.Errorf("%v", err)
		}
		for _, f := range errs.As(err).Fields {
			if strings.Contains(f.Rule+f.Pointer, canary) {
				t.Errorf("%+v", f)
			}
		}
		if d.Layer == canary {
			d.Layer = "Workspace"
		} else {
			d.Type, d.Origin, d.Sources = "fact", ptr(canary), []Source{{Kind: canary, ID: canary}}
		}
	}
}
