package offline

import (
	"strings"
	"time"
	"unicode/utf8"

	"holdfast/internal/extract"
	"holdfast/internal/extract/prose"
)

// entry is an entry with its sentences.
type entry struct {
	extract.InputEntry
	at        time.Time
	assistant bool // said by an assistant, an agent or a tool
	sentences []sentence
}

// piece is a part of an entry that is worth keeping.
type piece struct {
	kind      string
	text      string
	number    int // of the entry
	worth     float64
	validFrom string
}

// Lengths of pieces, in code points.
const (
	maxWhole    = 600  // of an entry whose type says what it is
	maxSentence = 500  // of a sentence
	maxList     = 2000 // of a procedure
)

var assistants = set("assistant ai bot agent model tool system chatbot copilot gpt claude support")

// newEntry reads an entry; speakers are the small words of all speakers' names.
func newEntry(in extract.InputEntry, speakers map[string]bool) *entry {
	e := &entry{InputEntry: in, assistant: in.Weak || assistants[strings.ToLower(strings.TrimSpace(in.Speaker))]}
	if at, err := time.Parse(time.RFC3339, in.At); err == nil {
		e.at = at
	}
	fenced, last := false, 0
	for _, span := range prose.Sentences(in.Text) {
		between := in.Text[last:span.Start]
		last = span.End
		fence := strings.Count(between, "```")+strings.Count(span.Of(in.Text), "```") > 0
		if fence {
			fenced = !fenced || strings.Count(span.Of(in.Text), "```") > 1
		}
		if fenced || fence || isCode(span.Of(in.Text)) {
			continue
		}
		s := newSentence(in.Text, span, speakers)
		s.gap = strings.Count(between, "\n") > 1
		e.sentences = append(e.sentences, s)
	}
	return e
}

// pieces answers what of the entry is worth keeping: what the rules find, else what it
// says plainly.
func (e *entry) pieces() []piece {
	if found := e.found(); len(found) > 0 {
		return found
	}
	return e.plain()
}

// found answers what the rules find in the entry.
func (e *entry) found() []piece {
	switch e.Type {
	case extract.Decision, extract.Preference, extract.Procedure:
		return e.typed(e.Type)
	case "policy":
		return e.typed(extract.Fact)
	}
	var out []piece
	for i := 0; i < len(e.sentences); {
		found, n := e.pieceAt(i)
		out = append(out, found...)
		i += n
	}
	return out
}

// typed answers the whole entry, less what is around it, where it is short; else its
// sentences, each of the entry's type.
func (e *entry) typed(kind string) []piece {
	all := e.sentences
	for len(all) > 0 && all[0].empty() {
		all = all[1:]
	}
	for len(all) > 0 && all[len(all)-1].empty() {
		all = all[:len(all)-1]
	}
	if len(all) == 0 {
		return nil
	}
	most := maxWhole
	if kind == extract.Procedure {
		most = maxList
	}
	if whole := e.between(all[0], all[len(all)-1]); utf8.RuneCountInString(whole) <= most {
		return []piece{e.piece(kind, whole, typedWorth)}
	}
	var out []piece
	for _, s := range all {
		if !s.empty() && utf8.RuneCountInString(s.text) <= maxSentence {
			out = append(out, e.piece(kind, s.text, typedWorth))
		}
	}
	return out
}

// typedWorth is the worth of what the entry's type names.
const typedWorth = 6

// empty tells sentences that state nothing by any rule.
func (s sentence) empty() bool {
	letters := prose.WordRunes(s.text)
	return s.question || letters < 3 || s.greets() || len(s.low) < 3 && letters < 12 && !dense(s.text) || fillers.at(s.low, 0) > 0 && s.header() == ""
}

func (e *entry) between(first, last sentence) string { return e.Text[first.Start:last.End] }

