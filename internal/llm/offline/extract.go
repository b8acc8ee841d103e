package offline

import (
	"cmp"
	"slices"
	"strings"

	"holdfast/internal/extract"
	"holdfast/internal/extract/prose"
)

// Most of one answer.
const (
	mostStatements = 300
	mostSentences  = 12
)

// runExtract answers extract.TaskExtract.
func runExtract(in extract.Input) extract.Output {
	out := extract.Output{Statements: []extract.OutputStatement{}, Sentences: []extract.OutputSentence{}}
	kept, narrowed := pieces(in)
	out.Narrowed = narrowed
	for _, p := range best(kept, mostStatements) {
		out.Statements = append(out.Statements, extract.OutputStatement{
			Type: p.kind, Text: p.text, Entries: []int{p.number}, ValidFrom: p.validFrom,
		})
	}
	for _, p := range best(short(kept), mostSentences) {
		out.Sentences = append(out.Sentences, extract.OutputSentence{Text: p.text, Entries: []int{p.number}})
	}
	return out
}

// pieces answers what of all entries is worth keeping, each text once, and how much
// the instructions leave out.
func pieces(in extract.Input) (kept []piece, narrowed int) {
	narrow := narrowingOf(in.Instructions)
	seen, speakers := map[string]bool{}, speakersOf(in.Entries)
	for _, one := range in.Entries {
		e := newEntry(one, speakers)
		for _, p := range e.pieces() {
			key := strings.Join(prose.Lower(p.text), " ")
			switch {
			case seen[key]:
			case !narrow.keeps(p):
				narrowed++
			default:
				kept = append(kept, e.weaken(p))
			}
			seen[key] = true
		}
	}
	return kept, narrowed
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
	return slices.DeleteFunc(slices.Clone(all), func(p piece) bool { return len(p.text) > maxSentence })
}
