package made

import (
	"embed"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed texts/*.txt
var files embed.FS

// block is one paragraph of a file: its lines «key: value», by key, in their order.
type block map[string][]string

// read parses a file of texts/. The files are a part of the program, so one that is
// broken is a panic.
func read(name string) []block {
	text, err := files.ReadFile("texts/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	var out []block
	for paragraph := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		b := make(block)
		for line := range strings.Lines(paragraph) {
			key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
			if !ok {
				panic("made: " + name + ": no key in " + line)
			}
			b[key] = append(b[key], value)
		}
		out = append(out, b)
	}
	return out
}

// list is the semicolon-separated values of the first line of a key.
func (b block) list(key string) []string {
	if len(b[key]) == 0 {
		return nil
	}
	return split(b[key][0], "; ")
}

// one is the first line of a key, empty without one.
func (b block) one(key string) string {
	if len(b[key]) == 0 {
		return ""
	}
	return b[key][0]
}

func split(text, by string) []string {
	parts := strings.Split(text, by)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// fill puts words into the places of a template: fill("{s} is {v}", "s", "it", "v", "so").
func fill(template string, words ...string) string {
	pairs := make([]string, len(words))
	for i, w := range words {
		pairs[i] = w
		if i%2 == 0 {
			pairs[i] = "{" + w + "}"
		}
	}
	return strings.NewReplacer(pairs...).Replace(template)
}

// sentence is a filled template that begins with a capital.
func sentence(template string, words ...string) string {
	text := fill(template, words...)
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
