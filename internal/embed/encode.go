package embed

import (
	"encoding/binary"
	"errors"
	"math"
)

// ErrBadEncoding: the bytes are not what Encode makes for the dimension.
var ErrBadEncoding = errors.New("embed: not an encoded vector of this dimension")

const (
	scaleSize = 4   // bytes of the scale, a float32, little-endian
	topStep   = 127 // what the largest component becomes
	// Between these bounds steps times scale stay normal float32 numbers.
	minScale = 0x1p-126
	maxScale = math.MaxFloat32 / (topStep + 1)
)

// Encode packs a vector for storage: a float32 scale, then one int8 a dimension,
// 4 + dimension bytes. The vector's largest component becomes 127 or -127, and the
// scale gives the decoded vector the length that the vector had, so a unit vector
// stays one. Directions move by less than a degree. A vector with a component
// that is no finite number, or whose scale is no normal float32, is packed as the
// zero vector.
func Encode(vector []float32) []byte {
	packed := make([]byte, scaleSize+len(vector))
	length, largest := norm(vector), largest(vector)
	if length == 0 {
		return packed
	}
	var squares float64
	for i, x := range vector {
		step := math.RoundToEven(float64(x) / largest * topStep)
		squares += step * step
		packed[scaleSize+i] = byte(int8(step))
	}
	scale := length / math.Sqrt(squares)
	if scale < minScale || scale > maxScale {
		clear(packed)
		return packed
	}
	binary.LittleEndian.PutUint32(packed, math.Float32bits(float32(scale)))
	return packed
}

// Decode unpacks what Encode made for vectors of the dimension. Anything else,
// such as the bytes of another profile, is ErrBadEncoding.
func Decode(packed []byte, dimension int) ([]float32, error) {
	if dimension < 0 || len(packed) != scaleSize+dimension {
		return nil, ErrBadEncoding
	}
	bits := binary.LittleEndian.Uint32(packed)
	scale := math.Float32frombits(bits)
	vector := make([]float32, dimension)
	var top int
	for i, b := range packed[scaleSize:] {
		step := int(int8(b))
		top = max(top, step, -step)
		vector[i] = scale * float32(step)
	}
	zero := bits == 0 && top == 0
	if !zero && (top != topStep || !(scale >= minScale && scale <= maxScale)) {
		return nil, ErrBadEncoding
	}
	return vector, nil
}

// largest is the greatest absolute component.
func largest(vector []float32) float64 {
	var top float64
	for _, x := range vector {
		top = max(top, math.Abs(float64(x)))
	}
	return top
}
