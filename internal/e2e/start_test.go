package e2e

import (
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"holdfast/internal/e2e/client"
	"holdfast/internal/e2e/process"
)

// own are options without a root key: the server makes one (T.37).
func own(data string) process.Options {
	return process.Options{Binary: binary, Data: data, Log: data + ".log"}
}

func TestT38FirstStartPrintsAddressRootKeyPlaceAndACurlLineThatWorks(t *testing.T) {
	s := start(t, own(folder(t)))
	eventually(t, "the start is printed", func() bool { return curlLine(s.Output()) != "" })
	if out := s.Output(); !strings.Contains(out, s.Addr) {
		t.Errorf("the address %s is not printed:\n%s", s.Addr, out)
	}
	key := rootKeyFile(t, s)
	client := client.Client{Base: s.Base(), Key: key}
	if _, err := client.NewTenant(t.Context(), "Made with the printed place"); err != nil {
		t.Error(err)
	}
	for range 2 { // pasted twice it works twice
		paste := exec.CommandContext(t.Context(), "sh", "-c", curlLine(s.Output()))
		out, err := paste.CombinedOutput()
		if err != nil || !strings.Contains(string(out), `"`) || strings.Contains(string(out), `"requestId"`) {
			t.Errorf("the pasted line answers %s, %v", out, err)
		}
	}
}

// curlLine is the printed command with its continuation lines.
func curlLine(out string) string {
	lines := strings.Split(out, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(strings.TrimSpace(line), "curl ") {
			continue
		}
		end := i
		for end < len(lines)-1 && strings.HasSuffix(lines[end], "\\") {
			end++
		}
		if end == len(lines)-1 {
			return "" // still being printed
		}
		return strings.Join(lines[i:end+1], "\n")
	}
	return ""
}

var filePath = regexp.MustCompile(`/[^\s"',;]+`)

// rootKeyFile reads the root key from the place that is printed.
func rootKeyFile(t *testing.T, s *server) string {
	t.Helper()
	text, err := os.ReadFile(rootKeyPlace(t, s))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// rootKeyPlace finds the printed file that holds the root key; only its owner may
// read it (T.37).
func rootKeyPlace(t *testing.T, s *server) string {
	t.Helper()
	eventually(t, "the start is printed", func() bool { return curlLine(s.Output()) != "" })
	for _, path := range filePath.FindAllString(s.Output(), -1) {
		path = strings.TrimRight(path, ".")
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || !strings.HasPrefix(path, s.Data) {
			continue
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", path, info.Mode().Perm())
		}
		return path
	}
	t.Fatalf("no place of the root key is printed:\n%s", s.Output())
	return ""
}

func TestT37RootKeyStaysTheSameAfterARestart(t *testing.T) {
	data := folder(t)
	first := start(t, own(data))
	key := rootKeyFile(t, first)
	if code := first.stop(t); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	second := start(t, own(data))
	if strings.Contains(second.Output(), key) {
		t.Error("the root key is printed a second time")
	}
	if _, err := (client.Client{Base: second.Base(), Key: key}).NewTenant(t.Context(), "Later"); err != nil {
		t.Error(err)
	}
}

func TestT37HelpListsTheSettings(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), binary, "-h").CombinedOutput()
	if err != nil {
		t.Errorf("-h ends with %v", err)
	}
	for _, name := range []string{
		"ADDR", "DATA", "ROOT_KEY", "STORE", "QUEUE", "SEARCH", "EMBED", "LLM", "EMBED_URL", "EMBED_MODEL", "EMBED_KEY",
		"TEST_CLOCK", "WEBHOOK_ALLOW", "RATE_KEY_PER_MINUTE", "RATE_TENANT_PER_MINUTE",
	} {
		if !regexp.MustCompile(`\bHOLDFAST_` + name + `\b`).Match(out) {
			t.Errorf("-h does not list HOLDFAST_%s", name)
		}
	}
}

func TestT39TestClockIsThereOnlyWhenAskedFor(t *testing.T) {
	step := map[string]any{"advanceSeconds": 60}
	without := start(t, options(folder(t)))
	if a, err := without.root.Call(t.Context(), http.MethodPost, "/v1/test/clock", step); err != nil || a.Status != http.StatusNotFound {
		t.Errorf("without the setting: %d, %v", a.Status, err)
	}
	with := start(t, options(folder(t), "HOLDFAST_TEST_CLOCK=1"))
	var got struct{ Now string }
	if err := with.root.Do(t.Context(), http.MethodPost, "/v1/test/clock", step, &got); err != nil || got.Now == "" {
		t.Errorf("with the setting: %q, %v", got.Now, err)
	}
	agent := with.place(t).agent
	if a, err := agent.Call(t.Context(), http.MethodPost, "/v1/test/clock", step); err != nil || a.Status != http.StatusForbidden {
		t.Errorf("with an agent's key: %d, %v", a.Status, err)
	}
	bad := map[string]any{"advanceSeconds": "soon"}
	if a, err := with.root.Call(t.Context(), http.MethodPost, "/v1/test/clock", bad); err != nil || a.Status != http.StatusUnprocessableEntity {
		t.Errorf("with a bad step: %d, %v", a.Status, err)
	}
}
