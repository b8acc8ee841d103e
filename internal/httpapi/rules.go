package httpapi

import "regexp"

// kind is the type of a JSON value that a rule asks for.
type kind byte

const (
	anyKind    kind = iota
	rawKind         // anything; its texts and numbers are checked later, on their own (Decode)
	boolKind        // true or false
	wholeKind       // a number without fraction and exponent
	numberKind      // a finite number
	textKind
	listKind
	objectKind // closed set of members
	dictKind   // member names are data
)

// rule is a schema made ready for the walker. Its sentences are built once.
type rule struct {
	kind     kind
	nullable bool
	scope    bool // the value names the workspace of the call

	low, high, above, below, step *float64
	bits                          int // of wholeKind and numberKind

	minLen, maxLen int // code points, items or members; -1: no bound
	pattern        *regexp.Regexp
	format         func(string) bool
	texts          map[string]bool
	numbers        []float64

	items  *rule
	unique bool

	members map[string]*member
	order   []*member
	open    bool  // objectKind: unknown members are allowed
	values  *rule // dictKind

	say sentences
}

type member struct {
	name     string
	bit      uint64
	required bool
	rule     *rule
	needs    []string // members that must be there too
}

// sentences are the public texts of a rule's parts.
type sentences struct {
	typ, low, high, above, below, step, size, pattern, format, enum string
}

const unbounded = -1
