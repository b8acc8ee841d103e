package bedrock

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"

	"holdfast/internal/awsconf"
	"holdfast/internal/llm"
)

// Options say which model.
type Options struct {
	// Model is a model's id, or the id or ARN of an inference profile or of
	// provisioned throughput. The model must know tools. It must be given.
	Model string
}

var errOptions = errors.New("bedrock: wrong option")

// Model asks one model.
type Model struct {
	model   string
	client  *bedrockruntime.Client
	without atomic.Bool // temperature
}

var _ llm.Model = (*Model)(nil)

// New checks the options and makes the client once; it does not reach out. A retryer
// that cfg brings is not used: the port asks once.
func New(cfg aws.Config, options Options) (*Model, error) {
	if words := strings.Fields(options.Model); len(words) != 1 || words[0] != options.Model {
		return nil, fmt.Errorf("%w: Model must be there and have no white space", errOptions)
	}
	cfg.Retryer = func() aws.Retryer { return aws.NopRetryer{} }
	if cfg.HTTPClient == nil {
		cfg.HTTPClient = awsconf.NewClient()
	}
	cfg.HTTPClient = bounded{cfg.HTTPClient}
	return &Model{model: options.Model, client: bedrockruntime.NewFromConfig(cfg)}, nil
}

// Name names the service and the model as configured.
func (m *Model) Name() string { return "bedrock/" + m.model }

// Complete sends a task as the port says.
func (m *Model) Complete(ctx context.Context, t llm.Task) (llm.Answer, error) {
	if err := ctx.Err(); err != nil {
		return llm.Answer{}, llm.Ended(err)
	}
	prompt, err := llm.Render(t)
	if err != nil {
		return llm.Answer{}, err
	}
	out, err := m.ask(ctx, t, prompt)
	if ended := ctx.Err(); err != nil && ended != nil {
		return llm.Answer{}, llm.Ended(ended)
	}
	if err != nil {
		return llm.Answer{}, failed(err)
	}
	return read(t.Name, out)
}

// ask gets the reply to a task, without temperature where the model does not take it.
func (m *Model) ask(ctx context.Context, t llm.Task, prompt llm.Prompt) (*bedrockruntime.ConverseOutput, error) {
	without := m.without.Load()
	in, err := m.input(t, prompt, without)
	if err != nil {
		return nil, err
	}
	out, err := m.client.Converse(ctx, in)
	if without || !namesTemperature(err) {
		return out, err
	}
	in.InferenceConfig.Temperature = nil
	if out, err = m.client.Converse(ctx, in); err == nil {
		m.without.Store(true)
	}
	return out, err
}
