package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"holdfast/internal/errs"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxPooled is the largest buffer that is kept for another answer.
const maxPooled = 1 << 20

// finish writes the answer, or the problem of an error, and the request's log line.
func (x *exchange) finish(out answer, err error) {
	var shown *errs.Error
	code := out.status
	if err == nil {
		code, err = x.reply(out)
	}
	if err != nil {
		shown = asError(err)
		code = x.refuse(shown)
	}
	x.log(code, shown)
}

// reply writes a success.
func (x *exchange) reply(out answer) (int, error) {
	code := out.status
	if code == 0 {
		code = x.route.Success
	}
	if out.empty || code == http.StatusNoContent || code == http.StatusNotModified {
		x.head(out.header)
		x.w.WriteHeader(code)
		return code, nil
	}
	if ready, ok := out.body.(json.RawMessage); ok {
		x.head(out.header)
		x.send(code, "application/json", ready)
		return code, nil
	}
	return code, x.encode(code, "application/json", out.body, out.header)
}

// encode writes a body as JSON. Nothing is sent when it cannot be written.
func (x *exchange) encode(code int, media string, body any, header http.Header) error {
	buffer := buffers.Get().(*bytes.Buffer)
	buffer.Reset()
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		return err
	}
	x.head(header)
	x.send(code, media, buffer.Bytes())
	if buffer.Cap() <= maxPooled {
		buffers.Put(buffer)
	}
	return nil
}

// head copies the endpoint's headers; answers are nobody's to keep unless the
// endpoint says otherwise.
func (x *exchange) head(header http.Header) {
	to := x.w.Header()
	for name, values := range header {
		to[http.CanonicalHeaderKey(name)] = values
	}
	if to["Cache-Control"] == nil {
		to["Cache-Control"] = []string{"no-store"}
	}
}

func (x *exchange) send(code int, media string, body []byte) {
	header := x.w.Header()
	if header["Content-Type"] == nil {
		header["Content-Type"] = []string{media}
	}
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	x.w.WriteHeader(code)
	// A write fails only when the caller is gone; nobody is left to tell.
	_, _ = x.w.Write(body)
}

// refuse writes a problem.
func (x *exchange) refuse(e *errs.Error) int {
	code := status(e.Kind, x.route.BadInput)
	headersOf(e, x.w.Header())
	media, body := problemType, problem(e, code, x.call.RequestID)
	if x.v0 {
		media, body = "application/json", v0Problem(e)
	}
	if err := x.encode(code, media, body, nil); err != nil {
		plain := problem(errs.New(e.Kind, e.Code, e.Public), code, x.call.RequestID)
		_ = x.encode(code, problemType, plain, nil) // fixed members of text always encode
	}
	return code
}
