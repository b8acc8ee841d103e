package opensearch

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"holdfast/internal/search/analysis"
)

// weights are terms with whole numbers: how often they occur, or what they weigh
// in tenths.
type weights map[string]int

// maxTerm is the most bytes of a term: the engine's tokenizer cuts at 255
// characters.
const maxTerm = 200

// indexed is a token as the engine keeps it; one that is too long stands by its
// digest, which begins with a character that no token holds.
func indexed(token string) string { return short(token, maxTerm) }

func short(text string, most int) string {
	if len(text) <= most {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return "#" + hex.EncodeToString(sum[:16])
}

// countOf counts tokens.
func countOf(tokens []string) weights {
	out := make(weights, len(tokens))
	for _, token := range tokens {
		out[indexed(token)]++
	}
	return out
}

// add adds the other weights so many times.
func (w weights) add(other weights, times int) {
	for term, n := range other {
		w[term] += n * times
	}
}

func (w weights) sum() int {
	total := 0
	for _, n := range w {
		total += n
	}
	return total
}

// String writes term|number for each term in order, parted by spaces: what the
// filter delimited_term_freq reads. No term holds a space or a bar.
func (w weights) String() string {
	terms := make([]string, 0, len(w))
	size := 0
	for term := range w {
		terms = append(terms, term)
		size += len(term) + 4
	}
	slices.Sort(terms)
	out := make([]byte, 0, size)
	for i, term := range terms {
		if i > 0 {
			out = append(out, ' ')
		}
		out = append(append(out, term...), '|')
		out = strconv.AppendInt(out, int64(w[term]), 10)
	}
	return string(out)
}

// parseWeights reads what String wrote. What cannot be read counts for nothing.
func parseWeights(text string) weights {
	out := weights{}
	for field := range strings.FieldsSeq(text) {
		i := strings.LastIndexByte(field, '|')
		if i <= 0 {
			continue
		}
		if n, err := strconv.Atoi(field[i+1:]); err == nil && n > 0 {
			out[field[:i]] = n
		}
	}
	return out
}

// chunksOf counts the tokens of each chunk of a text.
func chunksOf(text string) []string {
	chunks := analysis.Chunks(text)
	out := make([]string, len(chunks))
	for i, chunk := range chunks {
		out[i] = countOf(chunk).String()
	}
	return out
}
