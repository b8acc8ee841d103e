package embed

import "math"

// Dot is the inner product of two vectors of one profile, which for unit
// vectors is their cosine. Vectors of different lengths have nothing in common:
// the answer is 0. It is the inner loop of vector search, so it sums in float32
// over four lanes; for unit vectors it is within 1e-6 of Cosine. Products are
// rounded before they are added: no processor fuses the two and all agree.
func Dot(a, b []float32) float32 {
	if len(a) != len(b) {
		return 0
	}
	var s0, s1, s2, s3 float32
	for len(a) >= 4 && len(b) >= 4 {
		s0 += float32(a[0] * b[0])
		s1 += float32(a[1] * b[1])
		s2 += float32(a[2] * b[2])
		s3 += float32(a[3] * b[3])
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += float32(a[i] * b[i])
	}
	return s0 + s1 + s2 + s3
}

// Cosine is the cosine of the angle between two vectors of any length, from -1
// to 1. It is 0 when either is the zero vector, when their dimensions differ or
// when a component is not a finite number: such texts are never alike.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var ab, aa, bb float64
	for i, x := range a {
		x, y := float64(x), float64(b[i])
		ab += x * y
		aa += x * x
		bb += y * y
	}
	if aa == 0 || bb == 0 || !finite(aa) || !finite(bb) {
		return 0
	}
	return max(-1, min(1, ab/math.Sqrt(aa)/math.Sqrt(bb)))
}

// Normalize scales vector to unit length in place and answers it. The zero
// vector stays zero; a vector with a component that is not a finite number
// becomes the zero vector, which matches nothing.
func Normalize(vector []float32) []float32 {
	length := norm(vector)
	if length == 0 {
		clear(vector)
		return vector
	}
	for i, x := range vector {
		vector[i] = float32(float64(x) / length)
	}
	return vector
}

// norm is the Euclidean length, 0 for vectors that have none.
func norm(vector []float32) float64 {
	var sum float64
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	if !finite(sum) {
		return 0
	}
	return math.Sqrt(sum)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
