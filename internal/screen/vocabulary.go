package screen

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// stepWords bounds the number of different steps in the whole table.
const stepWords = 8

// bitset is a set of steps.
type bitset [stepWords]uint64

func (b *bitset) add(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b *bitset) has(i int) bool { return b[i>>6]>>(i&63)&1 != 0 }

func (b *bitset) merge(o *bitset) {
	for i := range b {
		b[i] |= o[i]
	}
}

func (b *bitset) covers(o *bitset) bool {
	for i := range b {
		if o[i]&^b[i] != 0 {
			return false
		}
	}
	return true
}

// vocabulary holds every word that some phrase names, and the steps it satisfies.
type vocabulary struct {
	lexicon
	steps []bitset       // by word
	names map[string]int // step text → step
}

// reserved names the words that stand for kinds of tokens.
var reserved = map[string]uint16{"@link": linkWord, "@trap": trapWord, "@address": addressWord, "@number": numberWord}

func newVocabulary() vocabulary {
	return vocabulary{lexicon: newLexicon(), steps: make([]bitset, reservedWords), names: map[string]int{}}
}

// step answers the number of a step, made at its first use.
func (v *vocabulary) step(text string) int {
	if n, ok := v.names[text]; ok {
		return n
	}
	n := len(v.names)
	if n == stepWords*64 {
		panic("screen: more steps than stepWords holds")
	}
	v.names[text] = n
	for _, alternative := range strings.Split(text, "|") {
		for _, word := range expand(alternative) {
			v.steps[v.id(word)].add(n)
		}
	}
	return n
}

// stepOf makes a step of the words of the class "core" in another spelling.
func (v *vocabulary) stepOf(spell func(string) string) int {
	words := strings.Fields(classes["core"])
	for i, w := range words {
		words[i] = spell(w)
	}
	return v.step(strings.Join(words, "|"))
}

// expand answers the words of a class, or the word itself.
func expand(alternative string) []string {
	if !strings.HasPrefix(alternative, "{") {
		return []string{alternative}
	}
	words, ok := classes[strings.Trim(alternative, "{}")]
	if !ok {
		panic("screen: no class " + alternative)
	}
	return strings.Fields(words)
}

// id answers the number of a word, folded as the reader folds texts.
func (v *vocabulary) id(word string) uint16 {
	if id, ok := reserved[word]; ok {
		return id
	}
	key := foldWord(word)
	if id := v.lookup(key); id != unknownWord {
		return id
	}
	id := uint16(len(v.steps))
	v.insert(string(key), id)
	v.steps = append(v.steps, bitset{})
	return id
}

// foldWord reads a word as the reader does.
func foldWord(word string) []byte {
	var w wordBuffer
	for _, r := range word {
		switch {
		case r < utf8.RuneSelf:
			w.latin = true
			w.addByte(byte(r))
		case kindOf(r) != mark:
			w.addRune(r)
		}
	}
	return slices.Clone(w.best())
}
