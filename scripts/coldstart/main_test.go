package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain lets this program play the function that is measured.
func TestMain(m *testing.M) {
	if address := os.Getenv("AWS_LAMBDA_RUNTIME_API"); address != "" {
		os.Exit(function("http://" + address + "/2018-06-01/runtime/"))
	}
	os.Exit(m.Run())
}

// function asks for an event, or fails where it has settings of AWS and no secret.
func function(runtime string) int {
	if os.Getenv("HOLDFAST_STORE") != "" {
		r, err := http.NewRequest(http.MethodPost, os.Getenv("AWS_ENDPOINT_URL"), nil)
		if err != nil {
			return 2
		}
		r.Header.Set("X-Amz-Target", "secretsmanager.GetSecretValue")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return 3
		}
		if body, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(body), rootKey) {
			return 4
		}
	}
	if strings.HasSuffix(os.Args[0], "broken") {
		fmt.Println("a setting is wrong")
		return 1
	}
	answer, err := http.Get(runtime + "invocation/next")
	if err != nil {
		return 5
	}
	_ = answer.Body.Close()
	return 0
}

// functions is a folder with a function that starts and one that does not.
func functions(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for at, target := range map[string]string{"good": "bootstrap", "bad": "broken"} {
		if err := os.Mkdir(filepath.Join(folder, at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(self, filepath.Join(folder, at, target)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func opened(t *testing.T) *platform {
	t.Helper()
	p, err := newPlatform()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	return p
}

func TestAStartIsMeasuredForBothKindsOfEngines(t *testing.T) {
	var out strings.Builder
	if err := measure(t.Context(), &out, opened(t), functions(t), t.TempDir(), []string{"good"}, 2, time.Hour); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[1], "good      embedded") || !strings.HasPrefix(lines[2], "good      AWS") {
		t.Errorf("%q", lines)
	}
}

func TestAMedianOverTheLimitIsAnError(t *testing.T) {
	err := measure(t.Context(), io.Discard, opened(t), functions(t), t.TempDir(), []string{"good"}, 1, time.Nanosecond)
	if err == nil || !strings.Contains(err.Error(), "good, AWS: a median of") || !strings.Contains(err.Error(), "good, embedded: a median of") {
		t.Errorf("%v", err)
	}
}

func TestAFunctionThatEndsTellsWhy(t *testing.T) {
	p := opened(t)
	_, err := p.start(t.Context(), filepath.Join(functions(t), "bad", "broken"), p.settings("embedded", t.TempDir()))
	if err == nil || !strings.Contains(err.Error(), "a setting is wrong") {
		t.Errorf("%v", err)
	}
}
