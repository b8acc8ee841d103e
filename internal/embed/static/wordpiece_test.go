package static

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// testdata/pieces.json holds what the model's own tokeniser (Python tokenizers
// 0.23.3 with the model's tokenizer.json, no special tokens) makes of the texts.
func TestPiecesAreThoseOfTheReference(t *testing.T) {
	file, err := os.ReadFile("testdata/pieces.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Text   string
		Pieces []string
	}
	if err := json.Unmarshal(file, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 20 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, c := range cases {
		if got := spelt(t, c.Text); !slices.Equal(got, c.Pieces) {
			t.Errorf("%q:\n got %q\nwant %q", c.Text, got, c.Pieces)
		}
	}
}

func TestPiecesStopAtTheLimit(t *testing.T) {
	vocabulary := loaded(t).pieces
	for _, text := range []string{
		strings.Repeat("a", 90) + " b c d", "one two three four five six", strings.Repeat("! ", 50), strings.Repeat("東", 50),
	} {
		whole := vocabulary.appendIDs(make([]int32, 0, 200), text)
		for limit := range 6 {
			got := vocabulary.appendIDs(make([]int32, 0, limit), text)
			if !slices.Equal(got, whole[:limit]) {
				t.Errorf("%.20q, limit %d: %v, want %v", text, limit, got, whole[:limit])
			}
		}
	}
}

func FuzzPieces(f *testing.F) {
	for _, seed := range []string{
		"", "plain words", "naïve Café", "\xff\xfe broken", "日本語 テスト", "ＷＩＤＥ", strings.Repeat("x", 300),
		"a\u0301\u0302", "\U0001F468\u200D\U0001F469", "[CLS] [UNK] ##ing", "\x00\x01", "İ", "각",
	} {
		f.Add(seed)
	}
	table, err := load()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ids := table.pieces.appendIDs(make([]int32, 0, maxPieces), text)
		for _, id := range ids {
			if id < unknown || int(id) >= len(table.factors) {
				t.Fatalf("piece %d", id)
			}
		}
		if !utf8.ValidString(text) {
			return // broken bytes stand for the replacement character, alone or together
		}
		again := table.pieces.appendIDs(make([]int32, 0, maxPieces), text+" ")
		if !slices.Equal(ids, again) {
			t.Fatal("a space at the end changes the pieces")
		}
		if spelling := joined(table, ids); utf8.RuneCountInString(spelling) > 3*utf8.RuneCountInString(text) {
			t.Fatal("more came out than decomposition explains")
		}
	})
}

// joined is the text of the known pieces.
func joined(table *table, ids []int32) string {
	var text strings.Builder
	for _, id := range ids {
		if id != unknown {
			text.WriteString(strings.TrimPrefix(nameOf(id), continuation))
		}
	}
	return text.String()
}

var pieceNames = sync.OnceValue(func() []string {
	_, pieces, _ := files() // whoever asks has a table made of them
	return strings.Split(strings.TrimSuffix(pieces, "\n"), "\n")
})

func nameOf(id int32) string {
	if id == unknown {
		return "[UNK]"
	}
	return pieceNames()[id]
}

func spelt(t *testing.T, text string) []string {
	t.Helper()
	names := []string{}
	for _, id := range loaded(t).pieces.appendIDs(make([]int32, 0, 500), text) {
		names = append(names, nameOf(id))
	}
	return names
}

func loaded(t *testing.T) *table {
	t.Helper()
	table, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return table
}
