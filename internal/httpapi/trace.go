package httpapi

import (
	"net/http"
	"strings"
)

// trace is a caller's trace context (https://www.w3.org/TR/trace-context/,
// section 3.2); the zero trace is none.
type trace struct{ id, parent, flags string }

// readTrace reads traceparent; what does not follow the form is ignored (T.11).
func readTrace(header http.Header) trace {
	values := header[headerTrace]
	if len(values) != 1 || len(values[0]) < 55 {
		return trace{}
	}
	v := values[0]
	if v[2] != '-' || v[35] != '-' || v[52] != '-' {
		return trace{}
	}
	version, t := v[:2], trace{id: v[3:35], parent: v[36:52], flags: v[53:55]}
	later := len(v) > 55 && (version == "00" || v[55] != '-')
	if later || !lowerHex(version) || version == "ff" || !lowerHex(t.flags) || !some(t.id) || !some(t.parent) {
		return trace{}
	}
	return t
}

// next is the traceparent of our answer: the caller's trace, our own span, which
// is the random end of the request's id.
func (t trace) next(requestID string) string {
	span := strings.ReplaceAll(requestID, "-", "")[16:]
	return "00-" + t.id + "-" + span + "-" + t.flags
}

func some(s string) bool { return lowerHex(s) && strings.Trim(s, "0") != "" }

func lowerHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
