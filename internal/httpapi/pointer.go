package httpapi

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointer is the RFC 6901 pointer to where the walker is, or to a member there.
// Inside data it stays at the member that holds the data.
func (w *walker) pointer(name string) string {
	var b strings.Builder
	b.WriteString(w.base)
	for _, s := range w.path {
		b.WriteByte('/')
		if s.name == "" {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(pointerEscapes.Replace(s.name))
		}
	}
	if name != "" && w.frozen == 0 {
		b.WriteByte('/')
		b.WriteString(pointerEscapes.Replace(name))
	}
	return b.String()
}

// shortened is an unknown name cut to what an answer repeats.
func shortened(name []byte) string {
	if len(name) <= maxName {
		return string(name)
	}
	end := maxName
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return string(name[:end]) + "…"
}
