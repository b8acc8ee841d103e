package screen

import "strings"

// exposed are the names of what a beacon carries away. In the address of a picture,
// which is loaded without anybody's doing, any of them is enough; in other links
// only those of strict, since interfaces are documented with {name} in addresses.
var (
	exposed = wordSet(`conversation conversations history chat chats message messages prompt system context secret
		secrets password passwords credential credentials key keys apikey token tokens data memory memories answer
		response userdata email emails content text details session cookie cookies private personal payload exfil
		base64 encoded stolen transcript summary info information notes note name contents inbox file leak`)
	strict = wordSet(`conversation conversations history chat chats secrets password passwords prompt memory memories
		credentials private personal cookie cookies stolen transcript exfil systemprompt leak notes`)
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// findImages reports pictures whose address has a place for data to be filled in.
func findImages(p *page) {
	p.eachLink(func(start, end int) {
		if p.loads(start) && (p.holder(start, end, exposed) || p.openQuery(start, end)) {
			p.report(start, end)
		}
	})
}

// findLinks reports other links that have a place for the reader's data.
func findLinks(p *page) {
	p.eachLink(func(start, end int) {
		if !p.loads(start) && p.holder(start, end, strict) {
			p.report(start, end)
		}
	})
}

func (p *page) eachLink(visit func(start, end int)) {
	for _, t := range p.tokens {
		if t.word == linkWord || t.word == trapWord {
			visit(int(t.start), int(t.end))
		}
	}
}

// lookBack is how far before an address the mark of a picture may stand, in bytes.
const lookBack = 200

// loads: the address is that of a picture, in Markdown or HTML.
func (p *page) loads(start int) bool {
	before := p.text[max(0, start-lookBack):start]
	if strings.HasSuffix(before, "](") {
		open := strings.LastIndexByte(before[:len(before)-2], '[')
		return open > 0 && before[open-1] == '!'
	}
	open := strings.LastIndexByte(before, '<')
	if open < 0 || strings.IndexByte(before[open:], '>') >= 0 {
		return false
	}
	element := strings.ToLower(before[open:])
	return (strings.HasPrefix(element, "<img") || strings.HasPrefix(element, "<iframe")) && strings.Contains(element, "src")
}

// openQuery: the address ends in a parameter whose value is left open.
func (p *page) openQuery(start, end int) bool {
	return strings.HasSuffix(p.text[start:end], "=") && strings.IndexByte(p.text[start:end], '?') > 0
}

// holder: after the host the address has a placeholder that is named for one of
// the words: {{x}}, {x}, ${x}, $X, %x%, <x>, [x].
func (p *page) holder(start, end int, words map[string]bool) bool {
	address := p.text[start:min(len(p.text), end+maxHolder)]
	for i := strings.IndexAny(p.text[start:end], "?/=") + 1; i < end-start+1 && i < len(address); i++ {
		switch address[i] {
		case '{', '<', '[', '$', '%', '(':
			if i >= end-start && address[i-1] != '=' && address[i-1] != '/' {
				return false
			}
			if !escaped(address[i:]) && named(address[i:], words) {
				return true
			}
		}
	}
	return false
}

// escaped: the text starts with an escape (RFC 3986), not with a placeholder: two
// hexadecimal digits after a percent sign that no other one closes.
func escaped(text string) bool {
	if _, ok := hexNumber(text, 1, 2); !ok || text[0] != '%' {
		return false
	}
	end := 1
	for end < len(text) && (alnum(text[end]) || text[end] == '_' || text[end] == '-') {
		end++
	}
	return end == 3 || end == len(text) || text[end] != '%'
}

// maxHolder is the longest placeholder that is read, in bytes.
const maxHolder = 48

// named: the placeholder at the start of the text has one of the words in its name.
func named(text string, words map[string]bool) bool {
	text = strings.TrimLeft(text[:min(len(text), maxHolder)], "{<[$%( ")
	for text != "" {
		n := 0
		for n < len(text) && alnum(text[n]) {
			n++
		}
		ends := n == len(text) || text[n] != '{' && text[n] != '(' // not the start of a query
		if n > 0 && ends && words[strings.ToLower(text[:n])] {
			return true
		}
		if n == len(text) || strings.IndexByte("_-. ", text[n]) < 0 {
			return false
		}
		text = text[n+1:]
	}
	return false
}
