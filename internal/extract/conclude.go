package extract

import (
	"context"

	"holdfast/internal/llm"
)

// Bounds of a conclusion, in sentences.
const (
	maxGroup = 100 // of one task
	maxEnd   = 8   // of an outcome and of a summary
)

// Conclude implements Extractor. Where there are more sentences than one task takes
// it concludes group by group, then what came of the groups.
func (x *LLM) Conclude(ctx context.Context, goal string, sentences []Sentence) (Conclusion, error) {
	k := newKeeper(x.clean)
	for len(sentences) > maxGroup {
		var next []Sentence
		for start := 0; start < len(sentences); start += maxGroup {
			group := sentences[start:min(len(sentences), start+maxGroup)]
			c, err := x.conclude(ctx, goal, group, k)
			if err != nil {
				return Conclusion{Counts: k.counts, Tokens: k.tokens}, err
			}
			next = append(next, union(c.Outcome, c.Summary)...)
		}
		sentences = next
	}
	c, err := x.conclude(ctx, goal, sentences, k)
	c.Counts, c.Tokens = k.counts, k.tokens
	return c, err
}

// conclude asks about one group; nothing comes of none.
func (x *LLM) conclude(ctx context.Context, goal string, group []Sentence, k *keeper) (Conclusion, error) {
	if len(group) == 0 {
		return Conclusion{}, nil
	}
	input := ConcludeInput{Goal: goal}
	for i, s := range group {
		input.Sentences = append(input.Sentences, InputSentence{Number: i + 1, Text: s.Text})
	}
	var out ConcludeOutput
	err := x.ask(ctx, llm.Task{
		Name: TaskConclude, Instructions: concludeInstructions, Input: input, Schema: concludeSchema, MaxTokens: concludeTokens,
	}, k, &out)
	if err != nil {
		return Conclusion{}, err
	}
	sources := sourcesOfSentences(group)
	return Conclusion{Outcome: k.ends(out.Outcome, sources, group), Summary: k.ends(out.Summary, sources, group)}, nil
}

// ends keeps the first sentences that hold, with the spans of what they cite.
func (k *keeper) ends(given []OutputSentence, sources []*source, group []Sentence) []Sentence {
	var out []Sentence
	seen := map[string]bool{}
	for _, g := range given {
		text, cited, ok := k.check(g, sources)
		if !ok || seen[same(text)] || len(out) == maxEnd {
			continue
		}
		seen[same(text)] = true
		s := Sentence{Text: text}
		for _, c := range cited {
			s.Spans = addSpans(s.Spans, group[c.number-1].Spans...)
		}
		out = append(out, s)
	}
	return out
}

// union joins two lists of sentences, each text once.
func union(a, b []Sentence) []Sentence {
	var out []Sentence
	seen := map[string]bool{}
	for _, list := range [][]Sentence{a, b} {
		for _, s := range list {
			if key := same(s.Text); !seen[key] {
				seen[key] = true
				out = append(out, s)
			}
		}
	}
	return out
}
