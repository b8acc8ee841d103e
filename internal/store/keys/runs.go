package keys

import (
	"time"

	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// RunPK is P#R#{hash}: all there is of one run, under the keyed hash of its id.
func RunPK(s tenant.Scope, runHash string) string { return prefix(s) + "#R#" + runHash }

// RunEntryPrefix begins the sort keys of a run's entries.
const RunEntryPrefix = "E" + sep

// RunEntry is P#R#{hash} / E#{id}: a memory that was written with the run. Ids are
// time-ordered, so the rows are the session in its order (R0.68).
func RunEntry(s tenant.Scope, runHash, id string) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: RunEntryPrefix + id}
}

// RunHead is P#R#{hash} / HEAD: where a run stands.
func RunHead(s tenant.Scope, runHash string) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: HeadSK}
}

// RunStretch is P#R#{hash} / S#{n}: a stretch of a run that was sealed.
func RunStretch(s tenant.Scope, runHash string, n int64) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: "S" + sep + Number(n)}
}

// RunSuggestionPrefix begins the sort keys of a stretch's suggestions.
func RunSuggestionPrefix(n int64) string { return "S" + sep + Number(n) + sep }

// RunSuggestion is P#R#{hash} / S#{n}#{id}: a memory made of a stretch that looks like
// another one.
func RunSuggestion(s tenant.Scope, runHash string, n int64, id string) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: RunSuggestionPrefix(n) + id}
}

// RunTouch is P#R#{hash} / TOUCH: when the run was last retrieved for.
func RunTouch(s tenant.Scope, runHash string) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: "TOUCH"}
}

// RunEdits is P#R#{hash} / EDITS: how often the run's session entries were edited.
func RunEdits(s tenant.Scope, runHash string) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: "EDITS"}
}

// StagedPrefix begins the sort keys of what consolidations of a run have in hand.
const StagedPrefix = "W" + sep

// RunStagedPrefix begins the sort keys of what a consolidation of a stretch has in
// hand, of one group of its entries or (group empty) of all.
func RunStagedPrefix(n int64, group string) string {
	prefix := StagedPrefix + Number(n) + sep
	if group == "" {
		return prefix
	}
	return prefix + group + sep
}

// RunStaged is P#R#{hash} / W#{n}#{group}#{part}.
func RunStaged(s tenant.Scope, runHash string, n int64, group, part string) store.Key {
	return store.Key{PK: RunPK(s, runHash), SK: RunStagedPrefix(n, group) + part}
}

// ModelTokens is P#MT / {yyyymm}: tokens of the language model used in a month.
func ModelTokens(s tenant.Scope, at time.Time) store.Key {
	return store.Key{PK: prefix(s) + "#MT", SK: at.UTC().Format("200601")}
}
