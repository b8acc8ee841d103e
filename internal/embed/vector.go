package embed

import "math"

// previousWeight is the share of the turn before in an item's vector. Design,
// retrieval section 3: a turn of a conversation often holds only the answer,
// and the words of its question stand in the turn before.
const previousWeight = 0.3

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

// WithPrevious is the vector of an item within its conversation:
// unit(unit(own) + 0.3 · unit(previous)), where previous is the vector of the
// item before it in the session. Both arguments stay as they are. Without a
// previous item (nil or zero) it is unit(own); an own vector of zero stays zero,
// so a text with nothing to embed is never found by its neighbour's words.
// Do not use it where items are a user's and an assistant's: there the long
// answers drown the turn (design, retrieval section 2.2).
func WithPrevious(own, previous []float32) []float32 {
	mixed := Normalize(append([]float32(nil), own...))
	length := norm(previous)
	if length == 0 || len(own) != len(previous) || norm(own) == 0 {
		return mixed
	}
	for i, x := range previous {
		mixed[i] += float32(previousWeight * float64(x) / length)
	}
	return Normalize(mixed)
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
