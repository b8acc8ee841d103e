package lambdahttp

import (
	"encoding/json"
	"errors"
	"maps"
	"net"
	"net/http"
	"strconv"

	"holdfast/internal/clock"
	"holdfast/internal/ids"
)

// requestIDs names the requests that no function gets to see.
var requestIDs = ids.NewSource(clock.System{}.Now, nil)

// refusal is a problem (RFC 9457) that is answered before or instead of a function.
type refusal struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Detail    string `json:"detail"`
	Code      string `json:"code"`
	RequestID string `json:"requestId"`
}

// Problem makes the header and body of a refusal, with a Request-Id of its own: for
// requests that reach no function.
func Problem(status int, code, detail string) (http.Header, []byte) {
	p := refusal{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail, Code: code, RequestID: requestIDs.New()}
	body, err := json.Marshal(p)
	if err != nil {
		body = nil // members of text always encode
	}
	return http.Header{
		"Content-Type": {"application/problem+json"}, "Cache-Control": {"no-store"},
		"Content-Length": {strconv.Itoa(len(body))}, "Request-Id": {p.RequestID},
	}, body
}

// refuse answers a problem.
func refuse(w http.ResponseWriter, status int, code, detail string) {
	header, body := Problem(status, code, detail)
	maps.Copy(w.Header(), header)
	w.WriteHeader(status)
	_, _ = w.Write(body) // the caller may be gone
}

// broken is API Gateway's answer to a function that fails.
func broken(w http.ResponseWriter) {
	refuse(w, http.StatusInternalServerError, "INTERNAL", "Something went wrong on our side.")
}

// unread answers a body that did not arrive as it was announced: nothing was done.
func (f front) unread(w http.ResponseWriter, r *http.Request, err error) {
	w.Header().Set("Connection", "close")
	var slow net.Error
	switch {
	case r.ContentLength >= int64(f.limit):
		refuse(w, http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE", "The body is over the limit of this call.")
	case errors.As(err, &slow) && slow.Timeout():
		refuse(w, http.StatusRequestTimeout, "REQUEST_TIMEOUT", "The body did not arrive in time; nothing was done.")
	default:
		refuse(w, f.badInput, "VALIDATION_FAILED", "The body broke off or its chunks are malformed; nothing was done.")
	}
}
