package offline

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"holdfast/internal/extract"
	"holdfast/internal/extract/prose"
)

// Most of one answer.
const (
	mostStatements = 300
	mostSentences  = 12 // of what is stated
	mostOfEpisode  = 40 // with those of entries that state nothing
)

// runExtract answers extract.TaskExtract.
func runExtract(in extract.Input) extract.Output {
	out := extract.Output{Statements: []extract.OutputStatement{}, Sentences: []extract.OutputSentence{}}
	kept, traces, narrowed := pieces(in)
	out.Narrowed = narrowed
	for _, p := range best(kept, mostStatements) {
		out.Statements = append(out.Statements, extract.OutputStatement{
			Type: p.kind, Text: p.text, Entries: []int{p.number}, ValidFrom: p.validFrom,
		})
	}
	salient := best(short(kept), mostSentences)
	salient = append(salient, best(traces, mostOfEpisode-len(salient))...)
	for _, p := range salient {
		out.Sentences = append(out.Sentences, extract.OutputSentence{Text: p.text, Entries: []int{p.number}})
	}
	return out
}

// pieces answers what of all entries is worth keeping, each text once, the sentences of
// entries that have nothing of it, and how much the instructions leave out.
func pieces(in extract.Input) (kept, traces []piece, narrowed int) {
	narrow := narrowingOf(in.Instructions)
	seen, speakers := map[string]bool{}, speakersOf(in.Entries)
	for _, one := range in.Entries {
		e := newEntry(one, speakers)
		all := e.pieces()
		if p, ok := e.trace(all); ok && (narrow.none || narrow.keeps(p)) {
			traces = append(traces, p)
		}
		for _, p := range all {
			key := strings.Join(prose.Lower(p.text), " ")
			switch {
			case seen[key]:
			case narrow.none:
				narrowed++
				traces = append(traces, short([]piece{p})...)
			case !narrow.keeps(p):
				narrowed++
			default:
				kept = append(kept, e.weaken(p))
			}
			seen[key] = true
		}
	}
	return kept, traces, narrowed
}

// speakersOf answers the small words of the speakers' names.
func speakersOf(entries []extract.InputEntry) map[string]bool {
	out := map[string]bool{}
	for _, e := range entries {
		for _, w := range prose.Lower(e.Speaker) {
			out[w] = true
		}
	}
	return out
}

// weaken makes facts of what tools and the web may not teach.
func (e *entry) weaken(p piece) piece {
	if e.Weak && p.kind != extract.Decision {
		p.kind = extract.Fact
	}
	return p
}

// best answers the pieces worth most, in their order.
func best(all []piece, most int) []piece {
	if len(all) <= most {
		return all
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[b].worth, all[a].worth) })
	order = order[:most]
	slices.Sort(order)
	out := make([]piece, most)
	for i, at := range order {
		out[i] = all[at]
	}
	return out
}

// short leaves out what is too long for a sentence of an episode.
func short(all []piece) []piece {
	return slices.DeleteFunc(slices.Clone(all), func(p piece) bool { return utf8.RuneCountInString(p.text) > maxSentence })
}
