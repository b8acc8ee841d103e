package analysis

import (
	"strings"

	snowball "github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Stem answers the stem of a folded English word by the Snowball project's
// English stemmer (snowballstem.org, "Porter2"). Words with other signs than a to
// z are answered as they are.
func Stem(word string) string {
	var s stemmer
	return s.stem(word)
}

// stemmer keeps the working space between words, and the stems it knows.
type stemmer struct {
	env  *snowball.Env
	memo map[string]string // nil: remembers nothing
}

// Words outside these lengths are left as they are: shorter ones have no ending
// to lose, longer ones are no words, and the stemmer's time grows with the square
// of the length.
const (
	shortest = 3
	longest  = 40
)

// memoSize bounds the stems that a stemmer remembers. A text's words repeat so
// often that looking up is four times faster than stemming.
const memoSize = 8192

func (s *stemmer) stem(word string) string {
	if len(word) < shortest || len(word) > longest || !isLetters(word) {
		return word
	}
	if known, ok := s.memo[word]; ok {
		return known
	}
	stem := s.reduce(word)
	if s.memo != nil {
		s.remember(word, stem)
	}
	return stem
}

func (s *stemmer) reduce(word string) string {
	if s.env == nil {
		s.env = snowball.NewEnv("")
	}
	s.env.SetCurrent(word)
	english.Stem(s.env)
	return s.env.Current()
}

// remember copies both strings, which are parts of the text.
func (s *stemmer) remember(word, stem string) {
	if len(s.memo) >= memoSize {
		clear(s.memo)
	}
	s.memo[strings.Clone(word)] = strings.Clone(stem)
}

func isLetters(word string) bool {
	for i := range len(word) {
		if !isLower(word[i]) {
			return false
		}
	}
	return true
}
