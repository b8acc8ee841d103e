package main

import (
	"strings"
	"testing"
)

const events = `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"quiet\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB","Output":"--- FAIL: TestB\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"    loud\n"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Test":"TestC","Output":"=== RUN TestC\n"}
{"Action":"output","Package":"p","Test":"TestC","Output":"    no engine here\n"}
{"Action":"skip","Package":"p","Test":"TestC"}
{"Action":"fail","Package":"p","Elapsed":0.1}
{"Action":"pass","Package":"q","Elapsed":0.2}
{"Action":"skip","Package":"empty"}
{"ImportPath":"r","Action":"build-output","Output":"r.go:1: broken\n"}
{"ImportPath":"r","Action":"build-fail"}
{"Action":"fail","Package":"r","FailedBuild":"r"}
not json
`

func TestSummaryCountsAndShows(t *testing.T) {
	var out strings.Builder
	s := newSummary(&out)
	if err := s.read(strings.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	if err := s.print(); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{
		"loud", "FAIL p\n", "r.go:1: broken\n", "FAIL r\n", "ok   q", "not json\n",
		"SKIPPED, so not proved: p TestC: no engine here\n",
		"1 tests passed, 3 failed, 1 skipped in 1 packages\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("output lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "quiet") {
		t.Error("the output of a passing test is shown")
	}
}
