package memoryapi

import (
	"context"

	"holdfast/internal/errs"
	"holdfast/internal/evaluate"
	"holdfast/internal/httpapi"
	"holdfast/internal/recall"
	"holdfast/internal/routes"
)

type evaluateInput struct {
	Body evaluateBody
}

// evaluateBody asks how well recall answers (R0.56, R0.80).
type evaluateBody struct {
	K             int        `json:"k" minimum:"1" maximum:"50" doc:"How many of the first entries count"`
	Mode          *string    `json:"mode,omitempty" required:"false" nullable:"true" doc:"deterministic when left out"`
	MinScore      *float64   `json:"minScore,omitempty" required:"false" nullable:"true" minimum:"0" maximum:"1" doc:"Entries below count as not returned"`
	RunID         *string    `json:"runId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	ApplicationID *string    `json:"applicationId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	AgentID       *string    `json:"agentId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	UserID        *string    `json:"userId,omitempty" required:"false" nullable:"true" minLength:"1" maxLength:"256"`
	Cases         []caseBody `json:"cases" minItems:"1" maxItems:"100"`
}

type caseBody struct {
	Query       string   `json:"query" minLength:"1" maxLength:"2000"`
	ExpectedIDs []string `json:"expectedIds" maxItems:"200" uniqueItems:"true" doc:"Entries that answer it; none: nothing does"`
}

type reportBody struct {
	Cases   []judgedBody `json:"cases"`
	Overall overallBody  `json:"overall"`
}

// judgedBody is one case; its figures are null where nothing was expected.
type judgedBody struct {
	Query          string   `json:"query"`
	Hit            *bool    `json:"hit" nullable:"true"`
	Precision      *float64 `json:"precision" nullable:"true" doc:"Of what was returned"`
	Recall         *float64 `json:"recall" nullable:"true"`
	ReciprocalRank *float64 `json:"reciprocalRank" nullable:"true"`
	NDCG           *float64 `json:"ndcg" nullable:"true"`
	ReturnedIDs    []string `json:"returnedIds"`
}

type overallBody struct {
	HitRate    *float64 `json:"hitRate" nullable:"true"`
	Precision  *float64 `json:"precision" nullable:"true"`
	Recall     *float64 `json:"recall" nullable:"true"`
	MRR        *float64 `json:"mrr" nullable:"true"`
	NDCG       *float64 `json:"ndcg" nullable:"true"`
	Abstention *float64 `json:"abstention" nullable:"true" doc:"Share of the cases without expected ids that returned nothing"`
}

// Evaluate measures recall against expected answers.
func Evaluate(d httpapi.Deps) httpapi.Endpoint {
	service := evaluate.Service{Recall: recallOf(d)}
	return httpapi.Handle(routes.MemoryEvaluate, func(ctx context.Context, c *httpapi.Call, in *evaluateInput) (httpapi.Reply[reportBody], error) {
		plan, err := in.Body.plan(c)
		if err != nil {
			return httpapi.Reply[reportBody]{}, err
		}
		report, err := service.Run(ctx, plan)
		if err != nil {
			return httpapi.Reply[reportBody]{}, err
		}
		return httpapi.OK(reportOf(report)).With("Memory-Arms", arms(report.Arms)), nil
	})
}

func (b evaluateBody) plan(c *httpapi.Call) (evaluate.Plan, error) {
	plan := evaluate.Plan{
		Scope: c.Scope, Actor: c.Actor(), Subject: subjectOf(b.ApplicationID, b.AgentID, b.UserID), RunID: or(b.RunID, ""),
		K: b.K, Mode: recall.Mode(or(b.Mode, string(recall.Deterministic))), MinScore: or(b.MinScore, 0),
		LexicalWeight: c.Workspace.Settings.LexicalWeight,
	}
	for _, one := range b.Cases {
		plan.Cases = append(plan.Cases, evaluate.Case(one))
	}
	if !plan.Mode.Known() {
		return plan, errs.New(errs.Invalid, "INVALID_MODE", "mode must be hybrid, semantic, lexical or deterministic.")
	}
	return plan, nil
}

func reportOf(r evaluate.Report) reportBody {
	out := reportBody{Cases: make([]judgedBody, len(r.Cases)), Overall: overallBody(r.Overall)}
	for i, one := range r.Cases {
		out.Cases[i] = judgedBody(one)
	}
	return out
}
