// Package signtest checks the signatures of requests that a double of an AWS
// service gets: it signs what arrived once more and compares. It imports the SDK's
// signer and the standard library, and is for tests only.
package signtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// The keys of the doubles. They open nothing.
var keys = aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "not-a-secret", SessionToken: "not-a-token"}

// Region is where the doubles are.
const Region = "eu-central-1"

// Config sends every service's client to a double at url, with the doubles' keys.
// Requests are not tried again: a test that wants it sets a Retryer.
func Config(url string, client *http.Client) aws.Config {
	return aws.Config{
		Region: Region, BaseEndpoint: &url, HTTPClient: client,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return keys, nil }),
		Retryer:     func() aws.Retryer { return aws.NopRetryer{} },
	}
}

// Check tells whether a request carries the doubles' own signature, version 4, for
// a service and the body that came with it. It leaves the body to be read.
func Check(r *http.Request, service string) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("signtest: body: %w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	if err != nil {
		return errors.New("signtest: no time of signing")
	}
	again, err := copyOf(r)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	again.ContentLength = int64(len(body))
	if err := v4.NewSigner().SignHTTP(r.Context(), keys, again, hex.EncodeToString(sum[:]), service, Region, at); err != nil {
		return fmt.Errorf("signtest: %w", err)
	}
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte(again.Header.Get("Authorization"))) != 1 {
		return errors.New("signtest: the signature is another")
	}
	return nil
}

// copyOf is the request as it was before it was signed: the headers that the
// signature names, but for those which signing adds.
func copyOf(r *http.Request) (*http.Request, error) {
	_, signed, found := strings.Cut(r.Header.Get("Authorization"), "SignedHeaders=")
	if !found {
		return nil, errors.New("signtest: no signature")
	}
	signed, _, _ = strings.Cut(signed, ",")
	again, err := http.NewRequestWithContext(r.Context(), r.Method, "http://"+r.Host+r.URL.RequestURI(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("signtest: %w", err)
	}
	for _, name := range strings.Split(signed, ";") {
		switch name {
		case "host", "content-length", "x-amz-date", "x-amz-security-token":
			continue
		}
		again.Header[http.CanonicalHeaderKey(name)] = r.Header.Values(name)
	}
	return again, nil
}
