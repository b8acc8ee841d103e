package chain_test

import (
	"os"
	"path/filepath"
	"testing"

	"holdfast/internal/awsconf/chain"
)

// alone takes away all that a machine may offer, but for a file of credentials.
func alone(t *testing.T, file string) {
	t.Helper()
	for _, name := range []string{
		"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CA_BUNDLE",
	} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(t.TempDir(), "none"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", file)
}

func TestAFileOfCredentialsIsFound(t *testing.T) {
	file := filepath.Join(t.TempDir(), "credentials")
	text := "[default]\naws_access_key_id = from-the-file\naws_secret_access_key = secret\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	alone(t, file)
	provider, err := chain.Credentials(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c, err := provider.Retrieve(t.Context()); err != nil || c.AccessKeyID != "from-the-file" {
		t.Fatalf("id %q, %v", c.AccessKeyID, err)
	}
}

func TestAMachineWithoutCredentialsSaysSo(t *testing.T) {
	alone(t, filepath.Join(t.TempDir(), "none"))
	if _, err := chain.Credentials(t.Context()); err == nil {
		t.Fatal("credentials out of nowhere")
	}
}
