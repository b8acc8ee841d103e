package screen

import "strings"

// Limits of a host name (RFC 1035); they also bound the look ahead.
const (
	maxLabels = 10
	maxLabel  = 63
)

// hostEndings are last labels by which a dotted word is taken for a host.
var hostEndings = func() map[string]bool {
	set := map[string]bool{}
	for _, e := range strings.Fields(`com org net io co dev app ai me info biz edu gov xyz site online top shop club
		store tech cloud link live click page example test invalid local uk de fr es it nl pl se no fi dk ch at be eu
		us ca au nz jp cn kr in br mx ru ua tr cz pt gr ro hu ie za ly gg sh to tv cc ws su onion`) {
		set[e] = true
	}
	return set
}()

// linkEnd answers where the link ends whose first word was just read, 0 for none:
// a scheme, a host with a known ending, or an address of four numbers.
func (r *reader) linkEnd(start int) int {
	rest := r.text[r.at:]
	if strings.HasPrefix(rest, "://") {
		switch string(r.word.best()) {
		case "http", "https", "ftp", "ws", "wss":
			return r.pathEnd(r.at + 3)
		}
		return 0
	}
	if len(rest) < 2 || rest[0] != '.' || !alnum(rest[1]) {
		return 0
	}
	end, last := r.hostEnd()
	if ipv4(r.text[start:end]) {
		return r.pathEnd(end)
	}
	if !hostEndings[strings.ToLower(last)] || last != strings.ToLower(last) && last != strings.ToUpper(last) {
		return 0
	}
	if end < len(r.text) && (r.text[end] == '/' || r.text[end] == '?' || r.text[end] == ':') {
		return r.pathEnd(end)
	}
	return end
}

// ipv4: the text is four numbers with stops between them.
func ipv4(text string) bool {
	stops := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '.':
			stops++
		case c < '0' || c > '9':
			return false
		}
	}
	return stops == 3
}

// hostEnd reads the labels that follow; it answers the end and the last label.
func (r *reader) hostEnd() (end int, last string) {
	end = r.at
	for range maxLabels {
		if end+1 >= len(r.text) || r.text[end] != '.' || !alnum(r.text[end+1]) {
			break
		}
		start := end + 1
		for end = start; end < len(r.text) && end-start < maxLabel && (alnum(r.text[end]) || r.text[end] == '-'); end++ {
		}
		last = r.text[start:end]
	}
	return end, last
}

// pathEnd answers where a link ends that is known to reach from: before a blank,
// a quote, a closing bracket or a character above ASCII, without the stop of the
// sentence around it.
func (r *reader) pathEnd(from int) int {
	end := from
	for end < len(r.text) && r.text[end] > ' ' && r.text[end] < 0x7f && !strings.ContainsRune("\"'`<>)]|", rune(r.text[end])) {
		end++
	}
	for end > from && strings.IndexByte(".,;:!", r.text[end-1]) >= 0 {
		end--
	}
	return end
}

// addressEnd answers where the mail address ends whose last word before the @ was
// just read, 0 for none.
func (r *reader) addressEnd() int {
	if r.at+1 >= len(r.text) || r.text[r.at] != '@' || !alnum(r.text[r.at+1]) {
		return 0
	}
	first := r.at + 1
	for first < len(r.text) && first-r.at <= maxLabel && (alnum(r.text[first]) || r.text[first] == '-') {
		first++
	}
	host := reader{page: r.page, at: first}
	if end, last := host.hostEnd(); last != "" {
		return end
	}
	return 0
}

// traps are parts of links and addresses that say what they are for: services that
// show what was sent to them, and plain words.
var traps = []string{
	"webhook.site", "requestbin", "pipedream.net", "ngrok", "burpcollaborator", "interact.sh", "interactsh", "oast.", "beeceptor",
	"attacker", "evil", "exfil", "hacker", "malicious", "steal", "phish", "mallory",
}

// trapOr answers trapWord for a link or address that is one, else the word.
func trapOr(word uint16, address string) uint16 {
	low := strings.ToLower(address[:min(len(address), maxTrap)])
	if containsAny(low, traps) {
		return trapWord
	}
	return word
}

// maxTrap is how much of an address is looked at, in bytes.
const maxTrap = 300
