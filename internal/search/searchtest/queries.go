package searchtest

import (
	"fmt"
	"strings"
)

// LongestQuery is the most characters of a query (R0.8).
const LongestQuery = 2000

// BadQuery is a query that no person would ask.
type BadQuery struct{ Name, Text string }

// BadQueries answers queries of 1 to LongestQuery characters that have to be answered as
// any other: there is no text that a caller cannot send.
func BadQueries() []BadQuery {
	out := []BadQuery{
		{"only stop words", "what is it that they were and who are you"},
		{"stop words and signs", "the, of - and!"},
		{"emoji", "🔥🦊🎉"},
		{"joined emoji", "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 👍🏽 1️⃣ 🇵🇹"},
		{"emoji and words", "🔥kiln🔥 door 🚪"},
		{"Chinese", "窑炉的门在哪里"},
		{"Japanese and Korean", "窯の扉はどこ 가마 문이 어디"},
		{"Thai", "เตาเผาอยู่ที่ไหน"},
		{"mixed right to left", "kiln الفرن ساخن door תנור חם oven"},
		{"turned over", "\u202ekiln\u202c \u2067door\u2069 \u200foven"},
		{"invisible", "ki\u200bln \ufeffdoor o\u00adven hin\u200dge"},
		{"controls", "kiln\x01door\x1b[31m\r\n\toven\x7f"},
		{"zero", "kiln\x00door"},
		{"many scripts", "kiln печь φούρνος भट्ठी 窯 가마 เตา"},
		{"full width", "ｋｉｌｎ　ＤＯＯＲ ﬁre ①②"},
	}
	for _, sign := range []string{"k", "K", "7", "?", "*", `"`, `\`, " ", "\x00", "é", "猫", "🦊", "\u0301", "\u200f", "\ufffd", "א", "ﷺ"} {
		out = append(out, BadQuery{fmt.Sprintf("one character %+q", sign), sign})
	}
	for _, text := range expressions {
		out = append(out, BadQuery{"syntax " + text, text})
	}
	return append(out, longQueries()...)
}

// expressions have a meaning to some language of queries, templates or regular
// expressions, and none here.
var expressions = []string{
	`*:*`, `kil*`, `ki?n`, `*iln`, `kiln~`, `kiln~2 door^1000`, `+kiln -door`, `kiln AND NOT door`, `kiln && !door || oven`,
	`text:kiln`, `_exists_:text`, `_id:1`, `[* TO *]`, `{a TO z}`, `"kiln`, `"kiln door"~3`, `(kiln OR`, `((((((((kiln`, `kiln))`,
	`{"match_all":{}}`, `"}},{"match_all":{}},{"term":{"text":"`, `kiln"}}]}},"size":10000,"query":{"match_all":{}}`,
	"kiln\n{\"index\":\"*\"}\n{\"query\":{\"match_all\":{}}}\n", `scope:tenant-1.workspace-b`, `kiln|999 door|0`, `#deadbeef`,
	`" OR 1=1 --`, `'; DROP TABLE memories; --`, `kiln' AND '1'='1`, `{"$ne":null}`, `{"$where":"sleep(9)"}`,
	`.*`, `^kiln$`, `/.*kiln.*/`, `(a+)+$`, `(?i)KILN|door`, `[\w\W]*`, `\bkiln\b`, `a{1,99999}`, `(?<=k)iln`, `\Q*\E`,
	`${jndi:ldap://kiln}`, `{{7*7}}`, `<script>kiln</script>`, `%s%n%x`, `%2e%2e%00`, `../../kiln`, `\`, `\\"`, `\u0000`,
	`doc['text'].value`, `ctx._source.remove('text')`, `1; return Integer.MAX_VALUE`,
}

// longQueries are as long as queries may be.
func longQueries() []BadQuery {
	word := func(i int) string { return fmt.Sprintf("w%s ", spelled(i)) }
	return []BadQuery{
		{"distinct words", long(word)},
		{"distinct words and some that are held", long(func(i int) string { return word(i) + []string{"kiln ", "door ", "", ""}[i%4] })},
		{"one word again and again", long(func(int) string { return "kiln " })},
		{"one letter again and again", long(func(int) string { return "k " })},
		{"stop words again and again", long(func(i int) string { return []string{"the ", "of ", "and "}[i%3] })},
		{"one endless word", long(func(int) string { return "kiln" })},
		{"signs", long(func(int) string { return `*:"` })},
		{"brackets", long(func(int) string { return "(" })},
		{"quotations", long(func(i int) string { return fmt.Sprintf(`"%s" `, spelled(i)) })},
		{"names", long(func(i int) string { return "W" + spelled(i) + " " })},
		{"a dotted number", long(func(i int) string { return fmt.Sprint(i, ".") })},
		{"apostrophes", long(func(i int) string { return "x" + spelled(i) + "'" })},
		{"times", long(func(i int) string {
			return []string{"yesterday ", "last week ", "in May ", "2 days ago ", "1999 "}[i%5]
		})},
		{"distinct ideographs", long(func(i int) string { return string(rune(0x4e00 + i)) })},
		{"one ideograph again and again", long(func(int) string { return "窯" })},
		{"syllables", long(func(i int) string { return string(rune(0xac00 + i)) })},
		{"marks on a letter", "k" + strings.Repeat("\u0301\u0327", LongestQuery/2-1)},
		{"emoji again and again", long(func(int) string { return "🔥" })},
		{"right to left again and again", long(func(int) string { return "فرن kiln תנור " })},
	}
}

// long adds pieces until no further one fits.
func long(piece func(i int) string) string {
	var b strings.Builder
	for i, n := 0, 0; ; i++ {
		next := piece(i)
		if n += len([]rune(next)); n > LongestQuery {
			return b.String()
		}
		b.WriteString(next)
	}
}

// spelled writes a number with letters.
func spelled(n int) string {
	out := []byte{}
	for ; n > 0; n /= 20 {
		out = append(out, "bcdfghjklmnpqrtvwxyz"[n%20])
	}
	return string(append(out, 'o'))
}
