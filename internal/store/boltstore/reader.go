package boltstore

import "encoding/binary"

// reader takes an encoding apart. After the first thing that is not there it is
// bad and answers zeros.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) take(n int) []byte {
	if r.bad || n < 0 || n > len(r.rest) {
		r.bad = true
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) byte() byte {
	b := r.take(1)
	if b == nil {
		return 0
	}
	return b[0]
}

func (r *reader) fixed() uint64 {
	b := r.take(8)
	if b == nil {
		return 0
	}
	return binary.BigEndian.Uint64(b)
}

func (r *reader) length() int {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > 1<<30 {
		r.bad = true
		return 0
	}
	r.rest = r.rest[size:]
	return int(n)
}

// textReader is a reader whose pieces share one string.
type textReader struct {
	rest string
	bad  bool
}

func (r *textReader) take(n int) string {
	if r.bad || n > len(r.rest) {
		r.bad = true
		return ""
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *textReader) byte() byte {
	b := r.take(1)
	if b == "" {
		return 0
	}
	return b[0]
}

func (r *textReader) text() string { return r.take(r.length()) }

func (r *textReader) length() int {
	n := 0
	for shift := 0; shift < 30; shift += 7 {
		b := r.byte()
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	r.bad = true
	return 0
}
