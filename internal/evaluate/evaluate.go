package evaluate

import (
	"context"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/recall"
	"holdfast/internal/tenant"
)

// Retriever answers retrieves; *recall.Service is one.
type Retriever interface {
	Retrieve(ctx context.Context, req recall.Request) (recall.Context, error)
}

// Service runs evaluations.
type Service struct {
	Recall Retriever
}

// Plan says what to ask, as whom, and what is expected.
type Plan struct {
	Scope    tenant.Scope
	Actor    ledger.Actor
	Subject  memory.Subject
	RunID    string // empty: none, then nothing of a session is visible
	K        int    // how many of the first results count; the caller checks 1 to 50
	Mode     recall.Mode
	MinScore float64 // 0: all count
	Cases    []Case  // the caller checks 1 to 100
	// LexicalWeight is the workspace's; nil: the embedding profile's.
	LexicalWeight *float64
}

// Case is a query with the ids of the memories that answer it; none: nothing does.
type Case struct {
	Query       string
	ExpectedIDs []string
}

// Report is what an evaluation answers.
type Report struct {
	Cases   []Result // in the order of the plan
	Overall Overall
	// Arms are those of the retrieves, each in the worst state that it had: with one
	// that is degraded the figures speak of less than the whole.
	Arms []recall.Arm
}

// Result is one case. Its figures are nil where nothing was expected.
type Result struct {
	Query          string
	Hit            *bool
	Precision      *float64
	Recall         *float64
	ReciprocalRank *float64
	NDCG           *float64
	ReturnedIDs    []string // best first, never nil
}

// Overall are means over cases; nil where there is no case to count.
type Overall struct {
	HitRate, Precision, Recall, MRR, NDCG *float64 // of those with expected ids
	Abstention                            *float64 // of those without
}

// Run asks every case and compares. An empty Mode is deterministic. It ends with its
// context, and then answers no figures: part of the cases would be another measure.
func (s *Service) Run(ctx context.Context, p Plan) (Report, error) {
	if p.Mode == "" {
		p.Mode = recall.Deterministic
	}
	out := Report{Cases: make([]Result, 0, len(p.Cases))}
	var sum totals
	for _, c := range p.Cases {
		found, err := s.Recall.Retrieve(ctx, p.request(c))
		if ctx.Err() != nil { // an arm that ran out of time is no error of recall's
			return Report{}, unfinished(ctx.Err())
		}
		if err != nil {
			return Report{}, err
		}
		result := judge(c, ranked(found, p.K), p.K)
		sum.add(result)
		out.Cases = append(out.Cases, result)
		out.Arms = worst(out.Arms, found.Arms)
	}
	out.Overall = sum.overall()
	return out, nil
}

func unfinished(cause error) error {
	return errs.Wrap(errs.Unavailable, "UNAVAILABLE",
		"The evaluation did not end in its time; send fewer cases at once.", cause)
}

func (p Plan) request(c Case) recall.Request {
	return recall.Request{
		Scope: p.Scope, Actor: p.Actor, Subject: p.Subject, RunID: p.RunID, Query: c.Query,
		TopN: p.K, Mode: p.Mode, MinScore: p.MinScore, Raw: true, Silent: true, LexicalWeight: p.LexicalWeight,
	}
}

// worst takes the arms of one more retrieve into those of the ones before.
func worst(all, more []recall.Arm) []recall.Arm {
	for _, arm := range more {
		at := -1
		for i := range all {
			if all[i].Name == arm.Name {
				at = i
			}
		}
		switch {
		case at < 0:
			all = append(all, arm)
		case badness[arm.State] > badness[all[at].State]:
			all[at] = arm
		}
	}
	return all
}

var badness = map[recall.ArmState]int{recall.Skipped: 0, recall.Ran: 1, recall.Degraded: 2}
