package lambdahttp

import (
	"encoding/json"
	"reflect"
	"testing"
)

// However an answer is read, it is what encoding/json reads; what that refuses is.
func TestAnswersAreThoseOfEncodingJSON(t *testing.T) {
	own, err := encode(response{Status: 200, Headers: map[string]string{"content-type": "application/json"}, Body: "{\"a\":\"<é>\\u0000\"}\n"})
	if err != nil {
		t.Fatal(err)
	}
	for _, payload := range []string{
		string(own), `{"statusCode":204,"headers":{},"body":"","isBase64Encoded":false}`, `{"statusCode":200,"headers":{},"body":"AAE=","isBase64Encoded":true}`,
		`{"statusCode":200,"headers":{"a":"b"},"cookies":["c=d"],"body":"x","isBase64Encoded":false}`, `{"statusCode": 200, "body": "spaced"}`,
		`{"statusCode":200,"body":null,"headers":null}`, `{"statusCode":200,"more":{"a":[1]},"body":"x"}`, `{"StatusCode":201,"BODY":"case"}`, `{}`,
		`{"statusCode":"200"}`, `{"statusCode":200,"body":"x"`, `{"statusCode":2e2}`, `null`, ``, "{\"body\":\"\xff\"}",
	} {
		var want response
		refused := json.Unmarshal([]byte(payload), &want)
		got, err := decode([]byte(payload))
		if (err != nil) != (refused != nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v, %v", payload, got, err, want, refused)
		}
	}
}
