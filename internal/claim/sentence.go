package claim

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// flatten writes a text as one line of words, commas and ends of sentences (;),
// with contractions written out and what only leads in left out. A text with a
// question, quotes or brackets makes no claim, nor one whose small letters take up
// another number of bytes, so that places in one are places in the other.
func flatten(text string) (string, bool) {
	text = signs.Replace(text)
	if !utf8.ValidString(text) || len(strings.ToLower(text)) != len(text) || strings.ContainsAny(text, "?\"“”«»()[]{}|") {
		return "", false
	}
	var out []string
	for _, raw := range strings.Fields(text) {
		word := strings.TrimRight(raw, ".,;:!")
		if word == "" {
			out = append(out, ";")
			continue
		}
		out = append(out, expand(word)...)
		switch tail := raw[len(word):]; {
		case tail == "" || tail == "." && abbreviations[strings.ToLower(word)]:
		case strings.ContainsAny(tail, ".;!"):
			out = append(out, ";")
		default:
			out = append(out, ",")
		}
	}
	line := strings.Trim(strings.Join(settle(out), " "), " ;,")
	line = strings.TrimSpace(leadIn.ReplaceAllString(line, ""))
	return line, line != ""
}

var signs = strings.NewReplacer("’", "'", "‘", "'", "–", " ; ", "—", " ; ", "\n", " ; ")

var abbreviations = words("mr mrs ms dr st prof p.m a.m no e.g i.e")

// leadIn is what opens a message and says nothing.
var leadIn = regexp.MustCompile(`^(?i:(?:well|so|ok|okay|hey|hi|hello|fyi|update|note|news|actually|btw|reminder|by the way|` +
	`just so you know|heads up|good news|for the record|please note|quick update)(?: ,| ;| that)+ ?|` +
	`please note |(?:please )?(?:note|remember) that )+`)

// expand writes a contraction out; 's is left for settle.
func expand(word string) []string {
	if !strings.Contains(word, "'") && word != "anymore" {
		return []string{word}
	}
	low := strings.ToLower(word)
	switch low {
	case "won't":
		return []string{"will", "not"}
	case "can't":
		return []string{"can", "not"}
	case "anymore":
		return []string{"any", "more"}
	}
	if head, ok := strings.CutSuffix(low, "n't"); ok {
		return []string{word[:len(head)], "not"}
	}
	for tail, full := range map[string]string{"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"} {
		if head, ok := strings.CutSuffix(low, tail); ok {
			return []string{word[:len(head)], full}
		}
	}
	return []string{word}
}

// settle tells "'s" of a verb from that of an owner by the word behind it.
func settle(list []string) []string {
	var out []string
	for i, w := range list {
		head, ok := strings.CutSuffix(w, "'s")
		next := ""
		if i+1 < len(list) {
			next = strings.ToLower(list[i+1])
		}
		if verb := clitics[next]; ok && verb != "" {
			out = append(out, head, verb)
			continue
		}
		out = append(out, w)
	}
	return out
}

// clitics are what 's stands for before a word.
var clitics = map[string]string{
	"moved": "has", "relocated": "has", "joined": "has", "been": "has", "become": "has", "switched": "has", "got": "has",
	"left": "has", "changed": "has", "living": "is", "based": "is", "working": "is", "called": "is", "named": "is",
	"now": "is", "no": "is", "on": "is", "at": "is", "in": "is", "the": "is", "a": "is", "an": "is", "not": "is",
}
