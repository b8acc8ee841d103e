package analysis

import "slices"

var (
	// ending verbs stand before what they say to be over: dropped biology.
	ending = set("dropped quit stopped cancelled canceled ditched abandoned discontinued scrapped retired decommissioned deprecated closed")
	// disposing verbs do so where a thing is told to be the known one: sold the Golf.
	disposing = set("sold returned lost removed")
	// endingPairs are such verbs of two words, a third may stand between: gave up, broke up with.
	endingPairs = map[string]string{"gave": "up", "given": "up", "broke": "up", "split": "up", "threw": "away", "got": "rid", "fell": "out", "moved": "out", "done": "with"}
	// passing verbs stand behind what they say to be over: Rex died.
	passing = set("died retired resigned expired closed quit left")
	// parting words end what a verb is about.
	parting = set("as and but so because since for to in at on when after before then while")
)

// farthest is how many words from a verb what is over may be.
const farthest = 4

// Ends answers the content tokens of what the words of a text say to be over, by a verb:
// sold the Golf, gave up the piano, Rex died. English only.
func Ends(words []string) []string {
	var out []string
	for i, word := range words {
		if isDenied(words, i) {
			continue
		}
		if next := endedBehind(words, i); next > 0 && !isBeing[at(words, i-1)] {
			out = append(out, tokensOf(upTo(words[next:]))...)
		}
		if passing[word] {
			out = append(out, tokensOf(downTo(words[:i]))...)
		}
	}
	return out
}

// endedBehind is where what a verb at i says to be over begins; 0: it is no such verb.
func endedBehind(words []string, i int) int {
	next := at(words, i+1)
	switch {
	case ending[words[i]], disposing[words[i]] && determiners[next]:
		return i + 1
	case endingPairs[words[i]] != "" && endingPairs[words[i]] == next:
		if at(words, i+2) == "with" || at(words, i+2) == "of" {
			return i + 3
		}
		return i + 2
	}
	return 0
}

// upTo are the first words, up to one that begins something else.
func upTo(words []string) []string {
	end := slices.IndexFunc(words, func(word string) bool { return parting[word] })
	if end < 0 {
		end = len(words)
	}
	return words[:min(end, farthest)]
}

// downTo are the last words, from behind one that begins something else.
func downTo(words []string) []string {
	from := len(words)
	for from > 0 && len(words)-from < farthest && !parting[words[from-1]] {
		from--
	}
	return words[from:]
}

func tokensOf(words []string) []string {
	var out []string
	for _, word := range words {
		out = append(out, Tokens(word)...)
	}
	return out
}
