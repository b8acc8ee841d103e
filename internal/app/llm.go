package app

import (
	"context"

	"holdfast/internal/config"
	"holdfast/internal/llm/bedrock"
	"holdfast/internal/llm/offline"
	"holdfast/internal/llm/openai"
)

func (a *App) openLLM(ctx context.Context) (err error) {
	switch a.Config.LLM {
	case config.Offline:
		a.LLM = offline.New()
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
