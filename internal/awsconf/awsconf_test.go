package awsconf_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"holdfast/internal/awsconf"
)

// from answers the variables in pairs of name and value.
func from(pairs ...string) awsconf.Lookup {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

// function is what Lambda sets.
var function = []string{
	"AWS_REGION", "eu-central-1", "AWS_ACCESS_KEY_ID", "an id", "AWS_SECRET_ACCESS_KEY", "a secret", "AWS_SESSION_TOKEN", "a token",
}

func load(t testing.TB, fallback awsconf.Fallback, pairs ...string) aws.Config {
	t.Helper()
	c, err := awsconf.Load(t.Context(), from(pairs...), fallback)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAFunctionsEnvironmentIsAllThatIsNeeded(t *testing.T) {
	c := load(t, nil, function...)
	got, err := c.Credentials.Retrieve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := aws.Credentials{AccessKeyID: "an id", SecretAccessKey: "a secret", SessionToken: "a token", Source: "environment"}
	if got != want || c.Region != "eu-central-1" || c.BaseEndpoint != nil || c.HTTPClient == nil {
		t.Fatalf("Region %q, endpoint %v, the credentials are as set: %v", c.Region, c.BaseEndpoint, got == want)
	}
}

func TestTheFallbackIsAskedOnlyWithoutKeys(t *testing.T) {
	asked := 0
	found := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "from a file"}, nil
	})
	fallback := func(context.Context) (aws.CredentialsProvider, error) { asked++; return found, nil }
	load(t, fallback, function...)
	if asked != 0 {
		t.Fatal("asked although there are keys")
	}
	c := load(t, fallback, "AWS_DEFAULT_REGION", "eu-west-1", "AWS_ACCESS_KEY_ID", "", "AWS_SECRET_ACCESS_KEY", "")
	got, err := c.Credentials.Retrieve(t.Context())
	if err != nil || got.AccessKeyID != "from a file" || asked != 1 || c.Region != "eu-west-1" {
		t.Fatalf("asked %d times, id %q, Region %q, %v", asked, got.AccessKeyID, c.Region, err)
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	nothing := errors.New("nothing found")
	fails := func(context.Context) (aws.CredentialsProvider, error) { return nil, nothing }
	for _, c := range []struct {
		name     string
		env      []string
		fallback awsconf.Fallback
		want     []string // in the error
	}{
		{"Region", function[2:], nil, []string{"AWS_REGION"}},
		{"all keys", function[:2], nil, []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}},
		{"secret", function[:4], fails, []string{"AWS_SECRET_ACCESS_KEY is not"}},
		{"id", append(function[:2:2], function[4:]...), fails, []string{"AWS_ACCESS_KEY_ID is not"}},
		{"fallback", function[:2], fails, []string{"AWS_ACCESS_KEY_ID", nothing.Error()}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := awsconf.Load(t.Context(), from(c.env...), c.fallback)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %v", want, err)
				}
			}
			for _, value := range []string{"an id", "a secret", "a token"} {
				if strings.Contains(err.Error(), value) {
					t.Errorf("a value is in: %v", err)
				}
			}
		})
	}
}

func TestEndpointsOfAnEmulator(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string
		want string // DynamoDB's
	}{
		{"none", nil, ""},
		{"for all", []string{"AWS_ENDPOINT_URL", "http://127.0.0.1:1"}, "http://127.0.0.1:1"},
		{"for one", []string{"AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:2"}, "http://127.0.0.1:2"},
		{"one before all", []string{"AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:2", "AWS_ENDPOINT_URL", "http://127.0.0.1:1"}, "http://127.0.0.1:2"},
		{"another's", []string{"AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:3"}, ""},
		{"empty", []string{"AWS_ENDPOINT_URL", ""}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := load(t, nil, append(function[:len(function):len(function)], c.env...)...)
			var got string
			dynamodb.NewFromConfig(config, func(o *dynamodb.Options) { got = aws.ToString(o.BaseEndpoint) })
			if got != c.want {
				t.Fatalf("endpoint %q, want %q", got, c.want)
			}
		})
	}
}

// TestABundleOfCertificatesIsNotRead holds for a machine whose AWS_CA_BUNDLE would
// make the SDK's loader refuse this package's client.
func TestABundleOfCertificatesIsNotRead(t *testing.T) {
	t.Setenv("AWS_CA_BUNDLE", "/there/is/no/such/file")
	load(t, nil, append(function[:len(function):len(function)], "AWS_CA_BUNDLE", "/there/is/no/such/file")...)
}

// BenchmarkStart is the cost of a configuration and a client at a function's start.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		dynamodb.NewFromConfig(load(b, nil, function...))
	}
}
