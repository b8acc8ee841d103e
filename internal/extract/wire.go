package extract

import "encoding/json"

// The tasks that a model is asked. Their names, inputs and answers are what every
// llm adapter sees; the adapter without a model reads them as well.
const (
	TaskExtract  = "run_extract"
	TaskConclude = "run_conclude"
)

// Input is the data of TaskExtract.
type Input struct {
	Goal         string       `json:"goal"`
	Instructions string       `json:"callerInstructions"`
	Entries      []InputEntry `json:"entries"`
}

// InputEntry is an entry under the number by which an answer cites it.
type InputEntry struct {
	Number  int    `json:"number"` // from 1 in each task
	Type    string `json:"type"`
	Speaker string `json:"speaker"`
	At      string `json:"at"` // RFC 3339, empty: unknown
	Weak    bool   `json:"fromToolOrWeb"`
	Text    string `json:"text"`
}

// Output is the answer to TaskExtract.
type Output struct {
	Statements []OutputStatement `json:"statements"`
	Sentences  []OutputSentence  `json:"sentences"`
	Narrowed   int               `json:"narrowed"`
}

// OutputStatement is a statement as a model gives it.
type OutputStatement struct {
	Type      string `json:"type"`
	Text      string `json:"text"`
	Entries   []int  `json:"entries"`
	ValidFrom string `json:"validFrom"` // 2006-01-02, or empty
}

// OutputSentence is a sentence as a model gives it, with the numbers of what it
// rests on.
type OutputSentence struct {
	Text    string `json:"text"`
	Entries []int  `json:"entries"`
}

// ConcludeInput is the data of TaskConclude.
type ConcludeInput struct {
	Goal      string          `json:"goal"`
	Sentences []InputSentence `json:"sentences"`
}

// InputSentence is a sentence under the number by which an answer cites it.
type InputSentence struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
}

// ConcludeOutput is the answer to TaskConclude; the numbers are those of sentences.
type ConcludeOutput struct {
	Outcome []OutputSentence `json:"outcome"`
	Summary []OutputSentence `json:"summary"`
}

// The types of statements, as in memory.
const (
	Fact       = "fact"
	Decision   = "decision"
	Preference = "preference"
	Procedure  = "procedure"
)

// The schemas use what all providers take: every property required and nothing beside
// them. An answer beyond the bounds is broken: a model that goes on and on has lost
// its task.
const (
	citations = `{"type":"array","maxItems":100,"items":{"type":"integer"}}`
	textField = `{"type":"string","maxLength":2000}`
	sentences = `{"type":"array","maxItems":40,"items":{"type":"object","additionalProperties":false,` +
		`"required":["text","entries"],"properties":{"text":` + textField + `,"entries":` + citations + `}}}`
	statements = `{"type":"array","maxItems":400,"items":{"type":"object","additionalProperties":false,` +
		`"required":["type","text","entries","validFrom"],"properties":{` +
		`"type":{"type":"string","enum":["fact","decision","preference","procedure"]},"text":` + textField + `,` +
		`"entries":` + citations + `,"validFrom":{"type":"string"}}}}`
)

var (
	extractSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["statements","sentences","narrowed"],"properties":{` +
		`"statements":` + statements + `,"sentences":` + sentences + `,"narrowed":{"type":"integer","minimum":0}}}`)
	concludeSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["outcome","summary"],"properties":{` +
		`"outcome":` + sentences + `,"summary":` + sentences + `}}`)
)
