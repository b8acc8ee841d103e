package app

import (
	"context"

	"holdfast/internal/config"
	"holdfast/internal/llm"
	"holdfast/internal/llm/bedrock"
	"holdfast/internal/llm/openai"
)

func (a *App) openLLM(ctx context.Context) (err error) {
	switch a.Config.LLM {
	case config.Offline:
		a.LLM = unruled{}
		return nil
	case config.OpenAI:
		a.LLM, err = openai.New(openai.Options{URL: a.Config.LLMURL, Key: a.Config.LLMKey.Reveal(), Model: a.Config.LLMModel})
		return err
	case config.Bedrock:
		c, err := a.config(ctx)
		if err != nil {
			return err
		}
		a.LLM, err = bedrock.New(c, bedrock.Options{Model: a.Config.LLMModel})
		return err
	}
	return notBuilt("HOLDFAST_LLM", a.Config.LLM)
}

// unruled stands in for the rules of internal/llm/offline and knows no task.
type unruled struct{}

// Name implements llm.Model.
func (unruled) Name() string { return config.Offline }

// Complete implements llm.Model.
func (unruled) Complete(ctx context.Context, _ llm.Task) (llm.Answer, error) {
	if err := ctx.Err(); err != nil {
		return llm.Answer{}, llm.Ended(err)
	}
	return llm.Answer{}, llm.ErrRefused
}
