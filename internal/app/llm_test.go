package app_test

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"holdfast/internal/app"
	"holdfast/internal/config"
	"holdfast/internal/llm"
	"holdfast/internal/routes"
)

// withSettings opens the product with settings beside the test's own; the variables
// of the cloud are those of the machine that AWS_ENDPOINT_URL stands for.
func withSettings(t *testing.T, endpoint string, lines ...string) (*app.App, error) {
	t.Helper()
	c, err := config.FromEnviron(append(lines, "HOLDFAST_DATA="+t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	cloud := map[string]string{"AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "not-a-secret", "AWS_ENDPOINT_URL": endpoint}
	a, err := app.Open(t.Context(), c, app.Options{RootKey: rootKey, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Lookup: func(name string) (string, bool) { v, ok := cloud[name]; return v, ok }})
	if err == nil {
		t.Cleanup(func() { _ = a.Close() })
	}
	return a, err
}

var keepTask = llm.Task{Name: "keep", Instructions: "Keep what is stated.", Input: "One lamp.",
	Schema: json.RawMessage(`{"type":"object","properties":{"kept":{"type":"string"}},"required":["kept"],"additionalProperties":false}`)}

// TestTheLanguageModelIsThatOfTheSettings, asked through the port that a route is
// handed.
func TestTheLanguageModelIsThatOfTheSettings(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/v1/chat/completions" && r.Header.Get("Authorization") == "Bearer k2":
			_, _ = io.WriteString(w, `{"choices":[{"finish_reason":"stop","message":{"content":"{\"kept\":\"openai\"}"}}]}`)
		case r.URL.EscapedPath() == "/model/maker.large-v1%3A0/converse" && strings.Contains(r.Header.Get("Authorization"), "/bedrock/"):
			_, _ = io.WriteString(w, `{"stopReason":"tool_use","output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"x","name":"keep","input":{"kept":"bedrock"}}}]}}}`)
		default:
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	t.Cleanup(service.Close)
	for engine, lines := range map[string][]string{
		"openai":  {"HOLDFAST_LLM_URL=" + service.URL + "/v1/", "HOLDFAST_LLM_MODEL=large", "HOLDFAST_LLM_KEY=k2"},
		"bedrock": {"HOLDFAST_LLM_MODEL=maker.large-v1:0"},
	} {
		a, err := withSettings(t, service.URL, append(lines, "HOLDFAST_LLM="+engine)...)
		if err != nil {
			t.Fatalf("%s: %v", engine, err)
		}
		answer, err := a.Deps(routes.Route{ID: "asks", Needs: routes.LLM}).LLM.Complete(t.Context(), keepTask)
		if err != nil || string(answer.JSON) != `{"kept":"`+engine+`"}` || !strings.HasPrefix(a.LLM.Name(), engine+"/") {
			t.Errorf("%s: %s, %v", a.LLM.Name(), answer.JSON, err)
		}
	}
	a, err := withSettings(t, service.URL)
	if err != nil || a.LLM.Name() != config.Offline {
		t.Errorf("without a setting: %v, %v", a.LLM, err)
	}
}

func TestALanguageModelThatCannotBeMadeStopsTheStart(t *testing.T) {
	for name, lines := range map[string][]string{
		"white space": {"HOLDFAST_LLM=openai", "HOLDFAST_LLM_URL=http://127.0.0.1:1", "HOLDFAST_LLM_MODEL=a b"},
		"bedrock":     {"HOLDFAST_LLM=bedrock", "HOLDFAST_LLM_MODEL=a b"},
	} {
		if _, err := withSettings(t, "http://127.0.0.1:1", lines...); err == nil || !strings.Contains(err.Error(), "Model") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTextsDoNotFollowARedirect to an address that nobody configured, be it a text to
// embed or a task.
func TestTextsDoNotFollowARedirect(t *testing.T) {
	var strayed atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strayed.Add(1) }))
	t.Cleanup(elsewhere.Close)
	service := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	t.Cleanup(service.Close)
	a, err := withSettings(t, service.URL, "HOLDFAST_LLM=openai", "HOLDFAST_LLM_URL="+service.URL, "HOLDFAST_LLM_MODEL=large",
		"HOLDFAST_EMBED=openai", "HOLDFAST_EMBED_URL="+service.URL, "HOLDFAST_EMBED_MODEL=small", "HOLDFAST_EMBED_DIMENSION=8")
	if err != nil {
		t.Fatal(err)
	}
	_, asked := a.LLM.Complete(t.Context(), keepTask)
	_, embedded := a.Embedder.Embed(t.Context(), []string{"One lamp."})
	if !errors.Is(asked, llm.ErrUnavailable) || embedded == nil || strayed.Load() != 0 {
		t.Errorf("%v, %v, followed %d times", asked, embedded, strayed.Load())
	}
}
