package obs

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// keyPrefix begins every bearer key (T.2); what follows is letters, digits and _.
const keyPrefix = "holdfast_"

// redacted stands where something was hidden.
const redacted = "[redacted]"

// Redactor hides secrets in what is written through it. Each Write must be whole
// lines: a secret that is cut in two is not found.
type Redactor struct {
	w       io.Writer
	secrets [][]byte // as they stand in text and in JSON
}

// NewRedactor makes a Redactor. Empty secrets are passed over.
func NewRedactor(w io.Writer, secrets ...string) *Redactor {
	r := &Redactor{w: w}
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		for _, form := range spellings(secret) {
			r.secrets = append(r.secrets, []byte(form))
		}
	}
	return r
}

// spellings are the ways in which a text may stand in a line: as it is, in JSON,
// and in JSON that escapes HTML.
func spellings(text string) []string {
	all := []string{text}
	for _, html := range []bool{false, true} {
		var b strings.Builder
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(html)
		if encoder.Encode(text) != nil {
			continue
		}
		if form := strings.Trim(strings.TrimSpace(b.String()), `"`); form != text {
			all = append(all, form)
		}
	}
	return all
}

// Write implements io.Writer: it answers the length of p when all was written.
func (r *Redactor) Write(p []byte) (int, error) {
	if _, err := r.w.Write(r.hide(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (r *Redactor) hide(line []byte) []byte {
	for _, secret := range r.secrets {
		if bytes.Contains(line, secret) {
			line = bytes.ReplaceAll(line, secret, []byte(redacted))
		}
	}
	return hideKeys(line)
}

// hideKeys replaces keyPrefix and all letters, digits and _ after it. A line
// without one is answered as it is. The prefix is found in any case, since what is
// no key may still be one that was changed on its way.
func hideKeys(line []byte) []byte {
	at := keyAt(line)
	if at < 0 {
		return line
	}
	clean := make([]byte, 0, len(line))
	for at >= 0 {
		end := at + len(keyPrefix)
		for end < len(line) && keyByte(line[end]) {
			end++
		}
		clean = append(append(clean, line[:at]...), redacted...)
		line = line[end:]
		at = keyAt(line)
	}
	return append(clean, line...)
}

// keyAt is the place of the next key-like text: the prefix and at least one more
// byte of a key.
func keyAt(line []byte) int {
	for from := 0; ; {
		i := indexFold(line[from:])
		if i < 0 {
			return -1
		}
		end := from + i + len(keyPrefix)
		if end < len(line) && keyByte(line[end]) {
			return from + i
		}
		from = end
	}
}

// indexFold finds the prefix by its underscore, which lines rarely hold.
func indexFold(line []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(line[from:], '_')
		if i < 0 {
			return -1
		}
		end := from + i + 1
		if start := end - len(keyPrefix); start >= 0 && bytes.EqualFold(line[start:end], []byte(keyPrefix)) {
			return start
		}
		from = end
	}
}

func keyByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}
