package e2e

import (
	"net/http"
	"strings"
	"testing"
)

// TestT26WhatARunSaidIsNowhereOnceItIsForgotten consolidates a run, erases with cascade
// what was said and what was made of it, makes the index anew by a restart, consolidates
// again and stops: the word is in no file of the data folder and in no line of the log.
func TestT26WhatARunSaidIsNowhereOnceItIsForgotten(t *testing.T) {
	const canary = "snarkwhistle"
	data := folder(t)
	s := start(t, options(data))
	p := s.place(t)
	said := p.said(t, "r1", "Decision: the "+canary+" depot moves to Rotterdam in June.", "The ferry leaves from Lisbon on Monday.",
		"Ida prefers the "+canary+" route to the harbour.")
	p.consolidated(t, "r1")
	for _, id := range said {
		eventually(t, "the session is cleared", func() bool { return p.erasure(t, id) == "complete" })
	}
	var derived []string
	for _, m := range p.entries(t) {
		if strings.Contains(m.Content, canary) {
			derived = append(derived, m.ID)
		}
	}
	if len(derived) < 3 { // a decision or a preference, the summary, the episode
		t.Fatalf("only %d texts were made of what was said", len(derived))
	}
	for _, m := range p.entries(t) {
		if m.Type != "episode" {
			continue
		}
		if err := p.agent.Do(t.Context(), http.MethodDelete, p.path(m.ID)+"&cascade=true", nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range derived {
		eventually(t, "the cascade is complete", func() bool { return p.erasure(t, id) == "complete" })
	}
	if err := s.Kill(); err != nil { // the index is made anew
		t.Fatal(err)
	}
	output := s.Output()
	s = start(t, options(data))
	p = p.at(s)
	p.said(t, "r2", "The crane is out of use until Friday.")
	p.consolidated(t, "r2")
	for _, m := range p.entries(t) {
		if strings.Contains(m.Content, canary) {
			t.Errorf("%s of type %s is there", m.ID, m.Type)
		}
	}
	eventually(t, "all jobs are done", func() bool { return p.jobs(t) == 0 })
	p.chain(t)
	if code := s.stop(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if n := countIn(t, data, canary); n != 0 {
		t.Errorf("%d are left in the data folder", n)
	}
	output += s.Output()
	if strings.Contains(output, canary) {
		t.Error("it is logged")
	}
	if strings.Contains(output, "found again") || !strings.Contains(output, "index rebuilt") {
		t.Errorf("an alarm, or no index was made anew:\n%s", output)
	}
}

// said appends session entries to a run and answers their ids.
func (p place) said(t *testing.T, run string, texts ...string) []string {
	t.Helper()
	var out []string
	for _, text := range texts {
		m := p.memory(text)
		m["layer"], m["runId"] = "Session", run
		var made struct{ ID string }
		if err := p.agent.Do(t.Context(), http.MethodPost, "/v1/memory/append", m, &made); err != nil {
			t.Fatal(err)
		}
		out = append(out, made.ID)
	}
	return out
}

func (p place) consolidated(t *testing.T, run string) {
	t.Helper()
	body := map[string]any{"workspaceId": p.workspace, "runId": run}
	if err := p.agent.Do(t.Context(), http.MethodPost, "/v1/memory/consolidate", body, nil); err != nil {
		t.Fatal(err)
	}
}

// entry is a memory as the list shows it.
type entry struct{ ID, Type, Content string }

func (p place) entries(t *testing.T) []entry {
	t.Helper()
	var got struct{ Entries []entry }
	if err := p.agent.Do(t.Context(), http.MethodGet, "/v1/memory?limit=200&workspaceId="+p.workspace, nil, &got); err != nil {
		t.Fatal(err)
	}
	return got.Entries
}

// jobs counts the open and dead jobs of the workspace.
func (p place) jobs(t *testing.T) int {
	t.Helper()
	var got struct{ Jobs []struct{ JobID string } }
	if err := p.tenant.Admin.Do(t.Context(), http.MethodGet, "/v1/admin/jobs?workspaceId="+p.workspace, nil, &got); err != nil {
		t.Fatal(err)
	}
	return len(got.Jobs)
}
