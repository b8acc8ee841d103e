package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ChunkTokens is the most content tokens of a chunk (design: recipe R, step 1).
const ChunkTokens = 128

// Chunks answers the content tokens of a text in chunks of at most ChunkTokens,
// cut at sentence ends; a longer sentence is cut where the chunk is full. There
// is always one chunk, which is empty where the text has no content.
func Chunks(text string) [][]string {
	whole := Tokens(text)
	if len(whole) <= ChunkTokens {
		return [][]string{whole}
	}
	var out [][]string
	var current []string
	for text != "" {
		sentence := text[:sentenceEnd(text)]
		text = text[len(sentence):]
		tokens := Tokens(sentence)
		if len(current)+len(tokens) > ChunkTokens && len(current) > 0 {
			out, current = append(out, current), nil
		}
		for len(tokens) > ChunkTokens {
			out, tokens = append(out, tokens[:ChunkTokens]), tokens[ChunkTokens:]
		}
		current = append(current, tokens...)
	}
	if len(current) > 0 {
		out = append(out, current)
	}
	return out
}

// sentenceEnd is the length of the text's first sentence: up to a line break, or
// to a full stop, question or exclamation mark before a space; those of Chinese
// and Japanese need no space.
func sentenceEnd(text string) int {
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		switch r {
		case '\n', '。', '！', '？':
			return end
		case '.', '!', '?', '।', '؟':
			if next, _ := utf8.DecodeRuneInString(text[end:]); unicode.IsSpace(next) {
				return end
			}
		}
	}
	return len(text)
}

// Sentences answers the text's sentences without the space around them.
func Sentences(text string) []string {
	var out []string
	for text != "" {
		end := sentenceEnd(text)
		if sentence := strings.TrimSpace(text[:end]); sentence != "" {
			out = append(out, sentence)
		}
		text = text[end:]
	}
	return out
}
