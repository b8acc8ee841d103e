package claim

// Claim is what a text says: a subject's attribute has a value.
type Claim struct {
	Subject   string // normalised words, the owner first; the speaker is "i" or "we"
	Attribute string
	Value     string // normalised words
	From      string // the earlier value that the text names; empty: none
	Change    bool   // the text itself says that something changed
	also      []string
	plain     string // the subject's words, not stemmed
	other     bool   // the subject is called new: "the new office" is not the office
}

// of is the claim with its subject's attribute named.
func (c Claim) of(noun string) Claim {
	c.Subject, c.plain = c.Subject+" "+noun, c.plain+" "+noun
	return c
}

// longest text that is read, in bytes: a claim is one sentence, or two.
const longest = 240

// MaxCloses is the most keys of Closes.
const MaxCloses = 8

// Read answers the claim that a text makes; false where it makes none for certain.
func Read(text string) (Claim, bool) {
	if len(text) > longest {
		return Claim{}, false
	}
	line, ok := flatten(text)
	if !ok {
		return Claim{}, false
	}
	c, ok := readLine(line)
	if !ok || c.Change && same(c.From, c.Value) {
		return Claim{}, false
	}
	return c, true
}

// Key names what the claim is about: two claims with one key can contradict each
// other.
func (c Claim) Key() string { return key(c.Subject, c.Attribute, c.Value) }

// Closes are the keys under which claims stand that this one may replace: none
// unless it says that something changed.
func (c Claim) Closes() []string {
	if !c.Change {
		return nil
	}
	var out []string
	for _, attribute := range append([]string{c.Attribute}, c.also...) {
		if attribute == uses && c.From == "" {
			continue
		}
		out = append(out, key(c.Subject, attribute, c.From))
	}
	return out
}

func key(subject, attribute, value string) string {
	if attribute == uses {
		return subject + "|" + attribute + "|" + value
	}
	return subject + "|" + attribute
}

// Replaces tells whether the claim closes an older one: it says that something
// changed, is about the same, and gives another value; where it names the value
// that was, it is that of the older.
func (c Claim) Replaces(older Claim) bool {
	about := false
	for _, k := range c.Closes() {
		about = about || k == older.Key()
	}
	if !about || same(c.Value, older.Value) || older.Attribute == "is/"+number && !measuredAlike(c.Value, older.Value) {
		return false
	}
	return c.From == "" || same(c.From, older.Value)
}
