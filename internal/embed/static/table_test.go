package static

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"
)

// The README's provenance is of the very bytes that are built in.
func TestReadmeNamesTheTablesChecksums(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	table, pieces, err := files()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{TableName: table, PiecesName: pieces} {
		sum := sha256.Sum256([]byte(content))
		if !strings.Contains(string(readme), hex.EncodeToString(sum[:])) {
			t.Errorf("README.md lacks the checksum of %s, %x", name, sum)
		}
	}
}

func TestDamagedTablesAreRefused(t *testing.T) {
	const pieces = "salt\n##y\n"
	row := strings.Repeat("\x01", dimension)
	head := magic + "\x02\x00\x00\x00\x00\x01\x00\x00"
	factors := "\x00\x00\x80\x3f\x00\x00\x00\x40" // 1 and 2
	good := head + factors + row + row
	if _, err := parse(good, pieces); err != nil {
		t.Fatalf("the sound table: %v", err)
	}
	for name, c := range map[string]struct{ file, pieces string }{
		"empty":               {"", pieces},
		"no pieces":           {good, ""},
		"one piece too many":  {good, pieces + "s\n"},
		"cut":                 {good[:len(good)-1], pieces},
		"cut in the head":     {good[:10], pieces},
		"longer":              {good + "\x00", pieces},
		"another format":      {"HFTABLE2" + good[len(magic):], pieces},
		"another dimension":   {magic + "\x02\x00\x00\x00\x00\x02\x00\x00" + good[headerSize:], pieces},
		"count of another":    {magic + "\x03\x00\x00\x00\x00\x01\x00\x00" + good[headerSize:], pieces},
		"factor not a number": {head + "\x00\x00\xc0\x7f" + good[headerSize+4:], pieces},
		"factor infinite":     {head + "\x00\x00\x80\x7f" + good[headerSize+4:], pieces},
		"factor zero":         {head + "\x00\x00\x00\x00" + good[headerSize+4:], pieces},
	} {
		if _, err := parse(c.file, c.pieces); !errors.Is(err, errDamaged) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestWeightlessPieces(t *testing.T) {
	for piece, want := range map[string]bool{
		"the": true, "'": true, "ll": true, "...": true, "##−": true, "$": true, "##": true,
		"ship": false, "##the": false, "not": false, "never": false, "7": false, "°c": false, "京": false,
	} {
		if got := weightless(piece); got != want {
			t.Errorf("%q: weightless %v", piece, got)
		}
	}
}

// A stop word that the pieces cannot spell in one would be there for nothing.
func TestEveryStopWordIsAPiece(t *testing.T) {
	table := loaded(t)
	for word := range stopWords {
		if _, found := table.pieces.starts[word]; !found {
			t.Errorf("%q is no piece", word)
		}
	}
}
