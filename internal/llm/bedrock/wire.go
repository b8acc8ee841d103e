package bedrock

import (
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"holdfast/internal/llm"
)

// toolMeaning tells the model what the tool is for.
const toolMeaning = "Takes the answer to the task."

// input is the request of a task.
func (m *Model) input(t llm.Task, prompt llm.Prompt, withoutTemperature bool) (*bedrockruntime.ConverseInput, error) {
	var schema map[string]any
	if json.Unmarshal(prompt.Schema, &schema) != nil {
		return nil, fmt.Errorf("%w: its schema cannot be sent", llm.ErrRefused)
	}
	limits := &types.InferenceConfiguration{}
	if t.MaxTokens > 0 {
		limits.MaxTokens = aws.Int32(int32(min(t.MaxTokens, maxTokens)))
	}
	if !withoutTemperature {
		limits.Temperature = aws.Float32(0)
	}
	return &bedrockruntime.ConverseInput{
		ModelId:         &m.model,
		System:          []types.SystemContentBlock{&types.SystemContentBlockMemberText{Value: prompt.System}},
		Messages:        []types.Message{{Role: types.ConversationRoleUser, Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: prompt.User}}}},
		InferenceConfig: limits,
		ToolConfig: &types.ToolConfiguration{
			Tools: []types.Tool{&types.ToolMemberToolSpec{Value: types.ToolSpecification{
				Name: &t.Name, Description: aws.String(toolMeaning),
				InputSchema: &types.ToolInputSchemaMemberJson{Value: document.NewLazyDocument(schema)},
			}}},
			ToolChoice: &types.ToolChoiceMemberTool{Value: types.SpecificToolChoice{Name: &t.Name}},
		},
	}, nil
}

// maxTokens is over every model's limit and within the protocol's.
const maxTokens = 1 << 30

// read takes the answer out of a reply: the input of the one use of the tool.
func read(tool string, out *bedrockruntime.ConverseOutput) (llm.Answer, error) {
	answer := llm.Answer{Usage: usage(out.Usage)}
	switch out.StopReason {
	case types.StopReasonMaxTokens, types.StopReasonModelContextWindowExceeded:
		return answer, fmt.Errorf("%w: it was cut off", llm.ErrAnswer)
	case types.StopReasonGuardrailIntervened, types.StopReasonContentFiltered, refused:
		return llm.Answer{}, fmt.Errorf("%w: by the model", llm.ErrRefused)
	case types.StopReasonMalformedModelOutput, types.StopReasonMalformedToolUse:
		return answer, fmt.Errorf("%w: the tool was not used as it should be", llm.ErrAnswer)
	}
	uses := usesOf(tool, out.Output)
	if len(uses) != 1 || uses[0].Input == nil {
		return answer, fmt.Errorf("%w: the tool was used %d times", llm.ErrAnswer, len(uses))
	}
	raw, err := uses[0].Input.MarshalSmithyDocument()
	if err != nil {
		return answer, fmt.Errorf("%w: the tool's input cannot be read", llm.ErrAnswer)
	}
	answer.JSON, err = llm.Value(string(raw))
	return answer, err
}

// refused is the stop reason of models that say so themselves.
const refused types.StopReason = "refusal"

func usesOf(tool string, output types.ConverseOutput) []types.ToolUseBlock {
	message, ok := output.(*types.ConverseOutputMemberMessage)
	if !ok {
		return nil
	}
	var out []types.ToolUseBlock
	for _, block := range message.Value.Content {
		if use, ok := block.(*types.ContentBlockMemberToolUse); ok && aws.ToString(use.Value.Name) == tool {
			out = append(out, use.Value)
		}
	}
	return out
}

func usage(told *types.TokenUsage) llm.Usage {
	if told == nil {
		return llm.Usage{}
	}
	return llm.Usage{Input: int(max(aws.ToInt32(told.InputTokens), 0)), Output: int(max(aws.ToInt32(told.OutputTokens), 0))}
}
