package storetest

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestEverySentenceOfTheContractIsShown compares the suite with the comment of
// package store, both ways.
func TestEverySentenceOfTheContractIsShown(t *testing.T) {
	written, shown := contract(t), Sentences()
	if len(written) < 30 {
		t.Fatalf("only %d sentences were found: %q", len(written), written)
	}
	for _, sentence := range written {
		if !slices.Contains(shown, sentence) {
			t.Errorf("no subtest: %s", sentence)
		}
	}
	for _, sentence := range shown {
		if !slices.Contains(written, sentence) {
			t.Errorf("no such sentence: %s", sentence)
		}
	}
}

// contract answers the sentences of the package comment after the first
// paragraph, without the word that heads each paragraph.
func contract(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var sentences []string
	for _, paragraph := range strings.Split(file.Doc.Text(), "\n\n")[1:] {
		text := strings.Join(strings.Fields(paragraph), " ")
		_, body, found := strings.Cut(text, ". ")
		if !found {
			t.Fatalf("paragraph without a head: %s", text)
		}
		for _, sentence := range strings.SplitAfter(body+" ", ". ") {
			if sentence = strings.TrimSpace(sentence); sentence != "" {
				sentences = append(sentences, sentence)
			}
		}
	}
	return sentences
}

func TestAnExceptionMustNameASentenceAndAReason(t *testing.T) {
	first := Sentences()[0]
	for _, c := range []struct {
		exception Exception
		ok        bool
	}{
		{Exception{first, "the engine cannot"}, true},
		{Exception{first, " "}, false},
		{Exception{"No such sentence.", "old"}, false},
	} {
		if err := known([]Exception{c.exception}); (err == nil) != c.ok {
			t.Errorf("%v: %v", c.exception, err)
		}
	}
}
