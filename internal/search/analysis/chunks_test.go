package analysis

import (
	"slices"
	"strings"
	"testing"
)

func TestChunksAreCutAtSentenceEnds(t *testing.T) {
	long := strings.Repeat("Red kites circle above old quarry walls. ", 40)
	per := len(Tokens("Red kites circle above old quarry walls."))
	for i, chunk := range Chunks(long) {
		if len(chunk) > ChunkTokens || len(chunk)%per != 0 {
			t.Errorf("chunk %d has %d tokens, sentences have %d", i, len(chunk), per)
		}
	}
	if got, want := slices.Concat(Chunks(long)...), Tokens(long); !slices.Equal(got, want) {
		t.Errorf("chunks hold %d tokens, the text %d", len(got), len(want))
	}
}

func TestChunksCutASentenceThatIsTooLong(t *testing.T) {
	chunks := Chunks("Short start. " + strings.Repeat("pebble ", 300) + ". Short end.")
	var sizes []int
	for _, chunk := range chunks {
		sizes = append(sizes, len(chunk))
	}
	if want := []int{2, 128, 128, 46}; !slices.Equal(sizes, want) {
		t.Errorf("sizes %v, want %v", sizes, want)
	}
}

func TestChunksOfShortTextIsOne(t *testing.T) {
	for _, text := range []string{"", "the", "One. Two. Three."} {
		if got := Chunks(text); len(got) != 1 {
			t.Errorf("Chunks(%q) = %q", text, got)
		}
	}
}

func TestSentences(t *testing.T) {
	got := Sentences(" Dr.Who paid 3.5. Why?\nNo\n\n仓库关。明天开！ ")
	want := []string{"Dr.Who paid 3.5.", "Why?", "No", "仓库关。", "明天开！"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
