package screen

import "strings"

// chatMarkers are the tokens by which chat templates of language models part the
// turns: ChatML, Llama 2 and 3, Gemma, Phi, Mistral, Command, DeepSeek, Harmony.
var chatMarkers = []string{
	"<|im_start|>", "<|im_end|>", "<|im_sep|>", "<|system|>", "<|user|>", "<|assistant|>", "<|endoftext|>", "<|end|>",
	"<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|eom_id|>",
	"<|start|>", "<|channel|>", "<|message|>", "<|start_of_turn|>", "<start_of_turn>", "<end_of_turn>",
	"<|START_OF_TURN_TOKEN|>", "<|SYSTEM_TOKEN|>", "<|CHATBOT_TOKEN|>", "<|USER_TOKEN|>", "<|endofprompt|>",
	"[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "[/SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]", "[TOOL_CALLS]",
}

// markerOpeners are the first bytes of chatMarkers and of tags.
const markerOpeners = "<["

// findMarkers reports chat markers, unless a text about them quotes them.
func findMarkers(p *page) {
	for at := 0; ; {
		next := strings.IndexAny(p.text[at:], markerOpeners)
		if next < 0 {
			return
		}
		at += next
		if n := markerAt(p.text[at:]); n > 0 && !p.enclosed(at, at+n) {
			p.report(at, at+n)
		}
		at++
	}
}

// markerAt answers the length of the marker that the text starts with, 0 for none.
func markerAt(text string) int {
	if len(text) < 2 || text[1] != '|' && text[1] != '<' && text[0] != '[' && text[1] != 's' && text[1] != 'e' {
		return 0
	}
	for _, m := range chatMarkers {
		if len(text) >= len(m) && strings.EqualFold(text[:len(m)], m) {
			return len(m)
		}
	}
	return 0
}

// enclosed: quotation marks or backticks stand right around the stretch.
func (p *page) enclosed(start, end int) bool {
	return start > 0 && end < len(p.text) && p.text[start-1] == p.text[end] && strings.IndexByte("`\"'", p.text[end]) >= 0
}
