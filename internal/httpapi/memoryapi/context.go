package memoryapi

import (
	"holdfast/internal/recall"
)

// contextBody is the MemoryContext of S0.28.
type contextBody struct {
	ReceiptID             string           `json:"receiptId"`
	Blocks                []blockBody      `json:"blocks"`
	UserProfile           *textBody        `json:"userProfile" nullable:"true"`
	PlatformEntries       []scoredEntry    `json:"platformEntries"`
	TenantFloors          []scoredEntry    `json:"tenantFloors"`
	TenantEntries         []scoredEntry    `json:"tenantEntries"`
	WorkspaceEntries      []scoredEntry    `json:"workspaceEntries"`
	Procedures            []scoredEntry    `json:"procedures"`
	RelevantEpisodes      []scoredEntry    `json:"relevantEpisodes"`
	FileDocs              []scoredEntry    `json:"fileDocs"`
	SessionSummary        *textBody        `json:"sessionSummary" nullable:"true"`
	SessionEntries        []scoredEntry    `json:"sessionEntries"`
	OmittedWorkspaceCount int              `json:"omittedWorkspaceCount" doc:"Workspace entries that passed every filter and were left out by topN or the budget"`
	SupersededHiddenCount int              `json:"supersededHiddenCount" doc:"Memories that passed every other filter and are hidden for being superseded or no longer valid"`
	Compilation           *compilationBody `json:"compilation" nullable:"true" doc:"Null with raw"`
	Diagnostics           *diagnosticsBody `json:"diagnostics,omitempty" doc:"With explain only"`
}

type blockBody struct {
	Name     string   `json:"name"`
	Text     string   `json:"text"`
	Tokens   int      `json:"tokens"`
	EntryIDs []string `json:"entryIds"`
}

type textBody struct {
	Text      string   `json:"text"`
	SourceIDs []string `json:"sourceIds"`
	Tokens    int      `json:"tokens"`
}

type compilationBody struct {
	TokenBudget   int           `json:"tokenBudget"`
	TokensUsed    int           `json:"tokensUsed"`
	Tokenizer     string        `json:"tokenizer"`
	Sections      []sectionBody `json:"sections"`
	Dropped       []droppedBody `json:"dropped"`
	Arms          []armBody     `json:"arms"`
	IndexSequence int64         `json:"indexSequence"`
}

type sectionBody struct {
	Name     recall.Section `json:"name"`
	Tokens   int            `json:"tokens"`
	Included int            `json:"included"`
	Omitted  int            `json:"omitted"`
}

type droppedBody struct {
	ID     string        `json:"id"`
	Reason recall.Reason `json:"reason"`
}

type armBody struct {
	Name   string          `json:"name"`
	State  recall.ArmState `json:"state"`
	Reason *string         `json:"reason" nullable:"true"`
}

// scoredEntry is an entry inside a retrieve (R0.57).
type scoredEntry struct {
	entryBody
	Score  float64 `json:"score"`
	Tokens int     `json:"tokens"`
}

func contextOf(c recall.Context) contextBody {
	section := func(s recall.Section) []scoredEntry {
		out := make([]scoredEntry, 0, len(c.Sections[s]))
		for _, e := range c.Sections[s] {
			out = append(out, scoredEntry{entryBody: entryOf(e.Memory), Score: e.Score, Tokens: e.Tokens})
		}
		return out
	}
	out := contextBody{
		ReceiptID: c.ReceiptID, Blocks: make([]blockBody, 0, len(c.Blocks)),
		PlatformEntries: section(recall.PlatformEntries), TenantFloors: section(recall.TenantFloors),
		TenantEntries: section(recall.TenantEntries), WorkspaceEntries: section(recall.WorkspaceEntries),
		Procedures: section(recall.Procedures), RelevantEpisodes: section(recall.RelevantEpisodes),
		FileDocs: section(recall.FileDocs), SessionEntries: section(recall.SessionEntries),
		OmittedWorkspaceCount: c.OmittedWorkspace, SupersededHiddenCount: c.SupersededHidden,
		Compilation: compilationOf(c), Diagnostics: diagnosticsOf(c.Diagnostics),
	}
	for _, b := range c.Blocks {
		out.Blocks = append(out.Blocks, blockBody(b))
	}
	out.UserProfile, out.SessionSummary = textOf(c.Profile), textOf(c.Summary)
	return out
}

func textOf(d *recall.Digest) *textBody {
	if d == nil {
		return nil
	}
	return &textBody{Text: d.Text, SourceIDs: d.SourceIDs, Tokens: d.Tokens}
}

func compilationOf(c recall.Context) *compilationBody {
	k := c.Compilation
	if k == nil {
		return nil
	}
	out := &compilationBody{
		TokenBudget: k.TokenBudget, TokensUsed: k.TokensUsed, Tokenizer: recall.Tokenizer,
		Sections: []sectionBody{}, Dropped: []droppedBody{}, IndexSequence: c.IndexSequence,
	}
	for _, s := range k.Sections {
		out.Sections = append(out.Sections, sectionBody(s))
	}
	for _, d := range k.Dropped {
		out.Dropped = append(out.Dropped, droppedBody(d))
	}
	for _, a := range c.Arms {
		arm := armBody{Name: a.Name, State: a.State}
		if a.Reason != "" {
			arm.Reason = &a.Reason
		}
		out.Arms = append(out.Arms, arm)
	}
	return out
}
