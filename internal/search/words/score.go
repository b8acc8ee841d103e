package words

import (
	"strings"

	"holdfast/internal/search"
)

// exact is up to where whole numbers are exact in the scores of an engine, which have
// 24 bits.
const exact = 1 << 24

// The greatest idf that is told apart: that of a word which nobody of 2^31 has is less.
const greatestIDF = 23

// Scorer computes scores; see the package comment. It is what every engine, and the
// search over what no engine has reached, computes them with.
//
// A document's raw score is the sum of Raw over the words that match: a whole number
// that tells both how many they are and what they weigh.
type Scorer struct {
	Step  int     // what each match adds to a raw score beside the word's weight
	Base  float64 // see the package comment
	Slope float64
	words []string
	raw   []int
}

// NewScorer makes the scorer of a query's words with their statistics.
func NewScorer(words []string, s Statistics) Scorer {
	out := Scorer{Step: exact / (len(words) + 1), Base: 1 + search.K1*(1-search.B), words: words, raw: make([]int, len(words))}
	if s.Length > 0 {
		out.Slope = search.K1 * search.B * float64(s.Documents) / float64(s.Length)
	}
	for i := range words {
		idf := min(search.IDF(s.Documents, s.df(i)), greatestIDF)
		out.raw[i] = out.Step + int(idf*float64(out.Step)/float64((greatestIDF+1)*len(words)))
	}
	return out
}

func (s *Statistics) df(i int) int {
	if i < len(s.DF) {
		return s.DF[i]
	}
	return 0
}

// Raw is what a match of the word in this place adds to a raw score.
func (s Scorer) Raw(word int) int { return s.raw[word] }

// Of answers what a raw score and a length in words come to. The product is rounded
// before it is added, so that no processor fuses the two and scores are the same on
// every machine, and in the scripts of an engine.
func (s Scorer) Of(raw, length int) (score float64, matched int) {
	matched = raw / s.Step
	weight := float64(raw - matched*s.Step)
	fraction := weight * s.Base / (s.Base + float64(s.Slope*float64(length))) / float64(s.Step)
	return float64(matched) + fraction, matched
}

// Text scores a text as an index would; 0: no word matches.
func (s Scorer) Text(text string) float64 {
	raw, length := 0, 0
	own := Split(text)
	length = len(own)
	for i, word := range s.words {
		for _, w := range own {
			if strings.HasPrefix(w, word) {
				raw += s.raw[i]
				break
			}
		}
	}
	if raw == 0 {
		return 0
	}
	score, _ := s.Of(raw, length)
	return score
}
