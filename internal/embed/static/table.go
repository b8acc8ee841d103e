package static

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"sync"
	"unicode"
)

// The layout is in README.md. The files stay uncompressed: int8 rows shrink by
// a tenth only, and unpacking would cost more than all the rest of reading them.
const (
	magic      = "HFTABLE1"
	dimension  = 256
	headerSize = len(magic) + 8
)

var errDamaged = errors.New("the table is damaged")

// table is the model: piece i contributes factors[i] times its row of int8.
type table struct {
	pieces  *vocabulary
	factors []float32
	rows    string
}

// load reads the table once; all callers share it and none writes it.
var load = sync.OnceValues(func() (*table, error) { return read(files) })

// read makes a table of what a source answers.
func read(source func() (file, pieces string, err error)) (*table, error) {
	file, pieces, err := source()
	if err != nil {
		return nil, err
	}
	return parse(file, pieces)
}

// parse reads a table and the pieces that name its rows.
func parse(file, pieces string) (*table, error) {
	names := strings.Split(strings.TrimSuffix(pieces, "\n"), "\n")
	if len(file) < headerSize || file[:len(magic)] != magic {
		return nil, errDamaged
	}
	count, width := number(file[len(magic):]), number(file[len(magic)+4:])
	if int(count) != len(names) || width != dimension || len(file) != headerSize+len(names)*(4+dimension) {
		return nil, errDamaged
	}
	factors, err := readFactors(file[headerSize:], names)
	if err != nil {
		return nil, err
	}
	rows := file[headerSize+4*len(names):]
	return &table{pieces: newVocabulary(names), factors: factors, rows: rows}, nil
}

// readFactors reads the rows' factors and clears those of pieces without weight.
func readFactors(file string, names []string) ([]float32, error) {
	factors := make([]float32, len(names))
	for i, name := range names {
		factor := math.Float32frombits(number(file[4*i:]))
		if !(factor > 0) || factor > math.MaxFloat32 {
			return nil, errDamaged
		}
		if !weightless(name) {
			factors[i] = factor
		}
	}
	return factors, nil
}

func number(s string) uint32 { return binary.LittleEndian.Uint32([]byte(s[:4])) }

// weightless tells whether a piece says nothing about a text's subject: stop
// words, what clitics leave, punctuation and symbols.
func weightless(piece string) bool {
	if stopWords[piece] {
		return true
	}
	letters := strings.TrimPrefix(piece, continuation)
	return strings.IndexFunc(letters, func(r rune) bool {
		return !unicode.IsPunct(r) && !unicode.IsSymbol(r)
	}) < 0
}
