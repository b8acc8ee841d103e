package app_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestAWriteIsIndexedAndRetrieved(t *testing.T) {
	s := open(t, t.TempDir()).setUp(t)
	body := fmt.Sprintf(`{"workspaceId":%q,"layer":"Workspace","type":"fact","content":"The night train to Vienna leaves from platform seven."}`, s.ws)
	made := s.agent().post(t, "/v1/memory/append", body, 200)
	s.settle(t)
	out := s.agent().post(t, "/v1/memory/retrieve", fmt.Sprintf(`{"workspaceId":%q,"semanticQuery":"Which platform does the train leave from?"}`, s.ws), 200)
	entries := out["workspaceEntries"].([]any)
	if len(entries) != 1 || entries[0].(map[string]any)["id"] != made["id"] {
		t.Fatalf("%v", out)
	}
	if text := fmt.Sprint(out["blocks"]); !strings.Contains(text, "platform seven") {
		t.Fatalf("blocks: %s", text)
	}
}
