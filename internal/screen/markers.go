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

// speakers are the words before a colon by which a line passes for a turn.
var speakers = []string{
	"system", "system prompt", "system message", "assistant", "developer", "human", "user", "ai", "model", "tool",
	"instruction", "instructions", "new instructions", "response", "admin", "administrator",
}

// orderReasons are the reasons that make a forged turn out of a labelled line.
var orderReasons = []string{"instruction_override", "persona_takeover", "prompt_leak", "exfiltration", "concealment"}

// findTurns reports lines that pass for a turn of a chat ("System: …") in a text
// that gives an order as well. Alone they are a transcript.
func findTurns(p *page) {
	if !p.caught(orderReasons...) {
		return
	}
	for start := 0; start < len(p.text); {
		line := p.text[start:]
		end := strings.IndexByte(line, '\n')
		if end >= 0 {
			line = line[:end]
		}
		if n := turnLabel(line); n > 0 {
			p.report(start, start+n)
		}
		if end < 0 {
			return
		}
		start += end + 1
	}
}

// turnLabel answers the length of the speaker's label at the start of the line,
// in any of its dresses ("### System:", "**System**:", "[system]", "<system>"),
// 0 for none.
func turnLabel(line string) int {
	const longest = 40
	label := line[:min(len(line), longest)]
	text := strings.TrimLeft(label, " \t#*>[<(/-=_")
	dressed := len(text) < len(label)
	name := text[:len(text)-len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ "))]
	closing := strings.TrimLeft(text[len(name):], "*_ ")
	if closing == "" && !dressed || closing != "" && !strings.ContainsRune(":]>)=", rune(closing[0])) {
		return 0
	}
	if closing != "" && closing[0] != ':' && !dressed {
		return 0
	}
	for _, s := range speakers {
		if strings.EqualFold(strings.TrimSpace(name), s) {
			return len(label) - len(text) + len(name)
		}
	}
	return 0
}
