package offline

import (
	"slices"
	"strings"

	"holdfast/internal/extract"
	"holdfast/internal/extract/prose"
	"holdfast/internal/search/analysis"
)

// mostEnd is the most sentences of an outcome and of a summary.
const mostEnd = 8

// results are words that tell what came of something.
var results = set(`finished completed released shipped delivered fixed solved done result results outcome reached
		succeeded failed passed launched deployed merged published signed closed cause won lost`)

// runConclude answers extract.TaskConclude: the outcome has the decisions and results,
// the two weightiest sentences where there are none; the summary the weightiest.
func runConclude(in extract.ConcludeInput) extract.ConcludeOutput {
	all := make([]piece, len(in.Sentences))
	var outcome []piece
	goal := analysis.Tokens(in.Goal)
	for i, s := range in.Sentences {
		all[i] = weigh(s, goal)
		if all[i].kind == extract.Decision {
			outcome = append(outcome, all[i])
		}
	}
	if len(all) > 0 {
		all[0].worth++ // how it began and where it ended tell more than what lies between
		all[len(all)-1].worth++
	}
	if len(outcome) == 0 {
		outcome = best(all, 2)
	}
	return extract.ConcludeOutput{Outcome: ends(best(outcome, mostEnd)), Summary: ends(best(all, mostEnd))}
}

// weigh reads a sentence as a piece; decisions and results are of the type decision.
func weigh(in extract.InputSentence, goal []string) piece {
	p := piece{text: in.Text, number: in.Number}
	e := newEntry(extract.InputEntry{Text: in.Text}, nil)
	for _, s := range e.sentences {
		kind := s.kindOf()
		switch {
		case kind == extract.Decision:
			p.kind, p.worth = kind, max(p.worth, decisionWorth)
		case slices.ContainsFunc(s.low, func(w string) bool { return results[w] }):
			p.kind, p.worth = extract.Decision, max(p.worth, s.worth(e)+1)
		case kind == extract.Preference:
			p.worth = max(p.worth, preferenceWorth)
		default:
			p.worth = max(p.worth, s.worth(e))
		}
	}
	for _, token := range analysis.Tokens(in.Text) {
		if slices.Contains(goal, token) {
			p.worth += 0.5
		}
	}
	return p
}

func ends(all []piece) []extract.OutputSentence {
	out := []extract.OutputSentence{}
	seen := map[string]bool{}
	for _, p := range all {
		if key := strings.Join(prose.Lower(p.text), " "); !seen[key] {
			seen[key] = true
			out = append(out, extract.OutputSentence{Text: p.text, Entries: []int{p.number}})
		}
	}
	return out
}
