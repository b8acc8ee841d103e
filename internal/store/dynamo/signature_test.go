package dynamo_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"holdfast/internal/store/dynamo"
)

// signedAt signs at a fixed time.
type signedAt struct {
	signer *v4.Signer
	at     time.Time
}

// SignHTTP implements dynamodb.HTTPSignerV4.
func (s signedAt) SignHTTP(
	ctx context.Context, c aws.Credentials, r *http.Request, hash, service, region string, _ time.Time, o ...func(*v4.SignerOptions),
) error {
	return s.signer.SignHTTP(ctx, c, r, hash, service, region, s.at, o...)
}

// TestEveryRequestIsSigned computes each request's signature anew, from AWS's
// description of it and nothing of the SDK
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
func TestEveryRequestIsSigned(t *testing.T) {
	at := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	fixed := func(o *dynamo.Options) {
		o.Client = func(c *dynamodb.Options) { c.HTTPSignerV4 = signedAt{v4.NewSigner(), at} }
	}
	for _, r := range requests {
		t.Run(r.name, func(t *testing.T) {
			s, d := startWith(t, fixed, answers(200, `{"Table":{"TableStatus":"ACTIVE"}}`))
			if err := r.run(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			for _, c := range d.seen() {
				checkSignature(t, c, at)
			}
		})
	}
}

func checkSignature(t *testing.T, c call, at time.Time) {
	t.Helper()
	if got, want := c.header.Get("X-Amz-Date"), at.Format("20060102T150405Z"); got != want {
		t.Fatalf("date %q, want %q", got, want)
	}
	names := strings.Split(between(c.header.Get("Authorization"), "SignedHeaders=", ","), ";")
	for _, must := range []string{"host", "x-amz-date", "x-amz-security-token", "x-amz-target"} {
		if !slices.Contains(names, must) {
			t.Fatalf("%s is not signed: %q", must, names)
		}
	}
	scope := at.Format("20060102") + "/eu-central-1/dynamodb/aws4_request"
	want := fmt.Sprintf("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/%s, SignedHeaders=%s, Signature=%s",
		scope, strings.Join(names, ";"), signature(c, names, scope))
	if got := c.header.Get("Authorization"); got != want {
		t.Fatalf("authorization\n%s\nwant\n%s", got, want)
	}
	if got := c.header.Get("X-Amz-Security-Token"); got != "a session of the tests" {
		t.Fatalf("session token %q", got)
	}
}

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

func signature(c call, names []string, scope string) string {
	canonical := c.request.Method + "\n" + c.request.URL.EscapedPath() + "\n\n"
	for _, name := range names {
		value := c.header.Get(name)
		switch name {
		case "host":
			value = c.request.Host
		case "content-length":
			value = fmt.Sprint(len(c.raw))
		}
		canonical += name + ":" + strings.TrimSpace(value) + "\n"
	}
	canonical += "\n" + strings.Join(names, ";") + "\n" + hexOf(c.raw)
	text := "AWS4-HMAC-SHA256\n" + c.header.Get("X-Amz-Date") + "\n" + scope + "\n" + hexOf([]byte(canonical))
	key := []byte("AWS4" + "a secret of the tests")
	for _, part := range strings.Split(scope, "/") {
		key = mac(key, part)
	}
	return hex.EncodeToString(mac(key, text))
}

func hexOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
