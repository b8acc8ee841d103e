package httpapi

import (
	"strconv"
	"strings"
)

// VersionTag is a version as an entity tag: in quotes (T.16).
func VersionTag(version int64) string { return `"` + strconv.FormatInt(version, 10) + `"` }

// Tags is a parsed If-Match or If-None-Match (RFC 9110, sections 8.8.3 and 13.1).
type Tags struct {
	any  bool
	list []entityTag
}

type entityTag struct {
	weak bool
	text string // with its quotes
}

// ParseTags reads a header's value: "*" or a list of entity tags. Commas inside
// quotes belong to the tag.
func ParseTags(header string) (Tags, bool) {
	rest := strings.Trim(header, " \t")
	if rest == "*" {
		return Tags{any: true}, true
	}
	var tags Tags
	for rest != "" {
		tag, after, ok := cutTag(rest)
		if !ok {
			return Tags{}, false
		}
		tags.list = append(tags.list, tag)
		after = strings.TrimLeft(after, " \t")
		if after != "" && after[0] != ',' {
			return Tags{}, false
		}
		rest = strings.TrimLeft(after, ", \t")
	}
	return tags, len(tags.list) > 0
}

func cutTag(s string) (entityTag, string, bool) {
	text, weak := strings.CutPrefix(s, "W/")
	if len(text) < 2 || text[0] != '"' {
		return entityTag{}, "", false
	}
	end := strings.IndexByte(text[1:], '"') + 2
	if end < 2 || !tagText(text[1:end-1]) {
		return entityTag{}, "", false
	}
	return entityTag{weak: weak, text: text[:end]}, text[end:], true
}

// tagText tells whether all bytes are those that RFC 9110 allows in a tag.
func tagText(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x21 || c == 0x7f {
			return false
		}
	}
	return true
}

// Strong compares as If-Match must: a weak tag matches nothing.
func (t Tags) Strong(tag string) bool { return t.match(tag, false) }

// Weak compares as If-None-Match must: W/ makes no difference.
func (t Tags) Weak(tag string) bool { return t.match(tag, true) }

func (t Tags) match(tag string, weakToo bool) bool {
	if t.any {
		return true
	}
	for _, one := range t.list {
		if one.text == tag && (weakToo || !one.weak) {
			return true
		}
	}
	return false
}
