package awsconf_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"holdfast/internal/awsconf"
	"holdfast/internal/awsconf/signtest"
)

// secrets is a double of Secrets Manager that answers in turn.
func secrets(t *testing.T, answers ...func(w http.ResponseWriter)) (read func() (string, error), asked *int) {
	t.Helper()
	asked = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := signtest.Check(r, "secretsmanager"); err != nil {
			t.Error(err)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != `{"SecretId":"the-name"}` || r.Header.Get("X-Amz-Target") != "secretsmanager.GetSecretValue" {
			t.Errorf("%s, %v", body, err)
		}
		*asked++ // before the answer, which lets the test go on
		answers[min(*asked, len(answers))-1](w)
	}))
	t.Cleanup(server.Close)
	return func() (string, error) {
		return awsconf.Secret(t.Context(), signtest.Config(server.URL, awsconf.NewClient()), "the-name")
	}, asked
}

func says(status int, body string) func(w http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestASecretIsReadWithASignedCall(t *testing.T) {
	read, asked := secrets(t, says(200, `{"Name":"the-name","SecretString":"kanarya"}`))
	if value, err := read(); err != nil || value != "kanarya" || *asked != 1 {
		t.Errorf("%q, %v after %d", value, err, *asked)
	}
}

func TestReadingASecretIsTriedAgain(t *testing.T) {
	read, asked := secrets(t, says(500, ""), says(429, ""), says(200, `{"SecretString":"kanarya"}`))
	if value, err := read(); err != nil || value != "kanarya" || *asked != 3 {
		t.Errorf("%q, %v after %d", value, err, *asked)
	}
	read, asked = secrets(t, says(503, "kanarya"))
	if _, err := read(); err == nil || *asked != 3 || strings.Contains(err.Error(), "kanarya") {
		t.Errorf("%v after %d", err, *asked)
	}
}

func TestT29ASecretThatCannotBeReadIsNotShown(t *testing.T) {
	for _, answer := range []func(w http.ResponseWriter){
		says(400, `{"__type":"AccessDeniedException","Message":"kanarya"}`), says(200, `{"SecretBinary":"kanarya"}`), says(200, "kanarya"),
	} {
		read, asked := secrets(t, answer)
		if value, err := read(); err == nil || value != "" || *asked != 1 || strings.Contains(err.Error(), "kanarya") {
			t.Errorf("%q, %v after %d", value, err, *asked)
		}
	}
}

func TestSecretsHaveAnEndpointOfTheirOwn(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { says(200, `{"SecretString":"x"}`)(w) }))
	defer server.Close()
	c := load(t, nil, append(function, "AWS_ENDPOINT_URL", "http://127.0.0.1:1", "AWS_ENDPOINT_URL_SECRETS_MANAGER", server.URL)...)
	if value, err := awsconf.Secret(t.Context(), c, "n"); err != nil || value != "x" {
		t.Errorf("%q, %v", value, err)
	}
}
