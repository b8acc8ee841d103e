package fact

import (
	"golang.org/x/text/unicode/norm"

	"holdfast/internal/idem"
	"holdfast/internal/ledger"
	"holdfast/internal/runtoken"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// Space is one memory: an agent's (S3.1), or the throw-away one of an experiment
// (S3.57).
type Space struct {
	agent      string
	experiment string // id of the run that began it
	hash       string
}

// OfAgent is an agent's memory.
func OfAgent(agentID string) Space {
	return Space{agent: agentID, hash: keys.Hash("agent", agentID)}
}

// OfExperiment is the memory of the experiment that a run began.
func OfExperiment(runID string) Space {
	return Space{experiment: runID, hash: keys.Hash("experiment", runID)}
}

// SpaceOf is the memory that a run works with.
func SpaceOf(r runtoken.Run) Space {
	if r.Experiment != "" {
		return OfExperiment(r.Experiment)
	}
	return OfAgent(r.AgentID)
}

// Hash names the space in keys and index documents.
func (s Space) Hash() string { return s.hash }

// Target names what a call acts on, and as whom.
type Target struct {
	Scope     tenant.Scope
	Workspace tenant.Workspace
	Actor     ledger.Actor
	Space     Space
	Border    Border
	RunID     string    // empty: the panel
	Running   bool      // the run may write
	Key       *idem.Key // nil: the call carried no Idempotency-Key; runs never carry one
	// Allows tells whether If-Match lets a change of a version go on; nil: none was sent.
	Allows func(version int64) bool
}

// OfRun is the target of a run's calls.
func OfRun(r runtoken.Run, w tenant.Workspace) Target {
	return Target{Scope: r.Scope, Workspace: w, Actor: r.Actor(), Space: SpaceOf(r), Border: Border{User: norm.NFC.String(r.UserID)},
		RunID: r.ID, Running: !r.Ended()}
}

// OfPanel is the target of people's calls (A3.3).
func OfPanel(scope tenant.Scope, w tenant.Workspace, actor ledger.Actor, agentID string) Target {
	return Target{Scope: scope, Workspace: w, Actor: actor, Space: OfAgent(agentID), Border: Border{Everyone: true}, Running: true}
}

// mayWrite refuses the writes of a run that has ended (S3.23, R3.27).
func (t Target) mayWrite() error {
	if !t.Running {
		return runtoken.HasEnded()
	}
	return nil
}
