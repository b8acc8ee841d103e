package memsearch

import "math"

// A vector is kept as whole steps, one a dimension, as the table keeps it
// (embed.Encode): its largest component is 127 steps or -127. Steps stand as bytes
// with 128 added, eight in a word, the first dimension lowest; what is left of the
// last word is zero.
const (
	topStep  = 127
	stepBias = 128
	perWord  = 8
)

// steps is a vector's direction.
type steps struct {
	words []uint64
	rowNumbers
}

// rowNumbers are what a cosine needs beside the steps.
type rowNumbers struct {
	scale float32 // of a step, so that the vector has length 1
	sum   int32   // of all steps
}

// pack makes steps of a vector; false for one without a direction.
func pack(vector []float32) (steps, bool) {
	largest := 0.0
	for _, x := range vector {
		size := math.Abs(float64(x))
		if math.IsNaN(size) || math.IsInf(size, 0) {
			return steps{}, false
		}
		largest = max(largest, size)
	}
	if largest == 0 {
		return steps{}, false
	}
	out := steps{words: make([]uint64, wordsOf(len(vector)))}
	squares := 0
	for i, x := range vector {
		step := int(math.RoundToEven(float64(x) / largest * topStep))
		squares += step * step
		out.sum += int32(step)
		out.words[i/perWord] |= uint64(step+stepBias) << (8 * (i % perWord))
	}
	out.scale = float32(1 / math.Sqrt(float64(squares)))
	return out, true
}

// wordsOf is how many words hold so many steps.
func wordsOf(dimension int) int { return (dimension + perWord - 1) / perWord }

// probe is a query's vector, prepared for many rows.
type probe struct {
	unit   []float32   // at length 1, zeros up to whole words
	signs  []uint64    // of unit
	fields [][4]uint64 // by word: see product
	scale  float64     // of one step of the query times one of a row
	offset int64       // what biases add to a product, whatever the row
	slack  float64     // most that near is away from cosine
}

// Steps of a query are finer than those of rows, as fine as product can take: 16
// bits with their bias.
const (
	topFine  = 1<<15 - 1
	fineBias = 1 << 15
)

// probeOf prepares a query's vector; nil for one without a direction.
func probeOf(vector []float32) *probe {
	one := unit(vector)
	if one == nil {
		return nil
	}
	words := wordsOf(len(one))
	p := &probe{signs: signs(one), fields: make([][4]uint64, words), unit: make([]float32, words*perWord)}
	copy(p.unit, one)
	largest := 0.0
	for _, x := range one {
		largest = max(largest, math.Abs(float64(x)))
	}
	p.scale = largest / topFine
	sum, lost := 0, 0.0
	for i, x := range one {
		fine := int(math.RoundToEven(float64(x) / p.scale))
		sum += fine
		away := float64(x) - float64(fine)*p.scale
		lost += away * away
		p.field(i, uint64(fine+fineBias))
	}
	p.offset = stepBias * int64(sum+len(one)*fineBias)
	// The inner product of a unit vector with what rounding took from the query is at
	// most the length of that (Cauchy and Schwarz); the rest is rounding of sums.
	p.slack = math.Sqrt(lost) + 1e-6 + float64(len(one))*0x1p-25
	return p
}

// field puts the step of dimension i where product wants it.
func (p *probe) field(i int, biased uint64) {
	word, byteOf := i/perWord, i%perWord
	if byteOf < 4 {
		biased <<= 32 // meets the low one of a pair in the high half of a product
	}
	p.fields[word][byteOf%4] |= biased
}

// blockWords is how many words' products one sum can hold: 32 · 4 products of a
// byte and 16 bits stay below 1<<32.
const blockWords = 32

// product is the inner product of a row's biased steps with the query's. A word
// holds two bytes that are 32 bits apart, a and b, in each of four masks; times
// fields that hold the query's steps for them the other way round, y and x with x
// high, it is (a + b<<32)(y + x<<32), whose high half is ax + by, and nothing is
// carried into it. So one multiplication does the work of two, and sums are taken
// apart once a block. Measured a row of 256: 68 ns, with float32 90, with int8
// and int16 one by one 160.
func (p *probe) product(row []uint64) int64 {
	const pair = 0x000000ff_000000ff
	total := uint64(0)
	fields := p.fields[:len(row)]
	for len(row) > 0 {
		n := min(blockWords, len(row))
		block, of := row[:n], fields[:n]
		var s, t uint64
		for i, x := range block {
			f := &of[i]
			s += (x&pair)*f[0] + (x>>16&pair)*f[2]
			t += (x>>8&pair)*f[1] + (x>>24&pair)*f[3]
		}
		total += s>>32 + t>>32
		row, fields = row[n:], fields[n:]
	}
	return int64(total)
}

// near is a row's cosine but for at most slack, in whole numbers and fast.
func (p *probe) near(row []uint64, n rowNumbers) float64 {
	return float64(p.product(row)-p.offset-fineBias*int64(n.sum)) * p.scale * float64(n.scale)
}

// cosine is a row's cosine, held between -1 and 1 against rounding. Products are
// rounded before they are added, so that it is the same on every machine.
func (p *probe) cosine(row []uint64, n rowNumbers) float64 {
	var s0, s1, s2, s3 float32
	q := p.unit
	for _, x := range row {
		of := q[:perWord]
		q = q[perWord:]
		s0 += float32(stepOf(x)*of[0]) + float32(stepOf(x>>32)*of[4])
		s1 += float32(stepOf(x>>8)*of[1]) + float32(stepOf(x>>40)*of[5])
		s2 += float32(stepOf(x>>16)*of[2]) + float32(stepOf(x>>48)*of[6])
		s3 += float32(stepOf(x>>24)*of[3]) + float32(stepOf(x>>56)*of[7])
	}
	return max(-1, min(1, float64(s0+s1+s2+s3)*float64(n.scale)))
}

// stepOf is the step in a word's lowest byte. What is left of a last word reads as
// -128, and is multiplied by zeros of the query.
func stepOf(word uint64) float32 { return float32(int8(word ^ stepBias)) }

// unit answers the vector at length 1; nil for one without a direction.
func unit(vector []float32) []float32 {
	var sum float64
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil
	}
	length := math.Sqrt(sum)
	out := make([]float32, len(vector))
	for i, x := range vector {
		out[i] = float32(float64(x) / length)
	}
	return out
}
