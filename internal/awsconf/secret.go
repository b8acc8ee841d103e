package awsconf

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"holdfast/internal/clock"
)

// secretsManager is the SDK's name of the service that Secret asks.
const secretsManager = "Secrets Manager"

const (
	secretTries = 3
	secretPause = 100 * time.Millisecond
	maxSecret   = 64 << 10 // bytes of a secret's value
)

// Secret reads the text of a secret of AWS Secrets Manager by its name or ARN. It is
// one call of one service, so the service's whole client is not linked for it. An
// error holds a status or a code and never what was answered.
func Secret(ctx context.Context, c aws.Config, id string) (string, error) {
	body, err := json.Marshal(map[string]string{"SecretId": id})
	if err != nil {
		return "", err
	}
	for try := 1; ; try++ {
		value, again, err := readSecret(ctx, c, body)
		if err == nil || !again || try == secretTries {
			return value, err
		}
		select {
		case <-ctx.Done():
			return "", err
		case <-time.After(secretPause << (try - 1)):
		}
	}
}

// readSecret asks once and tells whether it is worth asking again.
func readSecret(ctx context.Context, c aws.Config, body []byte) (value string, again bool, err error) {
	r, err := signedSecret(ctx, c, body)
	if err != nil {
		return "", false, err
	}
	answer, err := c.HTTPClient.Do(r)
	if err != nil {
		return "", true, errors.New("the secret's service cannot be reached")
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(answer.Body, 2*maxSecret))
	if err != nil {
		return "", true, errors.New("the secret's service broke off")
	}
	if answer.StatusCode != http.StatusOK {
		return "", answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests,
			fmt.Errorf("the secret's service answered %d", answer.StatusCode)
	}
	var out struct{ SecretString string }
	if err := json.Unmarshal(raw, &out); err != nil || out.SecretString == "" {
		return "", false, errors.New("the secret has no text")
	}
	return out.SecretString, false, nil
}

func signedSecret(ctx context.Context, c aws.Config, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, secretAddress(ctx, c), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.1")
	r.Header.Set("X-Amz-Target", "secretsmanager.GetSecretValue")
	keys, err := c.Credentials.Retrieve(ctx)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	return r, v4.NewSigner().SignHTTP(ctx, keys, r, hex.EncodeToString(sum[:]), "secretsmanager", c.Region, clock.System{}.Now())
}

// secretAddress is the service's own address, or the one that the environment gives.
func secretAddress(ctx context.Context, c aws.Config) string {
	for _, source := range c.ConfigSources {
		if e, ok := source.(endpoints); ok {
			if url, found, _ := e.GetServiceBaseEndpoint(ctx, secretsManager); found {
				return strings.TrimRight(url, "/") + "/"
			}
		}
	}
	if c.BaseEndpoint != nil {
		return strings.TrimRight(*c.BaseEndpoint, "/") + "/"
	}
	suffix := "amazonaws.com"
	if strings.HasPrefix(c.Region, "cn-") {
		suffix += ".cn"
	}
	return "https://secretsmanager." + c.Region + "." + suffix + "/"
}
