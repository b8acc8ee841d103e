package opensearch

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"holdfast/internal/search"
)

// keys are those of a role whose session has a token.
var keys = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "secretexample", SessionToken: "tokenexample"}, nil
})

func signed(c *Config) {
	c.Credentials, c.Region, c.URL = keys, "eu-west-1", "https://search-x.eu-west-1.es.amazonaws.com"
}

var authorization = regexp.MustCompile(`^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/(\d{8})/eu-west-1/es/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$`)

// verify computes the signature of a request anew (AWS, "Signature Version 4
// signing process"): canonical request, string to sign, derived key.
func verify(r *http.Request, body []byte) error {
	m := authorization.FindStringSubmatch(r.Header.Get("Authorization"))
	if m == nil {
		return errors.New("no such header: " + r.Header.Get("Authorization"))
	}
	day, names := m[1], strings.Split(m[2], ";")
	for _, needed := range []string{"host", "x-amz-date", "x-amz-security-token", "x-amz-content-sha256"} {
		if !slices.Contains(names, needed) {
			return fmt.Errorf("%s is not signed", needed)
		}
	}
	sum := sha256.Sum256(body)
	if hash := hex.EncodeToString(sum[:]); r.Header.Get("X-Amz-Content-Sha256") != hash {
		return errors.New("the hash is not that of the body")
	}
	canonical := []string{r.Method, r.URL.EscapedPath(), strings.ReplaceAll(r.URL.Query().Encode(), "+", "%20")}
	for _, name := range names {
		canonical = append(canonical, name+":"+header(r, name))
	}
	canonical = append(canonical, "", m[2], hex.EncodeToString(sum[:]))
	digest := sha256.Sum256([]byte(strings.Join(canonical, "\n")))
	scope := day + "/eu-west-1/es/aws4_request"
	text := strings.Join([]string{"AWS4-HMAC-SHA256", r.Header.Get("X-Amz-Date"), scope, hex.EncodeToString(digest[:])}, "\n")
	key := []byte("AWS4secretexample")
	for _, part := range []string{day, "eu-west-1", "es", "aws4_request"} {
		key = mac(key, part)
	}
	if want := hex.EncodeToString(mac(key, text)); want != m[3] {
		return errors.New("another signature")
	}
	return nil
}

func header(r *http.Request, name string) string {
	switch name {
	case "host":
		return r.URL.Host
	case "content-length":
		return fmt.Sprint(r.ContentLength)
	}
	return strings.Join(r.Header.Values(name), ",")
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write([]byte(text)) // a hash takes all
	return h.Sum(nil)
}

func TestEveryRequestIsSignedForTheService(t *testing.T) {
	n := newNode()
	asked := 0
	x := adapter(t, answering(func(r *http.Request, body []byte) (int, string) {
		asked++
		if err := verify(r, body); err != nil {
			t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
		}
		return n.answer(r, body)
	}), signed)
	applied(t, x, upserts(turn("1", "s", "Nora", "kiln, 仓库", 1), turn("2", "s", "Emil", "oven", 2))...)
	if _, err := x.Search(t.Context(), kilns()); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{"ping": x.Ping(t.Context()), "check": x.Check(t.Context())} {
		if err == nil {
			t.Errorf("%s: the double knows no such answer", name)
		}
	}
	if asked < 7 {
		t.Errorf("%d requests", asked)
	}
}

func TestAVerifierThatIsShownAnotherBodyRefuses(t *testing.T) {
	x := adapter(t, answering(func(r *http.Request, body []byte) (int, string) {
		if verify(r, append(body, ' ')) == nil {
			t.Error("a changed body passes")
		}
		r.URL.RawQuery += "&more=1"
		if verify(r, body) == nil {
			t.Error("a changed query passes")
		}
		return http.StatusOK, "{}"
	}), signed)
	if _, err := x.Search(t.Context(), kilns()); err != nil {
		t.Error(err)
	}
}

func TestWithoutCredentialsNothingIsSigned(t *testing.T) {
	x := adapter(t, answering(func(r *http.Request, _ []byte) (int, string) {
		if r.Header.Get("Authorization") != "" || r.Header.Get("X-Amz-Date") != "" {
			t.Error("a signed request")
		}
		return http.StatusOK, "{}"
	}))
	if _, err := x.Search(t.Context(), kilns()); err != nil {
		t.Error(err)
	}
}

// Credentials that cannot be had, and such that the domain no longer takes.
func TestExpiredCredentialsMakeTheIndexUnavailable(t *testing.T) {
	gone := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{}, errors.New("canary: the session of the role is over")
	})
	refusing := answering(func(*http.Request, []byte) (int, string) {
		return http.StatusForbidden, `{"message":"The security token included in the request is expired, canary"}`
	})
	for name, x := range map[string]*Index{
		"none":    adapter(t, refusing, signed, func(c *Config) { c.Credentials = gone }),
		"expired": adapter(t, refusing, signed),
	} {
		got, err := x.Search(t.Context(), kilns())
		errs := append(x.Apply(t.Context(), upserts(turn("1", "", "", "kiln", 1))), got.LexicalErr, got.SemanticErr)
		for _, e := range errs {
			if err != nil || !errors.Is(e, search.ErrUnavailable) || strings.Contains(e.Error(), "canary") {
				t.Errorf("%s: %v, %v", name, err, e)
			}
		}
	}
}
