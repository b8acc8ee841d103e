package claim

import (
	"regexp"
	"slices"
	"strings"
)

// Telling is a claim in a form of which two texts have the same only where they say
// the same of the same: nothing that a Claim leaves out (when, how often, in what
// unit) tells them apart. By it a value that was rejected is known in other words
// (A0.5).
type Telling struct {
	Subject   string // its words in small letters, the owner first
	Attribute string
	Value     string
	Own       bool // it speaks of its speaker: said by somebody else it is another
}

// Tell reads what a text tells for certain. Beside the sentences of Read it takes
// "Port: 25", "port = 25" and "the port of it is 25".
func Tell(text string) (Telling, bool) {
	if len(text) > longest {
		return Telling{}, false
	}
	c, ok := Read(text)
	if !ok {
		if c, ok = readLabel(text); !ok {
			return Telling{}, false
		}
	}
	value, ok := c.exactly(text)
	return Telling{Subject: c.plain, Attribute: c.Attribute, Value: value, Own: isOwn(text)}, ok
}

// TellOf reads the value that a text gives to an attribute with this name: alone
// ("25"), or in a sentence. Of a value that stands alone the attribute is the subject.
func TellOf(name, text string) (Telling, bool) {
	if t, ok := Tell(text); ok {
		return t, true
	}
	label := Label(name)
	if t, ok := Tell("the " + label + " is " + text); ok {
		return t, true
	}
	line, ok := flatten(text)
	if !ok || len(text) > longest || strings.ContainsAny(line, ";,") {
		return Telling{}, false
	}
	v, ok := parse(withoutLabel(line, label), false)
	if !ok {
		return Telling{}, false
	}
	value, ok := Claim{Attribute: "is/" + v.kind, Value: v.text, plain: label}.exactly(text)
	return Telling{Subject: label, Attribute: "is", Value: value, Own: isOwn(text)}, ok
}

// withoutLabel is what a line says that an attribute is.
func withoutLabel(line, label string) string {
	for _, lead := range []string{"the " + label + " is ", label + " is "} {
		if len(line) > len(lead) && strings.EqualFold(line[:len(lead)], lead) {
			return line[len(lead):]
		}
	}
	return line
}

// Label is the name of an attribute as words: "smtp.port" and "smtpPort" are "smtp
// port".
func Label(name string) string {
	apart := camel.ReplaceAllString(name, "$1 $2")
	return strings.ToLower(strings.Join(notWord.Split(strings.Trim(apart, " ._-/:"), -1), " "))
}

var (
	camel   = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)
	notWord = regexp.MustCompile(`[\s._/:-]+`)
	ofIt    = regexp.MustCompile(`(?i)^((?:the )?(?:[\pL-]+ ){1,4})of it (is|are) `)
	labeled = regexp.MustCompile(`^\s*([\pL][\pL\pN'_ -]{0,60}?)\s*(?::\s+|\s=\s|=)\s*([^=\s][^=]*)$`)
)

// readLabel reads what is no sentence as the sentence that it stands for. What a label
// says is told only where it names an attribute: "Ana: 25" is a score, or an age.
func readLabel(text string) (Claim, bool) {
	line := ofIt.ReplaceAllString(text, "$1$2 ")
	if m := labeled.FindStringSubmatch(text); m != nil && !strings.Contains(m[2], ": ") {
		line = strings.ReplaceAll(m[1], "_", " ") + " is " + m[2]
	}
	if line == text {
		return Claim{}, false
	}
	c, ok := Read(line)
	return c, ok && attributeNouns[head(c.plain)]
}

// About tells whether two tellings are of one attribute of one subject.
func (t Telling) About(o Telling) bool { return t.Subject == o.Subject && t.Attribute == o.Attribute }

// Agrees tells whether the values of two tellings may be one, said with more words or
// fewer.
func (t Telling) Agrees(o Telling) bool { return same(t.words(), o.words()) }

// words are the value's, without what tells it from others that are read alike.
func (t Telling) words() string {
	out, _, _ := strings.Cut(t.Value, "|")
	return out
}

// StaysIn tells whether a text of which nothing is told may give the value still: it
// has its words, and none that deny.
func (t Telling) StaysIn(text string) bool {
	list := plainWords(strings.ToLower(signs.Replace(text)))
	if slices.ContainsFunc(list, func(w string) bool { return denying[w] || strings.HasSuffix(w, "n't") }) {
		return false
	}
	for w := range strings.FieldsSeq(t.words()) {
		if !slices.Contains(list, w) {
			return false
		}
	}
	return true
}

var denying = words(`not no never neither nor without wrong false instead cannot rejected untrue incorrect`)
