package main

import (
	"math"
	"math/rand/v2"
	"strings"
)

// commonWords take the first places of the vocabulary, so that function words are
// as frequent as in talk.
var commonWords = strings.Fields(`
the a to and of i you it is that in for was my we on with have so me but this they be are what just not
your at had about do like all she he one from up out there good time how some can when really their been
would get go as know her think day new if work more people want see them has by did love great make last
or thing well will back much going now got an year week any then way other home long because our friend
house little next could first family kids still could told feel need help after night morning him most
before start where made over best who down too than right every lot couple music school book food plan
job place yesterday today dinner garden car trip team read happy city call part finally something maybe
weekend project game dog cook wait move class street money walk summer winter train phone letter visit
coffee early late green river window table paper bread photo party shop water station office sister
brother mother father door boat lake market story paint guitar piano storm snow rain sun hill bridge`)

// sentences makes texts that never were: words by Zipf's law from a vocabulary of
// common English words and made-up ones. The same seed gives the same texts.
type sentences struct {
	random *rand.Rand
	words  []string
	zipf   *rand.Zipf
	made   int
}

const vocabulary = 8000

func newSentences(seed uint64) *sentences {
	// The vocabulary does not hang on the seed: every stream speaks one language.
	words := append([]string(nil), commonWords...)
	coin := rand.New(rand.NewPCG(1, 2))
	for len(words) < vocabulary {
		words = append(words, coinWord(coin))
	}
	random := rand.New(rand.NewPCG(seed, 3))
	return &sentences{random: random, words: words, zipf: rand.NewZipf(random, 1.1, 8, vocabulary-1)}
}

const (
	onsets = "b c d f g h k l m n p r s t v w br cl dr fl gr pl pr sh sl st th tr"
	nuclei = "a e i o u ai ea ee oa ou"
	codas  = "b d g k l m n p r s t ck ld mp nd ng nt rd rm sk st"
)

var onset, nucleus, coda = strings.Fields(onsets), strings.Fields(nuclei), strings.Fields(codas)

func coinWord(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		b.WriteString(onset[r.IntN(len(onset))])
		b.WriteString(nucleus[r.IntN(len(nucleus))])
	}
	b.WriteString(coda[r.IntN(len(coda))])
	return b.String()
}

// next is a text of about 24 words (8 to 80), as long as turns of LoCoMo are.
func (s *sentences) next() string {
	length := int(math.Exp(3.05 + .45*s.random.NormFloat64()))
	s.made++
	return s.text(min(max(length, 8), 80))
}

// query is a question of 6 to 10 words.
func (s *sentences) query() string { return s.text(6 + s.random.IntN(5)) }

func (s *sentences) text(words int) string {
	var b strings.Builder
	for i := range words {
		w := s.words[s.zipf.Uint64()]
		switch {
		case i == 0:
			b.WriteString(strings.ToUpper(w[:1]) + w[1:])
			continue
		case i%13 == 0:
			b.WriteString(". " + strings.ToUpper(w[:1]) + w[1:])
			continue
		}
		b.WriteByte(' ')
		b.WriteString(w)
	}
	b.WriteByte('.')
	return b.String()
}
