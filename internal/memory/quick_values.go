package memory

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/valyala/fastjson"
)

// parsers keep the memory that they read into. What is in it is copied out: the next
// document goes over it.
var parsers fastjson.ParserPool

// quick reads the values of one document. Once it meets what it does not expect, null
// too, it has failed, and what it answered counts for nothing.
type quick struct{ failed bool }

// failedOn takes down an error of the parser.
func (q *quick) failedOn(err error) bool {
	q.failed = q.failed || err != nil
	return err != nil
}

// document parses a whole document; nil where that failed.
func (q *quick) document(p *fastjson.Parser, doc []byte) *fastjson.Value {
	if !readAlike(doc) {
		q.failed = true
		return nil
	}
	v, err := p.ParseBytes(doc)
	q.failedOn(err)
	return v
}

// readAlike tells a document that fastjson reads as encoding/json does. Its parser
// takes what is no JSON, its validation overlooks a control character before an escape,
// and neither replaces broken UTF-8 or halves of surrogate pairs. json.Marshal writes
// none of these.
func readAlike(doc []byte) bool {
	for _, b := range doc {
		if b < ' ' {
			return false
		}
	}
	return utf8.Valid(doc) && !bytes.Contains(doc, []byte(`\ud`)) && !bytes.Contains(doc, []byte(`\uD`)) &&
		fastjson.ValidateBytes(doc) == nil
}

// members calls each with an object's members, in their order, the same name twice
// where it is there twice.
func (q *quick) members(v *fastjson.Value, each func(name []byte, v *fastjson.Value)) {
	if q.failed {
		return
	}
	if o, err := v.Object(); !q.failedOn(err) {
		o.Visit(each)
	}
}

func (q *quick) text(v *fastjson.Value) string {
	text, err := v.StringBytes()
	q.failedOn(err)
	return string(text)
}

func (q *quick) yes(v *fastjson.Value) bool {
	yes, err := v.Bool()
	q.failedOn(err)
	return yes
}

// whole reads a number that is written without fraction and exponent.
func (q *quick) whole(v *fastjson.Value) int64 {
	n, err := v.Int64()
	q.failedOn(err)
	return n
}

// number reads a number to the nearest float64, which fastjson's own reading may miss
// by a step.
func (q *quick) number(v *fastjson.Value) float64 {
	n, err := strconv.ParseFloat(string(v.MarshalTo(nil)), 64)
	q.failedOn(err)
	return n
}

// time reads an instant from what stands in the document, as encoding/json does: with
// an escape in it, it is none.
func (q *quick) time(v *fastjson.Value) (at time.Time) {
	var room [len(`"` + time.RFC3339Nano + `"`)]byte
	raw := v.MarshalTo(room[:0])
	if raw[0] != '"' || at.UnmarshalJSON(raw) != nil {
		q.failed = true
	}
	return at
}

// bytes reads base64.
func (q *quick) bytes(v *fastjson.Value) []byte {
	text, err := v.StringBytes()
	if q.failedOn(err) {
		return nil
	}
	out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(out, text)
	q.failedOn(err)
	return out[:n]
}
