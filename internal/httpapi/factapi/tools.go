package factapi

import (
	"context"

	"holdfast/internal/facttools"
	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
)

type toolsInput struct {
	Body toolsBody
}

type toolsBody struct {
	Paths []string `json:"paths,omitempty" required:"false" nullable:"true" minItems:"1" maxItems:"50" doc:"Folders that the tools reach; everything when left out"`
}

type definitionsBody struct {
	Definitions []facttools.Definition `json:"definitions" doc:"For a model, in OpenAI's function form"`
}

// Tools answers the definitions of the tools.
func Tools(d httpapi.Deps) httpapi.Endpoint {
	return httpapi.Handle(routes.FactsTools, func(_ context.Context, c *httpapi.Call, in *toolsInput) (httpapi.Reply[definitionsBody], error) {
		list, err := facttools.Definitions(runs(c).Border, in.Body.Paths)
		if err != nil {
			return httpapi.Reply[definitionsBody]{}, err
		}
		return httpapi.OK(definitionsBody{list}), nil
	})
}

type callInput struct {
	Body callBody
}

type callBody struct {
	Paths []string `json:"paths,omitempty" required:"false" nullable:"true" minItems:"1" maxItems:"50"`
	Call  toolCall `json:"call" doc:"The model's call, in OpenAI's form"`
}

// toolCall is facttools.Call; a model's host may add members of its own.
type toolCall struct {
	_        struct{} `additionalProperties:"true"`
	ID       string   `json:"id" maxLength:"256"`
	Type     *string  `json:"type,omitempty" required:"false" nullable:"true"`
	Function function `json:"function"`
}

type function struct {
	_         struct{} `additionalProperties:"true"`
	Name      string   `json:"name" maxLength:"256"`
	Arguments string   `json:"arguments" doc:"JSON text"`
}

// CallTool does what a model asks for and answers the message for it.
func CallTool(d httpapi.Deps) httpapi.Endpoint {
	service := &facttools.Service{Finder: searchOf(d), Facts: serviceOf(d), Log: d.Log}
	hash := hashesOf(d)
	return httpapi.Handle(routes.FactsToolsCall, func(ctx context.Context, c *httpapi.Call, in *callInput) (httpapi.Reply[facttools.Message], error) {
		request, err := hash.of(ctx, c.Scope, c.Body)
		if err != nil {
			return httpapi.Reply[facttools.Message]{}, err
		}
		call := facttools.Call{ID: in.Body.Call.ID, Type: or(in.Body.Call.Type, ""),
			Function: facttools.CallFunction{Name: in.Body.Call.Function.Name, Arguments: in.Body.Call.Function.Arguments}}
		message, err := service.Call(ctx, facttools.CallQuery{Target: runs(c), Paths: in.Body.Paths, Call: call, RequestHash: request})
		if err != nil {
			return httpapi.Reply[facttools.Message]{}, err
		}
		return httpapi.OK(message), nil
	})
}
