package memsearch

import "math/bits"

// signs answers one bit a dimension: whether the vector, turned by a fixed random
// rotation, is positive there. Of two vectors as many bits differ as the angle
// between them says (Charikar, "Similarity estimation techniques from rounding
// algorithms", 2002). The rotation spreads what a model keeps in few dimensions
// over all of them; without it the shortlist loses three times as much.
func signs(vector []float32) []uint64 {
	turned := rotate(vector)
	code := make([]uint64, (len(turned)+63)/64)
	for i, x := range turned {
		if x > 0 {
			code[i/64] |= 1 << (i % 64)
		}
	}
	return code
}

// rotate flips the signs of half of the dimensions and applies the Walsh-Hadamard
// transform, which is a rotation but for its scale, over the next power of two.
func rotate(vector []float32) []float32 {
	size := 1
	for size < len(vector) {
		size *= 2
	}
	out := make([]float32, size)
	for i, x := range vector {
		if flips(i) {
			x = -x
		}
		out[i] = x
	}
	for half := 1; half < size; half *= 2 {
		for start := 0; start < size; start += 2 * half {
			low, high := out[start:start+half], out[start+half:start+2*half]
			for i, a := range low {
				b := high[i]
				low[i], high[i] = a+b, a-b
			}
		}
	}
	return out
}

// flips is a fixed coin for a dimension: the parity of its product with the
// golden ratio's bits.
func flips(i int) bool {
	const golden = 0x9e3779b97f4a7c15
	return bits.OnesCount64(uint64(i+1)*golden)%2 == 1
}
