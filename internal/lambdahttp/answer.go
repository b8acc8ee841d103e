package lambdahttp

import (
	"bytes"
	"encoding/json"

	"holdfast/internal/ownjson"
)

// decode reads a function's answer. Those of Wrap, whose bodies are JSON in JSON, are
// read without reflection; any other is left to encoding/json.
func decode(payload []byte) (out response, err error) {
	if r := ownjson.New(string(bytes.TrimSuffix(payload, []byte("\n")))); out.read(r) {
		return out, nil
	}
	out = response{}
	err = json.Unmarshal(payload, &out)
	return out, err
}

func (o *response) read(r *ownjson.Reader) bool {
	for name := range r.Members() {
		switch name {
		case "statusCode":
			o.Status = int(r.Int())
		case "headers":
			if o.Headers == nil {
				o.Headers = map[string]string{}
			}
			for key := range r.Members() {
				o.Headers[key] = r.Text()
			}
		case "body":
			o.Body = r.Text()
		case "isBase64Encoded":
			o.Base64 = r.Bool()
		default: // cookies
			r.Fail()
		}
	}
	return r.Whole()
}
