package memory

import "testing"

func TestR05ABoundMemoryIsVisibleToThoseWhoNameIt(t *testing.T) {
	bound := Subject{ApplicationID: "app", AgentID: "bot", UserID: "ida"}
	for _, c := range []struct {
		s, asked Subject
		want     bool
	}{
		{Subject{}, Subject{}, true}, {Subject{}, bound, true}, {bound, bound, true}, {bound, Subject{}, false},
		{bound, Subject{ApplicationID: "app", AgentID: "bot"}, false}, {bound, Subject{ApplicationID: "app", AgentID: "bot", UserID: "idA"}, false},
		{Subject{UserID: "ida"}, bound, true}, {Subject{UserID: "ida"}, Subject{AgentID: "ida"}, false},
	} {
		if got := c.s.Admits(c.asked); got != c.want {
			t.Errorf("%+v for %+v: %v", c.s, c.asked, got)
		}
	}
	if !(Subject{}).IsZero() || bound.IsZero() {
		t.Error("IsZero")
	}
}

func TestR075VisibleByID(t *testing.T) {
	m := Memory{Provenance: Provenance{KeyID: "agent-key"}, Subject: Subject{UserID: "ida"}}
	ida := Subject{UserID: "ida"}
	for _, c := range []struct {
		status Status
		caller Caller
		asked  Subject
		want   bool
	}{
		{Active, other, ida, true}, {Active, reviewer, Subject{}, false}, {Superseded, other, ida, true},
		{Quarantined, agent, ida, true}, {Quarantined, other, ida, false}, {Quarantined, reviewer, ida, true},
		{Quarantined, agent, Subject{}, false}, {Deleted, admin, ida, false},
	} {
		m.Status = c.status
		if got := m.Visible(c.caller, c.asked); got != c.want {
			t.Errorf("%s for %s: %v", c.status, c.caller.Actor.KeyID, got)
		}
	}
}

func TestR02SessionMemoriesAreRecalledWithTheirRunOnly(t *testing.T) {
	m := Memory{Status: Active, Layer: Session, RunID: "run-1"}
	for run, want := range map[string]bool{"run-1": true, "RUN-1": false, "run": false, "": false} {
		if m.Recallable(Subject{}, run) != want {
			t.Errorf("run %q: %v", run, !want)
		}
	}
	m.Layer = Workspace
	if !m.Recallable(Subject{}, "other") {
		t.Error("a workspace memory is bound to its run")
	}
	m.Subject.UserID = "ida"
	if m.Recallable(Subject{}, "run-1") {
		t.Error("recalled for nobody")
	}
}
