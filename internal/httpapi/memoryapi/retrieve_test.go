package memoryapi_test

import (
	"strings"
	"testing"
)

func (b *bench) retrieve(more string) answer {
	b.t.Helper()
	return b.send("POST", "/v1/memory/retrieve", "agent", `{"workspaceId":"`+here+`","semanticQuery":"gate",`+more+`}`)
}

func TestR059CodesOfARetrieve(t *testing.T) {
	b := newBench(t)
	for more, code := range map[string]string{
		`"mode":"vector"`: "INVALID_MODE", `"mode":""`: "INVALID_MODE", `"mode":"Hybrid"`: "INVALID_MODE",
		`"asOf":"2024-05-01T10:00:00Z","asOfAxis":"time"`: "INVALID_AS_OF_AXIS", `"asOf":"2024-05-01T10:00:00Z","asOfAxis":""`: "INVALID_AS_OF_AXIS",
		`"asOfAxis":"Valid"`: "INVALID_AS_OF_AXIS", `"mode":"deterministic","rerank":true`: "DETERMINISTIC_EXCLUDES_RERANK",
		`"overrides":{"weight":1}`: "INVALID_OVERRIDES", `"overrides":{"semanticWeight":"1"}`: "INVALID_OVERRIDES",
		`"overrides":{"lexicalWeight":1.01}`: "INVALID_OVERRIDES", `"overrides":{"recencyWeight":-1}`: "INVALID_OVERRIDES",
		`"overrides":{"recencyHalfLifeDays":0}`: "INVALID_OVERRIDES", `"overrides":{"candidateCount":501}`: "INVALID_OVERRIDES",
		`"overrides":{"candidateCount":1.5}`: "INVALID_OVERRIDES", `"overrides":[]`: "INVALID_OVERRIDES", `"overrides":7`: "INVALID_OVERRIDES",
		`"overrides":{"semanticWeight":1,"semanticWeight":1}`: "INVALID_OVERRIDES",
	} {
		b.retrieve(more).want(400).code(code)
	}
	b.retrieve(`"overrides":{},"mode":"deterministic","rerank":false`).want(200)
	b.retrieve(`"overrides":null,"asOf":null,"asOfAxis":null,"rerank":null,"explain":null,"expandSessions":null,"temporalAnchor":null`).want(200)
}

func TestR008R015R018R020FieldsOutOfRangeAreNamed(t *testing.T) {
	b := newBench(t)
	for more, pointer := range map[string]string{
		`"topN":0`: "/topN", `"topN":201`: "/topN", `"topN":2.5`: "/topN", `"tokenBudget":63`: "/tokenBudget", `"tokenBudget":32001`: "/tokenBudget",
		`"minScore":1.1`: "/minScore", `"rerank":"yes"`: "/rerank", `"raw":1`: "/raw", `"explain":"no"`: "/explain", `"includeSuperseded":"true"`: "/includeSuperseded",
		`"asOf":"2024-05-01"`: "/asOf", `"asOf":1714557600`: "/asOf", `"asOfAxis":"valid"`: "/asOf", `"temporalAnchor":"now"`: "/temporalAnchor",
		`"temporalAfter":""`: "/temporalAfter", `"temporalBefore":"2024-13-01T10:00:00Z"`: "/temporalBefore",
		`"temporalAfter":"2024-05-01T00:00:00Z","temporalBefore":"2024-05-01T02:00:00+02:00"`: "/temporalBefore",
		`"expandSessionCount":0`: "/expandSessionCount", `"expandSessionCount":11`: "/expandSessionCount", `"expandSessionWindow":-1`: "/expandSessionWindow",
		`"expandSessionWindow":21`: "/expandSessionWindow", `"expandSessionWindow":"3"`: "/expandSessionWindow", `"expandSessions":1`: "/expandSessions",
		`"tags":["a"]`: "/tags", `"userId":""`: "/userId", `"runId":""`: "/runId", `"colour":"red"`: "/colour", `"consistency":{"atLeast":"soon"}`: "/consistency/atLeast",
	} {
		b.retrieve(more).want(400).code("VALIDATION_FAILED").points(pointer)
	}
	long := strings.Repeat("é", 2001)
	b.send("POST", "/v1/memory/retrieve", "agent", `{"workspaceId":"`+here+`","semanticQuery":"`+long+`"}`).want(400).points("/semanticQuery")
}

func TestS029DiagnosticsComeOnlyWhenAskedFor(t *testing.T) {
	b := newBench(t)
	b.append("agent", "The gate is shut at nine.", "").want(200)
	if a := b.retrieve(`"mode":"lexical"`).want(200); a.body["diagnostics"] != nil || strings.Contains(a.raw, "diagnostics") {
		t.Errorf("%s", a.raw)
	}
	a := b.retrieve(`"mode":"lexical","explain":true,"overrides":{"candidateCount":7}`).want(200)
	for _, part := range []string{`"rankBefore":1`, `"candidateCount":7`, `"timeWindow":null`, `"rerank":{"asked":false`} {
		if !strings.Contains(a.raw, part) {
			t.Errorf("no %s in %s", part, a.raw)
		}
	}
}
