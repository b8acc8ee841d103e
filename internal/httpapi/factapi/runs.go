package factapi

import (
	"context"

	"holdfast/internal/errs"
	"holdfast/internal/fact"
	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
	"holdfast/internal/runtoken"
)

type startInput struct {
	Body startBody
}

// startBody starts a run (A3.1, R3.30).
type startBody struct {
	AgentID     string  `json:"agent_id" minLength:"1" maxLength:"256" pattern:"^[A-Za-z0-9._:-]+$" patternDescription:"letters, digits and . _ : -"`
	UserID      *string `json:"user_id,omitempty" required:"false" nullable:"true" doc:"The end user: one legal segment of a path"`
	ParentRunID *string `json:"parent_run_id,omitempty" required:"false" nullable:"true"`
	Experiment  *bool   `json:"experiment,omitempty" required:"false" nullable:"true" doc:"The run's memory is thrown away at its end"`
}

type startedBody struct {
	RunID     string       `json:"run_id"`
	Token     string       `json:"token" doc:"For the header X-Agentos-Run-Token; shown this once"`
	ExpiresAt httpapi.Time `json:"expires_at"`
}

// StartRun starts a run and answers its token.
func StartRun(d httpapi.Deps) httpapi.Endpoint {
	service := tokensOf(d)
	return httpapi.Handle(routes.RunsCreate, func(ctx context.Context, c *httpapi.Call, in *startInput) (httpapi.Reply[startedBody], error) {
		ask := runtoken.Ask{AgentID: in.Body.AgentID, ParentID: or(in.Body.ParentRunID, ""), Experiment: or(in.Body.Experiment, false)}
		if id := in.Body.UserID; id != nil {
			var legal bool
			if ask.UserID, legal = fact.LegalUser(*id); !legal {
				return httpapi.Reply[startedBody]{}, errs.Validation(errs.Field{Pointer: "/user_id", Rule: "must be one legal segment of a path"})
			}
		}
		r, err := service.Start(ctx, c.Scope, c.Actor(), ask)
		if err != nil {
			return httpapi.Reply[startedBody]{}, err
		}
		return httpapi.OK(startedBody{RunID: r.ID, Token: r.Token, ExpiresAt: httpapi.At(r.ExpiresAt)}), nil
	})
}

type endInput struct {
	ID string `path:"id"`
}

type endedBody struct {
	RunID   string       `json:"run_id"`
	EndedAt httpapi.Time `json:"ended_at"`
}

// EndRun ends a run: its token reads on, and writes no more.
func EndRun(d httpapi.Deps) httpapi.Endpoint {
	service := tokensOf(d)
	return httpapi.Handle(routes.RunsEnd, func(ctx context.Context, c *httpapi.Call, in *endInput) (httpapi.Reply[endedBody], error) {
		r, err := service.End(ctx, c.Scope, c.Actor(), in.ID)
		if err != nil {
			return httpapi.Reply[endedBody]{}, err
		}
		return httpapi.OK(endedBody{RunID: r.ID, EndedAt: httpapi.At(*r.EndedAt)}), nil
	})
}
