package openai

import (
	"errors"
	"strings"
	"testing"

	"holdfast/internal/llm"
)

// The complaints of addresses about what they do not take.
const (
	noSchemas      = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
	noFormats      = `[{"type":"literal_error","loc":["body","response_format","type"],"msg":"Input should be 'text' or 'json_object'"}]`
	noMaxTokens    = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
	noTemperatures = "Unsupported value: 'temperature' does not support 0 with this model."
)

// TestWhatAnAddressDoesNotTakeIsLeftOut at the next try and in later tasks.
func TestWhatAnAddressDoesNotTakeIsLeftOut(t *testing.T) {
	for name, c := range map[string]struct {
		replies []reaction
		form    form
	}{
		"json_schema":       {[]reaction{complains(400, noSchemas)}, form{noSchema: true}},
		"json_schema, 422":  {[]reaction{complains(422, noFormats)}, form{noSchema: true}},
		"its bare name":     {[]reaction{complains(400, "json_schema is unknown")}, form{noSchema: true}},
		"max_tokens":        {[]reaction{complains(400, noMaxTokens)}, form{noMaxTokens: true}},
		"temperature":       {[]reaction{complains(400, noTemperatures)}, form{noTemperature: true}},
		"all, each by each": {[]reaction{complains(400, noTemperatures), complains(400, noSchemas), complains(400, noMaxTokens)}, form{true, true, true}},
	} {
		d := newDouble(t, c.replies...)
		m := modelFor(t, d)
		mustComplete(t, m)
		mustComplete(t, m)
		seen := d.seen()
		if len(seen) != len(c.replies)+2 {
			t.Fatalf("%s: asked %d times", name, len(seen))
		}
		for _, r := range seen[len(c.replies):] {
			if got := formOf(r); got != c.form {
				t.Errorf("%s: form %+v", name, got)
			}
		}
		if first := formOf(seen[0]); first != (form{}) {
			t.Errorf("%s: the first form is %+v", name, first)
		}
	}
}

// formOf reads the form from a request, and wants every part that is not left out.
func formOf(r request) form {
	system := r.Messages[0].Content
	told := strings.HasSuffix(system, "The JSON Schema of the answer:\n"+`{"type":"object","properties":{"kept":{"type":"string","description":"At most 9 characters."}},"required":["kept"],"additionalProperties":false}`)
	return form{
		noSchema:    r.Format.Type == "json_object" && r.Format.Schema == nil && told,
		noMaxTokens: r.MaxTokens == 0 && r.MaxAnswer == 99, noTemperature: r.Temperature == nil,
	}
}

// TestAFormIsKeptWhenItIsTaken only: what an address complains about in another way
// proves nothing.
func TestAFormIsKeptWhenItIsTaken(t *testing.T) {
	for name, c := range map[string]struct {
		second reaction
		want   error
	}{
		"complains again": {complains(400, noSchemas), llm.ErrRefused}, "complains of something else": {complains(400, "marzipan"), llm.ErrRefused},
		"busy": {status(429), llm.ErrUnavailable},
	} {
		d := newDouble(t, complains(400, noSchemas), c.second)
		m := modelFor(t, d)
		_, err := m.Complete(t.Context(), testTask)
		if !errors.Is(err, c.want) || len(d.seen()) != 2 {
			t.Errorf("%s: %v, asked %d times", name, err, len(d.seen()))
		}
		quiet(t, err)
		if mustComplete(t, m); formOf(d.seen()[2]) != (form{}) {
			t.Errorf("%s: the form is kept", name)
		}
	}
}
