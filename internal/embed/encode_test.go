package embed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestEncodedVectorsKeepDirectionAndLength(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		vector := make([]float32, 256)
		for i := range vector {
			vector[i] = float32(random.NormFloat64())
		}
		Normalize(vector)
		packed := Encode(vector)
		if len(packed) != 4+len(vector) {
			t.Fatalf("%d bytes", len(packed))
		}
		unpacked, err := Decode(packed, len(vector))
		if err != nil {
			t.Fatal(err)
		}
		if cosine := Cosine(vector, unpacked); cosine < .9998 { // cos 1° = .99985
			t.Errorf("cosine %v", cosine)
		}
		if length := norm(unpacked); math.Abs(length-1) > 1e-6 {
			t.Errorf("length %v", length)
		}
	}
}

func TestEncodedEdges(t *testing.T) {
	for name, c := range map[string]struct{ vector, want []float32 }{
		"no dimension":  {nil, []float32{}},
		"zero":          {[]float32{0, 0, 0}, []float32{0, 0, 0}},
		"one component": {[]float32{0, -1, 0}, []float32{0, -1, 0}},
		"not unit":      {[]float32{300, -300}, []float32{300, -300}},
		"NaN":           {[]float32{1, notFinite[0]}, []float32{0, 0}},
		"infinite":      {[]float32{1, notFinite[1]}, []float32{0, 0}},
		"huge":          {[]float32{math.MaxFloat32, 0}, []float32{0, 0}},
		"tiny":          {[]float32{math.SmallestNonzeroFloat32, 0}, []float32{0, 0}},
	} {
		got, err := Decode(Encode(c.vector), len(c.vector))
		if err != nil || !slices.EqualFunc(got, c.want, func(x, y float32) bool {
			return math.Abs(float64(x-y)) <= 1e-6*math.Abs(float64(y))
		}) {
			t.Errorf("%s: %v, error %v", name, got, err)
		}
	}
}

func TestForeignBytesAreNotDecoded(t *testing.T) {
	sound := Encode([]float32{.6, .8})
	with := func(place int, b ...byte) []byte {
		changed := slices.Clone(sound)
		copy(changed[place:], b)
		return changed
	}
	for name, c := range map[string]struct {
		packed    []byte
		dimension int
	}{
		"empty":              {nil, 2},
		"cut":                {sound[:5], 2},
		"longer":             {append(slices.Clone(sound), 0), 2},
		"another dimension":  {sound, 3},
		"negative dimension": {sound, -1},
		"scale NaN":          {with(0, scaleBytes(notFinite[0])...), 2},
		"scale infinite":     {with(0, scaleBytes(notFinite[1])...), 2},
		"scale negative":     {with(0, scaleBytes(-1)...), 2},
		"scale minus zero":   {with(0, scaleBytes(float32(math.Copysign(0, -1)))...), 2},
		"scale zero":         {with(0, scaleBytes(0)...), 2},
		"scale subnormal":    {with(0, scaleBytes(minScale/2)...), 2},
		"scale too large":    {with(0, scaleBytes(maxScale*1.5)...), 2},
		"step -128":          {with(4, 0x80), 2},
		"no largest step":    {with(5, 126), 2},
	} {
		if vector, err := Decode(c.packed, c.dimension); !errors.Is(err, ErrBadEncoding) || vector != nil {
			t.Errorf("%s: %v, error %v", name, vector, err)
		}
	}
}

// FuzzDecode: what decodes is what Encode makes, to the last bits of the scale.
func FuzzDecode(f *testing.F) {
	for _, vector := range [][]float32{nil, {0}, {1}, {.6, -.8}, {1e-30, 3}, {0, 0, 5, 0}} {
		f.Add(Encode(vector))
	}
	f.Add([]byte{0, 0, 128, 127, 1})
	f.Add([]byte{0, 0, 128, 63, 127, 129, 128})
	f.Fuzz(func(t *testing.T, packed []byte) {
		vector, err := Decode(packed, len(packed)-4)
		if err != nil {
			return
		}
		again := Encode(vector)
		if !bytes.Equal(packed[4:], again[4:]) && scaleOf(packed) > 2*minScale && scaleOf(packed) < maxScale/2 {
			t.Fatalf("%x became %x", packed, again)
		}
	})
}

// FuzzEncode: every vector packs to 4 bytes and one a dimension, and unpacks to
// numbers near it.
func FuzzEncode(f *testing.F) {
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0, 0, 128, 63}, 5))
	f.Add([]byte{0, 0, 192, 127, 1, 0, 0, 0})
	f.Fuzz(func(t *testing.T, raw []byte) {
		vector := make([]float32, len(raw)/4)
		for i := range vector {
			vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
		packed := Encode(vector)
		unpacked, err := Decode(packed, len(vector))
		if err != nil || len(packed) != len(vector)+4 {
			t.Fatalf("%d bytes for %v: %v", len(packed), vector, err)
		}
		if norm(unpacked) == 0 {
			return
		}
		for i, x := range unpacked {
			if math.Abs(float64(x)-float64(vector[i])) > largest(vector)*.01*math.Sqrt(float64(len(vector))) {
				t.Fatalf("component %d: %v became %v", i, vector[i], x)
			}
		}
	})
}

func scaleOf(packed []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(packed)) }

func scaleBytes(scale float32) []byte {
	return binary.LittleEndian.AppendUint32(nil, math.Float32bits(scale))
}
