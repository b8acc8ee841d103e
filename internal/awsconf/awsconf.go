package awsconf

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// Config is the SDK's configuration, for packages that hand it on and know nothing
// of the SDK.
type Config = aws.Config

// Lookup answers a variable of the environment, as os.LookupEnv does. A variable
// that is empty counts as not set.
type Lookup func(name string) (value string, set bool)

// Fallback finds credentials where the environment has none.
type Fallback func(ctx context.Context) (aws.CredentialsProvider, error)

// Load makes a configuration. Without keys in the environment it asks the fallback;
// nil means that there must be keys. An error names the variable that is missing and
// never shows a value.
func Load(ctx context.Context, lookup Lookup, fallback Fallback) (aws.Config, error) {
	env := environment(lookup)
	region := env.first("AWS_REGION", "AWS_DEFAULT_REGION")
	if region == "" {
		return aws.Config{}, errors.New("AWS_REGION is not set")
	}
	provider, err := env.credentials(ctx, fallback)
	if err != nil {
		return aws.Config{}, err
	}
	c := aws.Config{Region: region, Credentials: provider, HTTPClient: NewClient()}
	if url := env.first("AWS_ENDPOINT_URL"); url != "" {
		c.BaseEndpoint = aws.String(url)
	}
	if endpoints := env.endpoints(); len(endpoints) > 0 {
		c.ConfigSources = []any{endpoints}
	}
	return c, nil
}

type environment Lookup

// first answers the first of some variables that is set.
func (env environment) first(names ...string) string {
	for _, name := range names {
		if value, _ := env(name); value != "" {
			return value
		}
	}
	return ""
}

func (env environment) credentials(ctx context.Context, fallback Fallback) (aws.CredentialsProvider, error) {
	id, secret := env.first("AWS_ACCESS_KEY_ID"), env.first("AWS_SECRET_ACCESS_KEY")
	switch {
	case id != "" && secret != "":
		return static(aws.Credentials{
			AccessKeyID: id, SecretAccessKey: secret, SessionToken: env.first("AWS_SESSION_TOKEN"), Source: "environment",
		}), nil
	case id != "":
		return nil, errors.New("AWS_ACCESS_KEY_ID is set but AWS_SECRET_ACCESS_KEY is not")
	case secret != "":
		return nil, errors.New("AWS_SECRET_ACCESS_KEY is set but AWS_ACCESS_KEY_ID is not")
	case fallback == nil:
		return nil, errors.New("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set")
	}
	provider, err := fallback(ctx)
	if err != nil {
		return nil, fmt.Errorf("AWS_ACCESS_KEY_ID is not set, and there are no other credentials: %w", err)
	}
	return provider, nil
}

// static are credentials that stay as they are while the process lives, as those in
// a function's environment do.
type static aws.Credentials

// Retrieve implements aws.CredentialsProvider.
func (s static) Retrieve(context.Context) (aws.Credentials, error) { return aws.Credentials(s), nil }

// services are the SDK's names of the services that this module uses.
var services = []string{"DynamoDB", "SQS", "Bedrock Runtime", secretsManager}

// endpoints are addresses by the SDK's name of a service. The SDK's clients find
// them in Config.ConfigSources by the methods.
type endpoints map[string]string

func (env environment) endpoints() endpoints {
	found := endpoints{}
	for _, id := range services {
		name := "AWS_ENDPOINT_URL_" + strings.ToUpper(strings.ReplaceAll(id, " ", "_"))
		if url := env.first(name); url != "" {
			found[id] = url
		}
	}
	return found
}

// GetServiceBaseEndpoint answers the address of one service.
func (e endpoints) GetServiceBaseEndpoint(_ context.Context, id string) (url string, found bool, err error) {
	url, found = e[id]
	return url, found, nil
}
