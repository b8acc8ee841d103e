package e2e

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestReadmeExampleWorks runs the commands of the README's example one after the
// other, as a reader does, against a server that was just started.
func TestReadmeExampleWorks(t *testing.T) {
	s := start(t, own(folder(t)))
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, found := strings.Cut(string(readme), "## An example")
	example, _, ends := strings.Cut(example, "\n## ")
	blocks := shellBlock.FindAllStringSubmatch(example, -1)
	if !found || !ends || len(blocks) != 6 {
		t.Fatalf("the README's example has %d blocks of commands", len(blocks))
	}
	setUp := strings.ReplaceAll(blocks[0][1], "http://127.0.0.1:8080", s.Base())
	setUp = strings.ReplaceAll(setUp, ".data/root.key", rootKeyPlace(t, s))
	appended := "ANSWER=$(" + blocks[1][1] + ")\n" +
		`ID=$(echo "$ANSWER" | sed 's/.*"id":"\([^"]*\)".*/\1/'); echo "$ANSWER"` + "\n"
	script := "set -e\n" + setUp + appended + blocks[2][1] + blocks[3][1] + blocks[4][1] + blocks[5][1]
	out, err := exec.CommandContext(t.Context(), "sh", "-c", script).CombinedOutput()
	if err != nil || strings.Contains(string(out), `"code":`) {
		t.Errorf("the commands end with %v:\n%s", err, out)
	}
	for _, want := range []string{`"merged":false`, `"blocks":[{`, "in euros and in kroner", `"reason":"update"`, `"memoryId":`,
		`{"status":"consolidated"}`, `"type":"episode"`, `"diagnostics":{`,
		`"path":"users/anna/"`, `"score":1.`, `Prefers invoices by post. (`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the answers lack %s:\n%s", want, out)
		}
	}
}