// pieceAt reads what begins with sentence i; n is how many sentences were read.
func (e *entry) pieceAt(i int) (out []piece, n int) {
	if n = procedureAt(e.sentences, i, e.assistant); n > 0 {
		text := e.between(e.sentences[i], e.sentences[i+n-1])
		if utf8.RuneCountInString(text) <= maxList {
			return []piece{e.piece(extract.Procedure, text, procedureWorth)}, n
		}
	}
	s := e.sentences[i]
	if kind := headers[word(s.low, 0)]; kind != "" && len(s.low) == 1 && i+1 < len(e.sentences) && s.leads(e.sentences[i+1]) {
		return e.items(kind, e.sentences[i+1:i+2]), 2
	}
	if n = listAt(e.sentences, i); n > 1 && headers[word(s.low, 0)] != "" && len(s.low) < 4 {
		return e.items(headers[s.low[0]], e.sentences[i+1:i+n]), n
	}
	if utf8.RuneCountInString(s.text) > maxSentence || len(s.low) == 0 || prose.WordRunes(s.text) < 3 {
		return nil, 1
	}
	if s.isHowTo() {
		return []piece{e.piece(extract.Procedure, s.text, procedureWorth)}, 1
	}
	if !isEnglish(s.low) {
		return e.foreign(s), 1
	}
	return e.stated(i)
}

// leads tells whether a sentence is a line with a colon right above the next one, which
// is no item of a list.
func (s sentence) leads(next sentence) bool {
	return strings.HasSuffix(s.text, ":") && !next.gap && !next.list && !next.question
}

const (
	procedureWorth  = 5
	decisionWorth   = 5
	preferenceWorth = 4
)

// items answers the items of a list under a header such as "Decisions:".
func (e *entry) items(kind string, items []sentence) []piece {
	var out []piece
	for _, s := range items {
		if text := s.item(); prose.WordRunes(text) >= 3 && utf8.RuneCountInString(text) <= maxSentence {
			out = append(out, e.piece(kind, text, decisionWorth))
		}
	}
	return out
}

// stated answers what sentence i states, with those behind it that go on about it.
func (e *entry) stated(i int) (out []piece, n int) {
	s := e.sentences[i]
	kind, worth := s.kindOf(), 0.0
	if e.Speaker == "" {
		kind = s.kindOfNote()
	}
	switch kind {
	case "":
		return nil, 1
	case extract.Decision:
		if worth = decisionWorth; e.assistant && strings.HasPrefix(s.low[0], "i") && s.low[0] != "it" {
			return nil, 1
		}
	case extract.Preference:
		if worth = preferenceWorth; e.assistant {
			return nil, 1
		}
	default:
		if worth = s.worth(e); worth < e.least() || e.assistant && !s.worded() || len(s.low) < 3 && !s.tellsTrait() || pronouns[s.low[0]] && worth < 3 {
			return nil, 1
		}
	}
	last := i
	for last+1 < len(e.sentences) && e.sentences[last+1].goesOn() && e.short(s, e.sentences[last+1]) {
		last++
	}
	return []piece{e.piece(kind, unwrapped(e.between(s, e.sentences[last])), worth)}, last - i + 1
}

func (e *entry) short(first, last sentence) bool {
	return utf8.RuneCountInString(e.between(first, last)) <= maxWhole/2
}

// least is the least worth of a fact of this entry.
func (e *entry) least() float64 {
	switch {
	case e.assistant:
		return worthAssistant
	case e.Speaker == "":
		return worthNote
	}
	return worthChat
}

// goesOn tells whether a sentence is about the subject of the one before it, by its
// pronoun, and states a fact.
func (s sentence) goesOn() bool {
	if s.question || s.gap || s.list || len(s.low) < 3 || s.led == "but" || s.led == "so" {
		return false
	}
	first := strings.TrimSuffix(s.low[0], "'s")
	if !(first == "it" || first == "she" || first == "he" || first == "they") || s.doubted() || strings.HasSuffix(s.text, "!") {
		return false
	}
	return s.kindOf() == extract.Fact && (first != "it" || s.figures()+s.names() > 0)
}
