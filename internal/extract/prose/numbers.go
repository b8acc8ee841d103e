package prose

import (
	"strings"
	"unicode"
)

var numberWords = map[string]string{
	"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17",
	"eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60",
	"seventy": "70", "eighty": "80", "ninety": "90", "hundred": "100", "thousand": "1000", "million": "1000000",
}

// Numbers answers the numbers of a text in digits, without the commas of thousands;
// number words count, but for "one", which is often a pronoun.
func Numbers(text string) []string {
	var out []string
	for _, w := range Words(text) {
		word := w.Of(text)
		if number, ok := numberWords[strings.ToLower(word)]; ok {
			out = append(out, number)
			continue
		}
		for _, run := range strings.FieldsFunc(word, notNumeral) {
			if number := strings.Trim(plainNumber(run), ".,:"); number != "" {
				out = append(out, number)
			}
		}
	}
	return out
}

func notNumeral(r rune) bool { return !unicode.IsDigit(r) && r != '.' && r != ',' && r != ':' }

// plainNumber drops commas that part thousands.
func plainNumber(run string) string {
	i := strings.IndexByte(run, ',')
	if i < 0 {
		return run
	}
	for j, part := range strings.Split(strings.SplitN(run, ".", 2)[0], ",") {
		if j > 0 && len(part) != 3 {
			return run
		}
	}
	return strings.ReplaceAll(run, ",", "")
}

// IsNumber tells a small word that Numbers reads.
func IsNumber(word string) bool {
	return numberWords[word] != "" || strings.Trim(word, "0123456789.,:") == ""
}
