package main

import (
	"slices"
	"strings"
	"testing"
)

func TestFlagsStandBeforeAndAfterTheCommand(t *testing.T) {
	r, err := parse([]string{"-c", "stage=test", "deploy", "-c", "arch=amd64", "-endpoint", "http://127.0.0.1:4566", "-reuse"})
	if err != nil || r.command != "deploy" || !slices.Equal(r.settings, []string{"stage=test", "arch=amd64"}) || !r.reuse || r.given.Arch != "amd64" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestWhatMustNotBeDoneIsRefused(t *testing.T) {
	for line, want := range map[string]string{
		"destroy -c stage=prod": "not destroyed without -c allowDestroy=true",
		"deploy destroy":        "one command at a time",
		"explode":               "must be one of",
		"deploy -c stage":       "-c takes name=value",
		"deploy -c regoin=x":    "regoin is no setting",
		"":                      "must be one of",
	} {
		if _, err := parse(strings.Fields(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", line, err)
		}
	}
	for _, line := range []string{"destroy -c stage=prod -c allowDestroy=true", "destroy", "destroy -c stage=test", "deploy -c stage=prod"} {
		if _, err := parse(strings.Fields(line)); err != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// TestTheRealAccountStaysOutOfAnEmulator: a forgotten endpoint or profile must not
// send a test's deployment to AWS.
func TestTheRealAccountStaysOutOfAnEmulator(t *testing.T) {
	own := []string{"PATH=/bin", "AWS_PROFILE=real", "AWS_SESSION_TOKEN=real", "AWS_CA_BUNDLE=/x", "AWS_ENDPOINT_URL_S3=https://s3.example"}
	got := strings.Join(request{endpoint: "http://127.0.0.1:4566"}.environ(own), "\n")
	if strings.Contains(got, "real") || strings.Contains(got, "AWS_CA_BUNDLE") || strings.Contains(got, "s3.example") ||
		!strings.Contains(got, "AWS_ENDPOINT_URL=http://127.0.0.1:4566") || !strings.Contains(got, "PATH=/bin") {
		t.Error(got)
	}
	if got := strings.Join(request{}.environ(own), "\n"); !strings.Contains(got, "AWS_PROFILE=real") {
		t.Error(got)
	}
}
