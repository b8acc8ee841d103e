package localapp

import (
	"fmt"
	"io"
)

// notice is what a start prints for people (T.38).
type notice struct {
	addr     string
	keyPlace string // where the root key is
	rootKey  string
	made     bool // the root key was made just now: it is shown this once
	demo     demo
	warnings []string
}

func (n notice) print(out io.Writer) {
	text := fmt.Sprintf("holdfast listens on http://%s\nroot key: %s\n", n.addr, n.keyPlace)
	if n.made {
		text += fmt.Sprintf("          %s (shown this once)\n", n.rootKey)
	}
	for _, warning := range n.warnings {
		text += "warning:  " + warning + "\n"
	}
	text += fmt.Sprintf(`try it:
  curl -sS http://%[1]s/v1/memory/append -H 'Authorization: Bearer %[2]s' -H 'Content-Type: application/json' -d '{"workspaceId":"%[3]s","layer":"Workspace","type":"fact","content":"The night train to Vienna leaves from platform seven."}' && curl -sS http://%[1]s/v1/memory/retrieve -H 'Authorization: Bearer %[2]s' -H 'Content-Type: application/json' -d '{"workspaceId":"%[3]s","semanticQuery":"Where does the train to Vienna leave?"}'
`, n.addr, n.demo.Key, n.demo.WorkspaceID)
	_, _ = io.WriteString(out, text) // nobody may be there to read it
}
