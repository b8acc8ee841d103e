package httpapi

import (
	"strings"

	"holdfast/internal/errs"
)

// v0Path begins the paths whose errors have a form of their own.
const v0Path = "/v0/"

// v0Error is the error object of the facts family (R3.1).
type v0Error struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// v0Codes are the codes that have another name there.
var v0Codes = map[string]string{
	"VALIDATION_FAILED": "invalid_request", "MALFORMED_JSON": "invalid_request", "UNAUTHENTICATED": "unauthorized",
}

func v0Code(code string) string {
	if other, named := v0Codes[code]; named {
		return other
	}
	return strings.ToLower(code)
}

// v0Problem says what is wrong in the one sentence that the form has room for:
// fields and a missing capability are named in it.
func v0Problem(e *errs.Error) v0Error {
	var body v0Error
	body.Error.Code = v0Code(e.Code)
	message := []string{e.Public}
	if len(e.Fields) > 0 {
		message[0] = "The request breaks a rule." // there is no member errors to see
	}
	for _, f := range e.Fields {
		if f.Pointer != "" {
			message = append(message, strings.TrimPrefix(f.Pointer, "/")+" "+f.Rule+".")
		}
	}
	if name, ok := e.Extra["capability"].(string); ok {
		message = append(message, "It is "+name+".")
	}
	body.Error.Message = strings.Join(message, " ")
	return body
}
